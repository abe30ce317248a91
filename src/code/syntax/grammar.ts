import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { zstdDecompressSync } from "node:zlib";
import type { Parser, Query } from "web-tree-sitter";
import { rememberSuccess } from "../../failure/remember-success.ts";
import { shipped } from "../../workspace/shipped.ts";
import { readIfThere } from "../../workspace/state-files.ts";
import type { Language } from "../languages/language.ts";
import { lua } from "../languages/lua.ts";
import { oneThreadAtATime } from "../word-index/one-thread-at-a-time.ts";

/** A parser with one language's grammar and query. Made once per process and language. */
export interface Grammar {
  parser: Parser;
  query: Query;
}

const isCheckout = import.meta.url.endsWith(".ts");

/** The package paths of the parser's WebAssembly file and of a language's grammar: one package has all grammars. */
export const parserFile = "web-tree-sitter/web-tree-sitter.wasm";
export function grammarFile({ grammar }: Language): string {
  return `tree-sitter-wasm/${grammar}/tree-sitter-${grammar}.wasm`;
}

/** Loads the runtime and the grammar on first use: a command that parses nothing pays nothing. */
export const grammarOf: (language: Language) => Promise<Grammar> = rememberSuccess(load);

/** Once for all grammars: two at the same time would make two runtimes, and a grammar works only in its own. */
const runtime = rememberSuccess(async () => {
  const treeSitter = await import("web-tree-sitter");
  await treeSitter.Parser.init({ locateFile: () => wasmFile(parserFile) });
  return treeSitter;
});

async function load(language: Language): Promise<Grammar> {
  const treeSitter = await runtime();
  const grammar = await treeSitter.Language.load(grammarBytes(language));
  const parser = new treeSitter.Parser();
  parser.setLanguage(grammar);
  if (language.hasHugeLexer) {
    await compileRuntime();
    oneThreadAtATime(() => withoutOptimizing(() => parser.parse("x\n")?.delete()));
  }
  return { parser, query: new treeSitter.Query(grammar, language.query) };
}

/** What all grammars share, by parsing a text of the smallest one, with an error in it. */
async function compileRuntime(): Promise<void> {
  const { parser } = await grammarOf(lua);
  parser.parse("local x = f(1)\n)\n")?.delete();
}

/** In a checkout the file of a package; the build copies the ones in use. */
function wasmFile(file: string): string {
  const url = isCheckout ? import.meta.resolve(file) : shipped("", `grammars/${basename(file)}`);
  return fileURLToPath(url);
}

/** The build compresses the grammars: 30 MB become 2, and reading one takes a few milliseconds. */
function grammarBytes(language: Language): Uint8Array {
  const file = wasmFile(isCheckout ? grammarFile(language) : `${grammarFile(language)}.zst`);
  const bytes = readIfThere(file);
  if (!bytes) throw new Error(`The grammar ${file} is missing. Install Wield again.`);
  return isCheckout ? bytes : zstdDecompressSync(bytes);
}

/**
 * A function is compiled when it is first called: whether it may be optimised later is decided then, for good, unless the
 * engine is short of memory and drops what it has compiled.
 */
function withoutOptimizing(firstCall: () => void): void {
  setFlagsFromString("--no-flush-liftoff-code");
  const flags = ["wasm-dynamic-tiering", "wasm-tier-up"];
  for (const flag of flags) setFlagsFromString(`--no-${flag}`);
  try {
    firstCall();
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`);
  }
}
