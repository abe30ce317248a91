import type { FileSyntax } from "./syntax.ts";

/** A stretch of a file that is shown and ranked as one. Lines count from 1, both ends included. */
export interface Chunk {
  startLine: number;
  endLine: number;
  /** Index of the declaration it is, or is part of. */
  declaration?: number;
}

const usual = 40;
const longest = 80;

/** Cuts a file along its declarations: each function or small type whole, long ones in pieces, the rest in between. */
export function chunksOf(lineCount: number, syntax: FileSyntax | undefined): Chunk[] {
  const chunks: Chunk[] = [];
  let next = 1;
  const upTo = (line: number, declaration?: number) => {
    while (next <= line) {
      const endLine = line - next + 1 <= longest ? line : next + usual - 1;
      chunks.push({ startLine: next, endLine, ...(declaration !== undefined && { declaration }) });
      next = endLine + 1;
    }
  };
  syntax?.declarations.forEach((declaration, index) => {
    const { startLine, endLine, kind } = declaration;
    if (startLine < next || endLine - startLine < 2) return;
    const inside = chunks.at(-1)?.declaration;
    if (startLine > next)
      upTo(
        startLine - 1,
        inside !== undefined && (syntax.declarations[inside]?.endLine ?? 0) >= startLine ? inside : undefined,
      );
    const isLarge =
      endLine - startLine >= longest &&
      (kind === "class" || kind === "module" || kind === "interface" || kind === "type");
    // A large type: its head alone; its members follow as chunks of their own.
    upTo(isLarge ? Math.min(endLine, firstMemberLine(syntax, index) - 1, startLine + usual) : endLine, index);
  });
  upTo(lineCount);
  return chunks.filter((chunk) => chunk.startLine <= lineCount);
}

function firstMemberLine(syntax: FileSyntax, parent: number): number {
  const member = syntax.declarations.find((d) => d.parent === parent && d.endLine - d.startLine >= 2);
  return Math.max(
    (syntax.declarations[parent]?.startLine ?? 0) + 1,
    member?.startLine ?? Number.POSITIVE_INFINITY,
  );
}
