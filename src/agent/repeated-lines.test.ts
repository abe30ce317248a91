import { expect, test } from "vitest";
import { withoutRepeatedLines } from "./repeated-lines.ts";

const lines = (from: number, to: number, word = "code") =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\t  ${word}${from + i}();`).join("\n");
const search = (text: string) => ({ tool: "search_code", text });

test("lines that an earlier result shows are named, not sent again, whatever tool showed them", () => {
  const earlier = [search(`src/a.ts:1-10 first\n${lines(1, 10)}\n\nsrc/b.ts: 4-6 other`)];
  const read = { tool: "batch_read", text: `== src/a.ts\n${lines(1, 14)}` };
  expect(withoutRepeatedLines(read, earlier)).toBe(`== src/a.ts\n… 1-10 shown above\n${lines(11, 14)}`);
});

test("another file, a changed line, a few lines and the results of other tools are sent", () => {
  const earlier = [search(`src/a.ts:1-10 first\n${lines(1, 10)}`)];
  const elsewhere = `== src/b.ts\n${lines(1, 10)}`;
  expect(withoutRepeatedLines({ tool: "batch_read", text: elsewhere }, earlier)).toBe(elsewhere);
  const changed = `== src/a.ts\n${lines(2, 4)}\n${lines(5, 6, "new")}\n${lines(8, 10)}`;
  expect(withoutRepeatedLines({ tool: "batch_read", text: changed }, earlier)).toBe(changed);
  const few = `== src/a.ts\n${lines(8, 10)}`;
  expect(withoutRepeatedLines({ tool: "batch_read", text: few }, earlier)).toBe(few);
  const file = `== src/a.ts\n${lines(1, 10)}`;
  expect(withoutRepeatedLines({ tool: "read_file", text: file }, earlier)).toBe(file);
});

test("of two searches the second shows only the places that the first did not, and names the others", () => {
  const first = search("src/a.ts\n 3 open (4)\n  4: x\n 9 Store.close (2)\n  10: y\nsrc/b.ts\n 1 main (3)");
  const second = search(
    "src/b.ts\n 1 main (3)\n  2: z\nsrc/a.ts\n 9 Store.close (2)\n  10: w\n 20 late (5)\n  21: v",
  );
  expect(withoutRepeatedLines(second, [first])).toBe(
    "src/a.ts\n 20 late (5)\n  21: v\nlisted above: src/b.ts:1 main, src/a.ts:9 Store.close",
  );
  expect(withoutRepeatedLines(first, [])).toBe(first.text);
});

test("what a place calls goes with it", () => {
  const first = search("src/a.ts\n 3 open (4)\n  4: x\n  → read (9)\nsrc/b.ts\n 1 main (3)");
  const second = search(
    "src/a.ts\n 3 open (4)\n  5: y\n  → read (9)\nsrc/c.ts\n 2 late (5)\n  3: z\n  → wait (8)",
  );
  expect(withoutRepeatedLines(second, [first])).toBe(
    "src/c.ts\n 2 late (5)\n  3: z\n  → wait (8)\nlisted above: src/a.ts:3 open",
  );
});

test("matching lines that were read before are named; others and changed ones are sent", () => {
  const read = { tool: "batch_read", text: `== src/a.ts\n${lines(1, 10)}` };
  const text =
    "5 matches in 2 files\nsrc/a.ts (first 4 of 9)\n  2: [open] code2();\n  3:     code3();\n  8: other8();\n  12: code12();\nsrc/b.ts\n  2: code2();";
  expect(withoutRepeatedLines({ tool: "grep", text }, [read])).toBe(
    "5 matches in 2 files\nsrc/a.ts (first 4 of 9)\n  2, 3: shown above\n  8: other8();\n  12: code12();\nsrc/b.ts\n  2: code2();",
  );
});

test("a line is known only as it stands; what stands further up in the same result is not sent twice", () => {
  const text = `== src/a.ts one\n${lines(1, 8)}\n== src/b.ts two\n${lines(1, 8)}\n== src/a.ts three\n${lines(5, 10)}`;
  expect(withoutRepeatedLines({ tool: "batch_read", text }, [])).toBe(
    `== src/a.ts one\n${lines(1, 8)}\n== src/b.ts two\n${lines(1, 8)}\n== src/a.ts three\n… 5-8 shown above\n${lines(9, 10)}`,
  );
  const shallow = `== src/a.ts\n${lines(1, 8).replaceAll("\t  ", "\t")}`;
  expect(withoutRepeatedLines({ tool: "batch_read", text: shallow }, [{ tool: "batch_read", text }])).toBe(
    shallow,
  );
});

test("what nobody asked for and is shown above has no section of its own; what a definition shows is known", () => {
  const shown = { tool: "definition", text: `one\nLocation: src/a.ts:1-8\n${lines(1, 8)}` };
  const text = `== src/b.ts two\n${lines(1, 3)}\n== src/a.ts one (called above)\n${lines(1, 8)}\n== calls, by signature`;
  expect(withoutRepeatedLines({ tool: "batch_read", text }, [shown])).toBe(
    `== src/b.ts two\n${lines(1, 3)}\n== calls, by signature`,
  );
  const asked = `== src/a.ts one\n${lines(1, 8)}`;
  expect(withoutRepeatedLines({ tool: "batch_read", text: asked }, [shown])).toBe(
    "== src/a.ts one\n… 1-8 shown above",
  );
});
