import type { FileSyntax } from "../syntax/syntax.ts";

/** A stretch of a file that is shown and ranked as one. Lines count from 1, both ends included. */
export interface Chunk {
  startLine: number;
  endLine: number;
  /** Index of the declaration it is, or is part of. */
  declaration?: number;
}

const usual = 40;
const longest = 80;

/**
 * Cuts a file along its declarations: each function or small type whole, with the comment above it; long ones in pieces;
 * what stands in between, in pieces too. Blank lines at the ends belong to nobody.
 */
export function chunksOf(lines: readonly string[], syntax: FileSyntax | undefined): Chunk[] {
  const chunks: Chunk[] = [];
  let next = 1;
  const isBlank = (line: number) => (lines[line - 1] ?? "").trim() === "";
  const upTo = (last: number, declaration?: number) => {
    while (next <= last) {
      const cut = last - next + 1 <= longest ? last : next + usual - 1;
      let [startLine, endLine] = [next, cut];
      while (startLine < endLine && isBlank(startLine)) startLine++;
      while (endLine > startLine && isBlank(endLine)) endLine--;
      if (!isBlank(startLine))
        chunks.push({ startLine, endLine, ...(declaration !== undefined && { declaration }) });
      next = cut + 1;
    }
  };
  // What stands above the first declaration besides the imports is a chunk of its own.
  upTo(endOfImports(lines, syntax));
  const around: number[] = [];
  syntax?.declarations.forEach((declaration, index) => {
    const { endLine, kind } = declaration;
    if (declaration.startLine < next || endLine - declaration.startLine < 2) return;
    const startLine = Math.max(next, withComment(lines, declaration.startLine));
    while (around.length > 0 && (syntax.declarations[around.at(-1) ?? 0]?.endLine ?? 0) < startLine)
      around.pop();
    upTo(startLine - 1, around.at(-1));
    const isLarge = endLine - startLine >= longest && /^(?:class|module|interface|type|const)$/.test(kind);
    // A large type: its head alone; its members follow as chunks of their own.
    upTo(isLarge ? Math.min(endLine, headEnd(syntax, index, lines)) : endLine, index);
    if (isLarge) around.push(index);
  });
  upTo(lines.length);
  return chunks;
}

/** The last line of the imports that a file begins with; 0 without any. */
function endOfImports(lines: readonly string[], syntax: FileSyntax | undefined): number {
  const first = syntax?.declarations[0]?.start ?? Number.POSITIVE_INFINITY;
  const end = Math.max(0, ...(syntax?.imports ?? []).map((one) => (one.end <= first ? one.end : 0)));
  if (end === 0) return 0;
  let line = 0;
  for (let offset = 0; offset < end && line < lines.length; line++) offset += (lines[line]?.length ?? 0) + 1;
  while (/^\s*[)}\]]/.test(lines[line] ?? "")) line++;
  return line;
}

/** The first line of the comments and attributes right above. */
function withComment(lines: readonly string[], line: number): number {
  let first = line;
  while (
    first > 1 &&
    /^\s*(?:\/[/*]|\*|#(?!include|define|if|end|el|pragma)|--|@|\[\w)/.test(lines[first - 2] ?? "")
  )
    first--;
  return first;
}

/** The line before the first member of some length. */
function headEnd(syntax: FileSyntax, parent: number, lines: readonly string[]): number {
  const start = syntax.declarations[parent]?.startLine ?? 1;
  const member = syntax.declarations.find((d) => d.parent === parent && d.endLine - d.startLine >= 2);
  return Math.max(
    start,
    Math.min(member ? withComment(lines, member.startLine) - 1 : start + usual, start + usual),
  );
}
