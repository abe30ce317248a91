import { memo, type ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import { type Block, blocksOf } from "./markdown-blocks.ts";

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

const marks =
  /(?<code>`+)(?<inCode>[\s\S]*?[^`])\k<code>(?!`)|\*\*(?<strong>[^\s*](?:[^*]|\*(?!\*))*?)\*\*|(?<![\w*])[*_](?<em>[^\s*_](?:[^*_]*[^\s*_])?)[*_](?![\w*])|!?\[(?<label>[^\]]*)\]\((?<href>[^\s)]+)[^)]*\)|(?<url>https?:\/\/[^\s<>)\]]+[^\s<>)\].,;:!?'"])/g;

function inline(text: string, key?: number): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const found of text.matchAll(marks)) {
    const { inCode, strong, em, label, href, url } = found.groups ?? {};
    parts.push(text.slice(end, found.index));
    const at = found.index;
    if (inCode !== undefined) parts.push(<code key={at}>{inCode.trim() || inCode}</code>);
    else if (strong !== undefined) parts.push(<strong key={at}>{inline(strong)}</strong>);
    else if (em !== undefined) parts.push(<em key={at}>{inline(em)}</em>);
    else parts.push(link(url ?? href ?? "", url ?? label ?? "", at));
    end = found.index + found[0].length;
  }
  parts.push(text.slice(end));
  return key === undefined ? parts : <span key={key}>{parts}</span>;
}

/** Only web addresses. Images become links, so that rendering text loads nothing. */
function link(href: string, label: string, key: number): ReactNode {
  const address = URL.parse(href);
  if (!address || !/^(https?|mailto):$/.test(address.protocol)) return label;
  return (
    <a key={key} href={address.href} target="_blank" rel="noopener noreferrer" title={address.href}>
      {label || address.href}
    </a>
  );
}
