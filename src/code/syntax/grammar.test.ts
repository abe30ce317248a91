import { execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

/** In a thread of its own, where no grammar is loaded yet. */
const script = `
  import { parentPort } from "node:worker_threads";
  const { extract } = await import("${import.meta.resolve("./extract.ts")}");
  const { languageNamed } = await import("${import.meta.resolve("../languages/languages.ts")}");
  const texts = { Bash: "f() { true; }", Python: "def f(): pass", Go: "package a\\nfunc f() {}" };
  const parsed = await Promise.all(
    Object.entries(texts).map(async ([name, text]) => (await extract(text, languageNamed(name))).declarations),
  );
  parentPort.postMessage(parsed.map((declarations) => declarations.map(({ name }) => name).at(-1)));
`;

test("grammars that are needed for the first time at the same moment all work", async () => {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  try {
    expect((await once(worker, "message"))[0]).toEqual(["f", "f", "f"]);
  } finally {
    await worker.terminate();
  }
});

/** Parses much C++ in a process of its own, which prints what is compiled, and optimises at once what it would later. */
const optimising = `
  import { setFlagsFromString } from "node:v8";
  const { grammarOf } = await import("${import.meta.resolve("./grammar.ts")}");
  const { cpp } = await import("${import.meta.resolve("../languages/cpp.ts")}");
  const { releaseMemory } = await import("${import.meta.resolve("../word-index/release-memory.ts")}");
  const { parser } = await grammarOf(cpp);
  releaseMemory();
  for (const flag of ["trace-wasm-compilation-times", "wasm-sync-tier-up"]) setFlagsFromString("--" + flag);
  const text = 'template <class T> int f(const T &a) { return a.size() + 0x1F * sizeof("text"); }\\n'.repeat(200);
  for (let i = 0; i < 40; i++) parser.parse(text).delete();
`;

test("the parser is optimised, but not the huge lexer of a grammar, although that is loaded first", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", optimising]);
  const sizes = [...stdout.matchAll(/using TurboFan.*; bodysize (\d+)/g)].map(([, size]) => Number(size));
  const largest = Math.max(...sizes);
  expect(largest, "bytes of the parser's largest function").toBeGreaterThan(20_000);
  expect(largest, "bytes of the lexer").toBeLessThan(50_000);
});
