import { afterEach, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { type TestWield, testWield, yes } from "../../testing/testing.ts";
import { parseNotebook } from "./notebook.ts";

const open: TestWield[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});
const approving = { approve: () => yes };

const cells = [
  { cell_type: "markdown", id: "intro", metadata: {}, source: ["# Sales\n", "By month."] },
  {
    cell_type: "code",
    execution_count: 3,
    id: "load",
    metadata: { tags: ["é\u2028"] },
    outputs: [
      { name: "stdout", output_type: "stream", text: Array.from({ length: 30 }, (_, i) => `row ${i}\n`) },
      {
        data: { "image/png": "aGk=", "text/plain": ["<Figure>"] },
        metadata: {},
        output_type: "display_data",
      },
    ],
    source: ["import csv\n", "rows = list(csv.reader(open('a.csv')))\n", "len(rows)"],
  },
  {
    ...{ cell_type: "code", execution_count: null, id: "fail", metadata: {}, source: [] },
    outputs: [{ ename: "KeyError", evalue: "'x'", output_type: "error", traceback: ["…"] }],
  },
];
const written = (indent: number, value: unknown = cells) =>
  `${JSON.stringify({ cells: value, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 }, null, indent)}\n`;

async function start(content = written(1)) {
  const made = await testWield({ "a.ipynb": content }, approving);
  open.push(made);
  return made;
}

test("read_file shows the cells, their outputs in short", async () => {
  const test = await start();
  expect((await test.wield.call("read_file", { path: "a.ipynb" })).text).toBe(
    [
      "Notebook with 3 cells, python",
      "=== cell 0 (id intro): markdown",
      "# Sales",
      "By month.",
      "=== cell 1 (id load): code, run 3",
      "import csv",
      "rows = list(csv.reader(open('a.csv')))",
      "len(rows)",
      "--- output",
      ...Array.from({ length: 10 }, (_, i) => `row ${i}`),
      "… 20 more lines",
      "--- output",
      "<Figure>",
      "(image/png)",
      "=== cell 2 (id fail): code",
      "--- output",
      "KeyError: 'x'",
    ].join("\n"),
  );
  const part = await test.wield.call("read_file", { path: "a.ipynb", startLine: 6, numLines: 1 });
  expect(part.text).toBe("import csv");
});

test("a file that only has the name is read as the text that it is", async () => {
  const test = await start("{not json\n");
  expect((await test.wield.call("read_file", { path: "a.ipynb" })).text).toBe("1\t{not json");
  const { result } = await test.wield.call("edit_notebook", { path: "a.ipynb", cell: 0, source: "x" });
  expect(result).toMatchObject({ error: { code: "INVALID_INPUT" } });
});

test("a cell's source is replaced, by id or number, whole or in part; the rest stays byte for byte", async () => {
  const test = await start();
  await test.wield.call("edit_notebook", { path: "a.ipynb", cell: "load", source: "rows = []\nlen(rows)\n" });
  const expected = structuredClone(cells);
  if (expected[1]) expected[1].source = ["rows = []\n", "len(rows)\n"];
  expect(test.read("a.ipynb")).toBe(written(1, expected));

  const edits = [{ oldText: "By month.", newText: "By week." }];
  const { text } = await test.wield.call("edit_notebook", { path: "a.ipynb", cell: 0, edits });
  if (expected[0]) expected[0].source = ["# Sales\n", "By week."];
  expect(test.read("a.ipynb")).toBe(written(1, expected));
  expect(text).toContain("changed a.ipynb (+1 −1); undo ");
  await test.wield.call("undo", { steps: 2 });
  expect(test.read("a.ipynb")).toBe(written(1));
});

test("cells are inserted and deleted, at the beginning, in the middle and at the end", async () => {
  const test = await start();
  const sources = () => parseNotebook(Buffer.from(test.read("a.ipynb")))?.cells.map(({ source }) => source);
  const before = sources() ?? [];
  await test.wield.call("edit_notebook", { path: "a.ipynb", action: "insert", cell: 2, source: "last" });
  await test.wield.call("edit_notebook", {
    ...{ path: "a.ipynb", action: "insert", cell: -1 },
    ...{ source: "# First", type: "markdown" },
  });
  expect(sources()).toEqual(["# First", ...before, "last"]);
  const inserted = parseNotebook(Buffer.from(test.read("a.ipynb")));
  expect(inserted?.cells[0]?.id).toMatch(/^[0-9a-f]{8}$/);
  expect(inserted?.cells.at(-1)).toMatchObject({ cell_type: "code", execution_count: null, outputs: [] });
  for (const cell of [4, 0])
    await test.wield.call("edit_notebook", { path: "a.ipynb", action: "delete", cell });
  expect(test.read("a.ipynb")).toBe(written(1));
  for (let left = 3; left > 0; left--)
    await test.wield.call("edit_notebook", { path: "a.ipynb", action: "delete", cell: 0 });
  await test.wield.call("edit_notebook", { path: "a.ipynb", action: "insert", cell: -1, source: "only\n" });
  expect(sources()).toEqual(["only\n"]);
});

test("a cell that is not there is told with those that are", async () => {
  const test = await start();
  const { text } = await test.wield.call("edit_notebook", { path: "a.ipynb", cell: 7, source: "x" });
  expect(text).toContain("There is no cell 7. The cells are 0 to 2.");
});

test("whatever the source and the form of the file, one cell changes and all else stays", async () => {
  const test = await start();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 1, 2, 4),
      fc.nat(2),
      fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 5 }),
      fc.boolean(),
      async (indent, cell, lines, asString) => {
        const source = lines.join("\n");
        fc.pre(source !== "" && source.isWellFormed() && !source.includes("\0"));
        const form = (text: string) => (asString ? text : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []));
        const all = cells.map((each) => ({ ...each, source: form([each.source].flat().join("")) }));
        fc.pre([all[cell]?.source].flat().join("") !== source);
        test.write("a.ipynb", written(indent, all));
        const { result } = await test.wield.call("edit_notebook", { path: "a.ipynb", cell, source });
        expect(result.ok).toBe(true);
        const now = JSON.parse(test.read("a.ipynb"));
        expect([now.cells[cell].source].flat().join("")).toBe(source);
        now.cells[cell].source = all[cell]?.source;
        expect(now).toEqual(JSON.parse(written(indent, all)));
      },
    ),
    { numRuns: 25 },
  );
});
