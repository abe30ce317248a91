import { type Chunk, chunksOf } from "./chunks.ts";
import type { Project } from "./project.ts";
import type { IndexedFile } from "./segment.ts";
import { subTokens } from "./sub-tokens.ts";
import type { Declaration } from "./syntax.ts";

/** A chunk with what ranking asks of it, counted once. */
export interface PreparedChunk extends Chunk {
  text: string;
  symbol?: Declaration;
  /** Sub-tokens of its text, and how many in all. */
  counts: Map<string, number>;
  length: number;
  /** What is declared in it (or around it: then it counts less), with the words of the name. */
  declares: { name: string; tokens: string[]; isHere: boolean }[];
}

/** Text kept prepared, in characters. */
const keptText = 24_000_000;

/** The chunks of files, by content; those asked for last are kept. */
export class PreparedChunks {
  readonly #project: Project;
  readonly #kept = new Map<string, { chunks: PreparedChunk[]; size: number }>();
  #size = 0;

  constructor(project: Project) {
    this.#project = project;
  }

  async of(file: IndexedFile): Promise<PreparedChunk[]> {
    const kept = this.#kept.get(file.hash);
    if (kept) {
      this.#kept.delete(file.hash);
      this.#kept.set(file.hash, kept);
      return kept.chunks;
    }
    const source = await this.#project.source(file.path).catch(() => undefined);
    if (source === undefined) return [];
    const chunks = await this.#prepare(file, source);
    // Cut without its declarations because it is not parsed yet: next time better.
    if (this.#project.isPending(file)) return chunks;
    this.#kept.set(file.hash, { chunks, size: source.length });
    this.#size += source.length;
    for (const [hash, { size }] of this.#kept) {
      if (this.#size <= keptText) break;
      this.#kept.delete(hash);
      this.#size -= size;
    }
    return chunks;
  }

  async #prepare(file: IndexedFile, source: string): Promise<PreparedChunk[]> {
    const syntax = file.language ? await this.#project.syntax(file) : undefined;
    const lines = source.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const byLine = [...(syntax?.declarations ?? [])].sort((a, b) => a.line - b.line);
    let next = 0;
    return chunksOf(lines, syntax).map((chunk) => {
      const text = lines.slice(chunk.startLine - 1, chunk.endLine).join("\n");
      const symbol = chunk.declaration === undefined ? undefined : syntax?.declarations[chunk.declaration];
      const declares: PreparedChunk["declares"] = [];
      while (next < byLine.length && (byLine[next]?.line ?? 0) <= chunk.endLine) {
        const { name, line } = byLine[next++] as Declaration;
        if (line >= chunk.startLine) declares.push({ name, tokens: subTokens(name), isHere: true });
      }
      if (symbol && symbol.line < chunk.startLine) {
        declares.push({ name: symbol.name, tokens: subTokens(symbol.name), isHere: false });
      }
      return { ...chunk, text, ...(symbol && { symbol }), ...countsOf(text), declares };
    });
  }
}

function countsOf(text: string): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  let length = 0;
  for (const word of text.match(/[a-zA-Z_$\x80-\uFFFF][\w$\x80-\uFFFF]*/g) ?? []) {
    for (const token of splitOnce(word)) {
      length++;
      counts.set(token, (counts.get(token) ?? 0) + 1);
    }
  }
  return { counts, length };
}

const splits = new Map<string, string[]>();

/** Words repeat: each is split once. */
function splitOnce(word: string): string[] {
  let tokens = splits.get(word);
  if (!tokens) {
    tokens = subTokens(word);
    if (splits.size > 50_000) splits.clear();
    splits.set(word, tokens);
  }
  return tokens;
}
