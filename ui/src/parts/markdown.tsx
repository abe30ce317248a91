import { memo, type ReactNode } from "react";
import { type Block, blocksOf } from "../../../src/text/markdown-blocks.ts";
import { type Span, spansOf } from "../../../src/text/markdown-spans.ts";
import { CodeBlock } from "./code-block.tsx";

/** Renders model output. Text becomes elements, never markup: nothing in it can run, load or submit. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="prose">{blocksOf(text).map(show)}</div>;
});

function show(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case "code":
      return <CodeBlock key={key} code={block.text} language={block.language} />;
    case "heading": {
      // The page itself has the h1.
      const Heading = `h${Math.min(6, block.level + 1)}` as "h2";
      return <Heading key={key}>{inline(block.text)}</Heading>;
    }
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List key={key} {...(block.ordered && block.start !== 1 && { start: block.start })}>
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: only the last item grows
            <li key={at}>
              {item.map((inner, index) =>
                inner.kind === "text" ? inline(inner.text, index) : show(inner, index),
              )}
            </li>
          ))}
        </List>
      );
    }
    case "quote":
      return <blockquote key={key}>{block.blocks.map(show)}</blockquote>;
    case "table":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className="table-scroll" key={key} tabIndex={0} aria-label="Table">
          <table>
            <thead>
              <tr>{block.head.map((cell, at) => cellOf("th", cell, at, block.align[at]))}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
                <tr key={at}>{row.map((cell, column) => cellOf("td", cell, column, block.align[column]))}</tr>
              ))}
            </tbody>
          </table>
        </section>
      );
    case "rule":
      return <hr key={key} />;
    case "text":
      return <p key={key}>{inline(block.text)}</p>;
  }
}

function cellOf(Cell: "th" | "td", text: string, key: number, align = "left"): ReactNode {
  return (
    <Cell key={key} className={align === "left" ? undefined : `align-${align}`}>
      {inline(text)}
    </Cell>
  );
}

/** Images become links, so that rendering text loads nothing. */
function inline(text: string, key?: number): ReactNode {
  const parts = spansOf(text).map(element);
  return key === undefined ? parts : <span key={key}>{parts}</span>;
}

function element(span: Span, key: number): ReactNode {
  switch (span.kind) {
    case "text":
      return span.text;
    case "code":
      return <code key={key}>{span.text}</code>;
    case "strong":
      return <strong key={key}>{span.spans.map(element)}</strong>;
    case "em":
      return <em key={key}>{span.spans.map(element)}</em>;
    case "link":
      return (
        <a key={key} href={span.href} target="_blank" rel="noopener noreferrer" title={span.href}>
          {span.text}
        </a>
      );
  }
}
