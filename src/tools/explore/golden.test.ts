import { utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";
import { exploreTools } from "./explore.ts";
import { goldenProject } from "./golden-project.suite.ts";

/** For every tool: a call that finds nothing, a usual one, and one that finds very much. */
const cases: Record<string, [nothing: object, usual: object, much: object]> = {
  search_code: [
    { query: "zebra crossing" },
    { query: "where is an order with a negative total refused" },
    { query: "handle an event with the registry" },
  ],
  definition: [
    { symbol: "FileOrderStor" },
    { symbols: ["FileOrderStore.load", "OrderStore"] },
    { symbol: "Handler" },
  ],
  references: [{ symbol: "Nowhere" }, { symbol: "FileOrderStore" }, { symbol: "LargeRegistry" }],
  graph: [
    { operation: "callers", target: "main" },
    { operation: "callers", target: "readRows" },
    { operation: "importers", target: "many/large.ts" },
  ],
  symbols: [{ file: "empty.ts" }, { file: "src/store/store.ts" }, { file: "many/large.ts" }],
  search_types: [{ pattern: "Zebra*" }, { pattern: "*Store" }, { pattern: "Handler*" }],
  grep: [
    { pattern: "zebra" },
    { pattern: "total", include: "*.ts", context: 1, limit: 4 },
    { pattern: "registry", path: "many" },
  ],
  search_files: [{ pattern: "zebra" }, { pattern: "negative" }, { pattern: "registry" }],
  glob: [{ pattern: "*.zebra" }, { pattern: "src/**/*.ts" }, { pattern: "*.ts" }],
  find_files: [{ pattern: "*.zebra" }, { pattern: "src/**/*.ts" }, { pattern: "*.ts" }],
  find_definition: [{ symbol: "zebra" }, { symbol: "readRows" }, { symbol: "Handler" }],
  find_importers: [
    { modulePath: "src/app.ts" },
    { modulePath: "src/store/store.ts" },
    { modulePath: "many/large.ts" },
  ],
  tree: [{ path: "nothing" }, { path: "src" }, { path: ".", depth: 3 }],
  read: [
    { file: "source/store.ts" },
    { file: "src/rows/rows.ts", start_line: 2, num_lines: 4 },
    { file: "many/long.txt", num_lines: 900 },
  ],
  batch_read: [
    { reads: [{ symbol: "Zebra" }] },
    { reads: [{ symbol: "OrderStore" }, { file: "src/app.ts", start_line: 3, num_lines: 3 }] },
    {
      reads: [
        { file: "many/long.txt", num_lines: 300 },
        { symbol: "LargeRegistry" },
        { file: "many/large.ts" },
      ],
    },
  ],
  read_file: [{ path: "src/stor.ts" }, { path: "README.md" }, { path: "many/long.txt" }],
  list_directory: [{ path: "nothing" }, { path: "src" }, { path: "many" }],
  list_files: [{ path: "nothing" }, { path: "src" }, { path: "many" }],
};

let place: TestWield;
beforeAll(async () => {
  place = await testWield({ ...goldenProject, "nothing/.keep": "", "empty.ts": "" });
  // One time for all: listings show it, and glob goes by it.
  for (const file of Object.keys(goldenProject))
    utimesSync(join(place.root, file), 1_700_000_000, 1_700_000_000);
  await (await place.wield.code()).build({ threads: 1 });
});
afterAll(() => place.close());

test("every tool that explores has its golden texts", () => {
  const exploring = Object.keys(exploreTools).filter((name) => name !== "rename_symbol");
  expect(Object.keys(cases)).toEqual(expect.arrayContaining(exploring));
});

/** To accept a change: `npx vitest run src/tools/explore/golden.test.ts -u`, and read the diff as a model would. */
test.each(Object.keys(cases))("%s: nothing found, a usual answer, very much", async (tool) => {
  const texts: string[] = [];
  for (const [index, input] of (cases[tool] ?? []).entries()) {
    const { text } = await place.wield.callAny(tool, input);
    texts.push(
      `━━ ${["nothing", "usual", "very much"][index]}: ${tool}(${JSON.stringify(input)})\n${steady(text)}\n`,
    );
  }
  await expect(texts.join("\n")).toMatchFileSnapshot(`golden/${tool}.txt`);
});

/** Without what differs from run to run: ids of calls, times of directories. */
function steady(text: string): string {
  return text.replace(/"id":"[^"]+"/g, '"id":"…"').replace(/\d{4}-\d\d-\d\dT\d\d:\d\d/g, "2023-11-14T22:13");
}
