import type { Project } from "../project/project.ts";
import type { Declaration, FileSyntax } from "../syntax/syntax.ts";
import { eachWord } from "../word-index/each-word.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import { enlarged } from "../word-index/term-table.ts";
import { Vocabulary } from "../word-index/vocabulary.ts";
import { type Chunk, chunksOf } from "./chunks.ts";

/** A file cut into chunks, with what ranking asks of them counted once. Sub-tokens go by number. */
export interface PreparedFile {
  lines: readonly string[];
  chunks: PreparedChunk[];
  /** The different sub-tokens of each chunk, chunk after chunk, and how often each stands there. */
  tokens: Uint32Array;
  counts: Uint8Array;
}

export interface PreparedChunk extends Chunk {
  symbol?: Declaration;
  /** Where its sub-tokens end in the file's list; they begin where those of the chunk before it end. */
  last: number;
  /** All its sub-tokens, repeated ones too. */
  length: number;
  /** What is declared in it (or around it: then it counts less), with the words of the name. */
  declares: { name: string; owner: string | undefined; tokens: number[]; isHere: boolean }[];
}

/** Text kept prepared, in characters; and words known. */
const keptText = 24_000_000;
const keptWords = 500_000;

/** The chunks of files, by content; those asked for last are kept. */
export class PreparedChunks {
  readonly #project: Project;
  readonly #kept = new Map<string, { file: PreparedFile; size: number }>();
  #size = 0;
  #vocabulary = new Vocabulary();
  #counter = new Counter();

  constructor(project: Project) {
    this.#project = project;
  }

  /** What the numbers in the files given from now on mean. */
  vocabulary(): Vocabulary {
    if (this.#vocabulary.size > keptWords) {
      this.#vocabulary = new Vocabulary();
      this.#kept.clear();
      this.#size = 0;
    }
    return this.#vocabulary;
  }

  async of(file: IndexedFile): Promise<PreparedFile | undefined> {
    const kept = this.#kept.get(file.hash);
    if (kept) {
      this.#kept.delete(file.hash);
      this.#kept.set(file.hash, kept);
      return kept.file;
    }
    const bytes = await this.#project.bytes(file.path).catch(() => undefined);
    if (!bytes) return undefined;
    const prepared = this.#prepare(bytes, file.language ? await this.#project.syntax(file) : undefined);
    // Cut without its declarations because it is not parsed yet: next time better.
    if (this.#project.isPending(file)) return prepared;
    this.#kept.set(file.hash, { file: prepared, size: bytes.length });
    this.#size += bytes.length;
    for (const [hash, { size }] of this.#kept) {
      if (this.#size <= keptText) break;
      this.#kept.delete(hash);
      this.#size -= size;
    }
    return prepared;
  }

  #prepare(bytes: Buffer, syntax: FileSyntax | undefined): PreparedFile {
    const lines = bytes.toString().split("\n");
    if (lines.at(-1) === "") lines.pop();
    const byLine = [...(syntax?.declarations ?? [])].sort((a, b) => a.line - b.line);
    let next = 0;
    const chunks = chunksOf(lines, syntax).map((chunk): PreparedChunk => {
      const symbol = chunk.declaration === undefined ? undefined : syntax?.declarations[chunk.declaration];
      const declares: PreparedChunk["declares"] = [];
      const declare = ({ name, owner }: Declaration, isHere: boolean) =>
        declares.push({
          name,
          owner: owner?.slice(owner.lastIndexOf(".") + 1),
          tokens: this.#vocabulary.partsOf(name),
          isHere,
        });
      for (; next < byLine.length && (byLine[next]?.line ?? 0) <= chunk.endLine; next++) {
        const declaration = byLine[next] as Declaration;
        if (declaration.line >= chunk.startLine) declare(declaration, true);
      }
      if (symbol && symbol.line < chunk.startLine) declare(symbol, false);
      return { ...chunk, ...(symbol && { symbol }), last: 0, length: 0, declares };
    });
    return { lines, chunks, ...this.#counter.count(bytes, chunks, this.#vocabulary) };
  }
}

/** Counts the sub-tokens of chunks in one pass over the file's bytes. */
class Counter {
  #counts = new Uint32Array(1 << 12);
  #met = new Uint32Array(1 << 12);

  count(bytes: Buffer, chunks: PreparedChunk[], vocabulary: Vocabulary) {
    const tokens: number[] = [];
    const counts: number[] = [];
    let met = 0;
    let at = 0;
    let length = 0;
    const finish = (chunk: PreparedChunk) => {
      for (let i = 0; i < met; i++) {
        const token = this.#met[i] as number;
        tokens.push(token);
        counts.push(Math.min(255, this.#counts[token] as number));
        this.#counts[token] = 0;
      }
      chunk.last = tokens.length;
      chunk.length = length;
      met = 0;
      length = 0;
    };
    eachWord(bytes, (start, end, hash, second, line) => {
      let chunk = chunks[at];
      while (chunk && line > chunk.endLine) {
        finish(chunk);
        chunk = chunks[++at];
      }
      if (!chunk || line < chunk.startLine) return;
      for (const token of vocabulary.partsAt(bytes, start, end, hash, second)) {
        if (token >= this.#counts.length) this.#makeRoom(token);
        if (this.#counts[token] === 0) this.#met[met++] = token;
        (this.#counts[token] as number)++;
        length++;
      }
    });
    for (const chunk of chunks.slice(at)) finish(chunk);
    return { tokens: new Uint32Array(tokens), counts: new Uint8Array(counts) };
  }

  #makeRoom(token: number): void {
    const size = Math.max(token + 1, this.#counts.length * 2);
    this.#counts = enlarged(this.#counts, new Uint32Array(size));
    this.#met = enlarged(this.#met, new Uint32Array(size));
  }
}
