import { parentPort } from "node:worker_threads";
import { extract } from "./extract.ts";
import { languageNamed } from "./languages/languages.ts";
import { type EncodedSyntax, encodeSyntax } from "./syntax-code.ts";

/** Parses beside the main thread: one message in, one message out, in any order. */
export interface ParseRequest {
  key: string;
  language: string;
  bytes: Uint8Array;
}

export interface ParseReply {
  key: string;
  /** Null when the text could not be parsed in time. */
  syntax: EncodedSyntax | null;
}

parentPort?.on("message", ({ key, language: name, bytes }: ParseRequest) => {
  const language = languageNamed(name);
  const parsed = language
    ? extract(Buffer.from(bytes).toString(), language).then(encodeSyntax)
    : Promise.resolve(null);
  parsed
    .catch(() => null)
    .then((syntax) => parentPort?.postMessage({ key, syntax } satisfies ParseReply))
    .catch(() => process.exit(1));
});
