import { CodeBlock } from "../parts/code-block.tsx";
import { languageOf } from "../parts/highlight.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Sheet } from "../parts/sheet.tsx";

interface BodyProps {
  title: string;
  kind: string;
  content: string;
}

/** The content of a document, by its kind. */
export function DocumentBody({ title, kind, content }: BodyProps) {
  if (kind === "code") return <CodeBlock code={content} language={languageOf(title) || "code"} />;
  if (kind === "sheet") return <Sheet csv={content} />;
  return <Markdown text={content} />;
}
