import { parentPort, workerData } from "node:worker_threads";
import { Failure } from "../../failure/failure.ts";
import { sourceText } from "../../text/encoding.ts";
import { indexFolder } from "../files/workspace-files.ts";
import { languageNamed } from "../languages/languages.ts";
import { releaseMemory } from "../word-index/release-memory.ts";
import { contentHash, readerBelow } from "../word-index/segment-reading.ts";
import { extract } from "./extract.ts";
import { type EncodedSyntax, encodeSyntax } from "./syntax-code.ts";
import { SyntaxStore } from "./syntax-store.ts";

/** Reads, parses and stores beside the main thread, batch by batch: all that comes back is what is done. */
export interface ParseSetting {
  root: string;
  indexFolder: string;
}

export interface PendingFile {
  path: string;
  /** Of its content, which `key` belongs to: a file that has changed since is left to the next time. */
  hash: string;
  key: string;
  language: string;
  size: number;
}

export type ParseRequest = PendingFile[];
export interface ParseReply {
  /** Of what is stored now. */
  keys: string[];
  /** This thread holds much memory: another one should go on. */
  isFull: boolean;
}

/** The parser's memory grows with the largest text and never shrinks. */
const mostParserMemory = 64_000_000;
/** What large texts leave is not collected for long. */
const mostHeap = 64_000_000;

const { root, indexFolder: folder } = workerData as ParseSetting;
const { read } = readerBelow(root);
const store = new SyntaxStore(indexFolder(folder));

parentPort?.on("message", (batch: ParseRequest) => {
  parseAndStore(batch).then(
    (keys) => {
      const { external, heapTotal } = process.memoryUsage();
      if (heapTotal > mostHeap) releaseMemory();
      parentPort?.postMessage({ keys, isFull: external > mostParserMemory } satisfies ParseReply);
    },
    () => process.exit(1),
  );
});

async function parseAndStore(batch: ParseRequest): Promise<string[]> {
  const parsed: [string, EncodedSyntax | undefined][] = [];
  for (const { path, hash, key, language: name } of batch) {
    const bytes = read(path);
    const language = languageNamed(name);
    if (!bytes || !language || contentHash(bytes) !== hash) continue;
    try {
      parsed.push([key, encodeSyntax(await extract(await sourceText(bytes), language))]);
    } catch (error) {
      // What takes the parser too long is not tried again; whatever else went wrong is.
      if (error instanceof Failure && error.code === "TOO_LARGE") parsed.push([key, undefined]);
    }
  }
  if (parsed.length > 0) store.put(parsed);
  return parsed.map(([key]) => key);
}
