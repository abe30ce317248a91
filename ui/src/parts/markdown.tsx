import { lazy, memo, type ReactNode, Suspense, useId } from "react";
import { type Block, blocksOf } from "../../../src/text/markdown-blocks.ts";
import { type Span, spansOf } from "../../../src/text/markdown-spans.ts";
import { Boundary } from "./boundary.tsx";
import { CodeBlock } from "./code-block.tsx";

const Formula = lazy(async () => ({ default: (await import("./formula.tsx")).Formula }));
const Diagram = lazy(async () => ({ default: (await import("./diagram.tsx")).Diagram }));

/** Renders model output. Text becomes elements, never markup: nothing in it can run, load or submit. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const id = useId();
  return <div className="prose">{blocksOf(text).map((block, at) => show(block, at, id))}</div>;
});

/** `id`: footnotes of different texts on one page must not be mixed up. */
function show(block: Block, key: number, id: string): ReactNode {
  const inline = (text: string, at?: number) => inlineOf(text, id, at);
  switch (block.kind) {
    case "code":
      if (block.language === "mermaid") return <DrawnDiagram key={key} text={block.text} />;
      if (block.language === "math" || block.language === "latex")
        return <SetFormula key={key} tex={block.text} display />;
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
            <li key={at} className={block.tasks?.[at] === undefined ? undefined : "task"}>
              {block.tasks?.[at] !== undefined && (
                <input
                  type="checkbox"
                  checked={block.tasks[at]}
                  disabled
                  aria-label={block.tasks[at] ? "Done" : "Open"}
                />
              )}
              {item.map((inner, index) =>
                inner.kind === "text" ? inline(inner.text, index) : show(inner, index, id),
              )}
            </li>
          ))}
        </List>
      );
    }
    case "quote":
      return <blockquote key={key}>{block.blocks.map((inner, at) => show(inner, at, id))}</blockquote>;
    case "table":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className="table-scroll" key={key} tabIndex={0} aria-label="Table">
          <table>
            <thead>
              <tr>{block.head.map((cell, at) => cellOf("th", inline(cell), at, block.align[at]))}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
                <tr key={at}>
                  {row.map((cell, column) => cellOf("td", inline(cell), column, block.align[column]))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      );
    case "rule":
      return <hr key={key} />;
    case "math":
      return <SetFormula key={key} tex={block.text} display />;
    case "notes":
      return (
        <section key={key} className="footnotes" aria-label="Footnotes">
          <ol>
            {block.notes.map(({ label, blocks }) => (
              <li key={label} id={`${id}-${label}`} tabIndex={-1}>
                {blocks.map((inner, at) =>
                  inner.kind === "text" ? inline(inner.text, at) : show(inner, at, id),
                )}
              </li>
            ))}
          </ol>
        </section>
      );
    case "text":
      return <p key={key}>{inline(block.text)}</p>;
  }
}

function cellOf(Cell: "th" | "td", inside: ReactNode, key: number, align = "left"): ReactNode {
  return (
    <Cell key={key} className={align === "left" ? undefined : `align-${align}`}>
      {inside}
    </Cell>
  );
}

/** Images become links, so that rendering text loads nothing. */
function inlineOf(text: string, id: string, key?: number): ReactNode {
  const parts = spansOf(text).map((span, at) => element(span, at, id));
  return key === undefined ? parts : <span key={key}>{parts}</span>;
}

function element(span: Span, key: number, id: string): ReactNode {
  const inside = (spans: readonly Span[]) => spans.map((inner, at) => element(inner, at, id));
  switch (span.kind) {
    case "text":
      return span.text;
    case "code":
      return <code key={key}>{span.text}</code>;
    case "math":
      return <SetFormula key={key} tex={span.text} />;
    case "key":
      return <kbd key={key}>{span.text}</kbd>;
    case "break":
      return <br key={key} />;
    case "note":
      return (
        <sup key={key}>
          <button type="button" className="footnote" onClick={() => goToNote(`${id}-${span.label}`)}>
            {span.label}
          </button>
        </sup>
      );
    case "strike":
      return <del key={key}>{inside(span.spans)}</del>;
    case "strong":
      return <strong key={key}>{inside(span.spans)}</strong>;
    case "em":
      return <em key={key}>{inside(span.spans)}</em>;
    case "link":
      return (
        <a key={key} href={span.href} target="_blank" rel="noopener noreferrer" title={span.href}>
          {span.text}
        </a>
      );
  }
}

/** The address of the page belongs to its own navigation: a footnote is scrolled to. */
function goToNote(id: string): void {
  const note = document.getElementById(id);
  note?.scrollIntoView({ block: "nearest" });
  note?.focus();
}

/** Shown as it is written until the part that sets formulas is there, and where it cannot set one. */
function SetFormula({ tex, display = false }: { tex: string; display?: boolean }) {
  const plain = <code>{tex}</code>;
  return (
    <Boundary fallback={plain}>
      <Suspense fallback={plain}>
        <Formula tex={tex} display={display} />
      </Suspense>
    </Boundary>
  );
}

function DrawnDiagram({ text }: { text: string }) {
  const plain = <CodeBlock code={text} language="mermaid" />;
  return (
    <Boundary fallback={plain}>
      <Suspense fallback={plain}>
        <Diagram text={text} />
      </Suspense>
    </Boundary>
  );
}
