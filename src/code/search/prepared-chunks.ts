import { sourceText } from "../../text/encoding.ts";
import type { Project } from "../project/project.ts";
import { type Declaration, type FileSyntax, isQuiet } from "../syntax/syntax.ts";
import { eachWord } from "../word-index/each-word.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import { contentHash } from "../word-index/segment-reading.ts";
import { enlarged } from "../word-index/term-table.ts";
import { Vocabulary } from "../word-index/vocabulary.ts";
import { type Chunk, chunksOf } from "./chunks.ts";

/** A file cut into chunks, with what ranking asks of them counted once. Sub-tokens go by number. */
export interface PreparedFile {
  lines: readonly string[];
  chunks: PreparedChunk[];
  /** All declarations of the file; none for a file that is not parsed. */
  declarations: readonly Declaration[];
  /** The different sub-tokens of each chunk, chunk after chunk, and how often each stands there. */
  tokens: Uint32Array;
  counts: Uint8Array;
}

export interface PreparedChunk extends Chunk {
  symbol?: Declaration;
  /** False for import blocks, licence headers and comments alone. */
  isCode: boolean;
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

/** The chunks of files, by content, whichever project they are of; those asked for last are kept. */
export class PreparedChunks {
  readonly #kept = new Map<string, { file: PreparedFile; size: number }>();
  #size = 0;
  #vocabulary = new Vocabulary();
  #counter = new Counter();
  #questions = 0;

  /** The vocabulary tells what the numbers in the files that are given during `question` mean. */
  async during<T>(question: (vocabulary: Vocabulary) => Promise<T>): Promise<T> {
    if (this.#questions === 0 && this.#vocabulary.size > keptWords) {
      this.#vocabulary = new Vocabulary();
      this.#kept.clear();
      this.#size = 0;
    }
    this.#questions++;
    try {
      return await question(this.#vocabulary);
    } finally {
      this.#questions--;
    }
  }

  async of(project: Project, file: IndexedFile): Promise<PreparedFile | undefined> {
    const kept = this.#kept.get(file.hash);
    if (kept) {
      this.#kept.delete(file.hash);
      this.#kept.set(file.hash, kept);
      return kept.file;
    }
    const bytes = await project.bytes(file.path).catch(() => undefined);
    if (!bytes) return undefined;
    const prepared = this.#prepare(
      await sourceText(bytes),
      file.language ? await project.syntax(file) : undefined,
    );
    // Cut without its declarations because it is not parsed yet, or no longer what was indexed: next time better.
    if (project.isPending(file) || contentHash(bytes) !== file.hash) return prepared;
    this.#kept.set(file.hash, { file: prepared, size: bytes.length });
    this.#size += bytes.length;
    for (const [hash, { size }] of this.#kept) {
      if (this.#size <= keptText) break;
      this.#kept.delete(hash);
      this.#size -= size;
    }
    return prepared;
  }

  #prepare(text: string, syntax: FileSyntax | undefined): PreparedFile {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const hasCode = codeLines(text, lines, syntax);
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
      const isCode = hasCode(chunk.startLine, chunk.endLine);
      return { ...chunk, ...(symbol && { symbol }), isCode, last: 0, length: 0, declares };
    });
    return {
      lines,
      chunks,
      declarations: syntax?.declarations ?? [],
      ...this.#counter.count(Buffer.from(text), chunks, this.#vocabulary),
    };
  }
}

/** Tells whether a stretch has a line that is neither import, comment, text nor a mere bracket. */
function codeLines(text: string, lines: readonly string[], syntax: FileSyntax | undefined) {
  if (!syntax) return () => true;
  const counts = new Uint32Array(lines.length + 2);
  const importing = new Set<number>();
  for (const { line, start, end } of syntax.imports) {
    const more = text.slice(start, end).split("\n").length - 1;
    for (let i = line; i <= line + more; i++) importing.add(i);
  }
  let offset = 0;
  for (const [index, line] of lines.entries()) {
    const indent = line.length - line.trimStart().length;
    const isCode =
      /\w/.test(line) &&
      !importing.has(index + 1) &&
      !/^\s*(?:package\s+[\w.]+;?|import\s*\(|mod\s+\w+;|namespace\s+[\w.]+;)\s*$/.test(line) &&
      !isQuiet(syntax, offset + indent);
    counts[index + 1] = (counts[index] ?? 0) + (isCode ? 1 : 0);
    offset += line.length + 1;
  }
  return (first: number, last: number) => (counts[last] ?? 0) > (counts[first - 1] ?? 0);
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
    this.#counts = enlarged(this.#counts, size);
    this.#met = enlarged(this.#met, size);
  }
}
