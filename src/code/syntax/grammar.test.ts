import { once } from "node:events";
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
