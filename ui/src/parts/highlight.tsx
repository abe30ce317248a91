import type { ReactNode } from "react";
import { visible } from "./visible.ts";

const words =
  "abstract|and|as|async|await|bool|boolean|break|case|catch|class|const|continue|def|default|defer|del|delete|do|elif|else|enum|except|export|extends|false|False|final|finally|fn|for|from|func|function|go|if|impl|implements|import|in|instanceof|int|interface|is|lambda|let|match|mod|mut|namespace|new|nil|None|not|null|number|of|or|package|pass|private|protected|pub|public|raise|readonly|return|self|static|string|struct|super|switch|this|throw|trait|true|True|try|type|typeof|undefined|use|var|void|where|while|with|yield";
const pattern = new RegExp(
  [
    /(?<comment>\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|(?<=^|\s)#(?!\w*["{]).*)/.source,
    /(?<string>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)/.source,
    /(?<number>\b\d[\w.]*\b)/.source,
    `(?<keyword>\\b(?:${words})\\b)`,
    /(?<name>\b[A-Za-z_$][\w$]*(?=\())/.source,
  ].join("|"),
  "gm",
);
const plain: ReadonlySet<string> = new Set(["", "text", "txt", "md", "markdown", "diff"]);

/** Read-only code with colours and visible control characters. One rough grammar for most languages; the editor has real ones. */
export function highlight(text: string, language: string): ReactNode[] {
  const code = visible(text);
  if (plain.has(language) || code.length > 50_000) return [code];
  const parts: ReactNode[] = [];
  let end = 0;
  for (const found of code.matchAll(pattern)) {
    const kind = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    parts.push(code.slice(end, found.index));
    parts.push(
      <span key={found.index} className={`hl-${kind}`}>
        {found[0]}
      </span>,
    );
    end = found.index + found[0].length;
  }
  parts.push(code.slice(end));
  return parts;
}

export function languageOf(path: string): string {
  return path.includes(".") ? (path.split(".").at(-1) ?? "") : "";
}
