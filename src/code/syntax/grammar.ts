import { setFlagsFromString } from "node:v8";
import type { Parser, Query } from "web-tree-sitter";
import { rememberSuccess } from "../../failure/remember-success.ts";
import type { Language } from "../languages/language.ts";

/** A parser with one language's grammar and query. Made once per process and language. */
export interface Grammar {
  parser: Parser;
  query: Query;
}

/** Loads the runtime and the grammar on first use: a command that parses nothing pays nothing. */
export const grammarOf: (language: Language) => Promise<Grammar> = rememberSuccess(load);

async function load(language: Language): Promise<Grammar> {
  const treeSitter = await import("web-tree-sitter");
  await treeSitter.Parser.init();
  const file = new URL(import.meta.resolve(language.grammar));
  const grammar = await treeSitter.Language.load(decodeURIComponent(file.pathname));
  const parser = new treeSitter.Parser();
  parser.setLanguage(grammar);
  if (language.hasHugeLexer) withoutOptimizing(() => parser.parse("x\n")?.delete());
  return { parser, query: new treeSitter.Query(grammar, language.query) };
}

/** A function is compiled when it is first called: whether it may be optimised later is decided then, for good. */
function withoutOptimizing(firstCall: () => void): void {
  const flags = ["wasm-dynamic-tiering", "wasm-tier-up"];
  for (const flag of flags) setFlagsFromString(`--no-${flag}`);
  try {
    firstCall();
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`);
  }
}
