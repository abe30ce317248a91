import { expect, test } from "vitest";
import { unfoldedLines } from "./unfolded-lines.ts";

const body = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `    ${name}${index}();`);

/** A function with three branches, of which one speaks of the refund. */
const lines = [
  "function handle(order) {",
  "  const total = sum(order);",
  "  if (order.isNew) {",
  ...body("create", 20),
  "  }",
  "  if (order.isCancelled) {",
  "    const refund = refundOf(order);",
  "    pay(refund);",
  "  }",
  "  for (const item of order.items) {",
  ...body("ship", 20),
  "  }",
  "  return total;",
  "}",
];

const about = (word: string) => (line: string) => (line.includes(word) ? [word] : []);
const shown = (ranges: readonly [number, number][]) =>
  ranges.flatMap(([first, last]) => lines.slice(first - 1, last).map((line) => line.trim()));

test("blocks that hold nothing about the question are folded below their first line", () => {
  const text = shown(unfoldedLines(lines, about("refund")));
  expect(text).toContain("const refund = refundOf(order);");
  expect(text).toContain("pay(refund);");
  expect(text).toContain("if (order.isNew) {");
  expect(text).toContain("for (const item of order.items) {");
  expect(text).toContain("return total;");
  expect(text).not.toContain("create3();");
  expect(text).not.toContain("ship3();");
});

test("a line that names what is read together is never folded", () => {
  const text = shown(unfoldedLines(lines, about("refund"), (line) => line.includes("ship7")));
  expect(text).toContain("ship7();");
  expect(text).not.toContain("create3();");
});

test("nothing is folded where that would leave out little", () => {
  expect(unfoldedLines(lines.slice(0, 3), about("nothing"))).toEqual([[1, 3]]);
  const flat = ["def f():", ...Array.from({ length: 10 }, (_, index) => `  about_${index}()`)];
  expect(unfoldedLines(flat, about("about"))).toEqual([[1, 11]]);
});

test("the one block that is nearly the whole text is opened", () => {
  const wrapped = [
    "const tool = make(",
    "  async () => {",
    ...lines.map((line) => `    ${line}`),
    "  },",
    ");",
  ];
  const [[, last] = [0, 0]] = unfoldedLines(wrapped, about("refund"));
  expect(last).toBeGreaterThan(3);
});

test("the branch that has a word of the question stays, however deep and however little it says; a word of every line tells nothing", () => {
  const work = [
    "def close(order):",
    ...body("order_part", 30).map((line) => line.replace(";", "")),
    "    for one in parts(order):",
    ...body("order_step", 12).map((line) => `    ${line.replace(";", "")}`),
    "        if one.late:",
    '            logger.debug("refund of it")',
    "    return order",
  ];
  const words = (line: string) => ["refund", "order"].filter((word) => line.includes(word));
  const texts = unfoldedLines(work, words).flatMap(([first, last]) => work.slice(first - 1, last));
  expect(texts).toContain("        if one.late:");
  expect(texts).toContain('            logger.debug("refund of it")');
  expect(texts.join("\n")).not.toContain("order_part20");
  expect(texts.join("\n")).not.toContain("order_step5");
});

test("the last lines of folded blocks stay, and a single line is not left out", () => {
  const work = [
    "function f() {",
    "  if (a) {",
    ...body("keep", 15),
    "  }",
    "",
    "  const one = 1;",
    "  for (const b of all) {",
    ...body("ship", 15),
    "  }",
    "  refund();",
    "}",
  ];
  const ranges = unfoldedLines(work, about("refund"));
  expect(ranges).toEqual([
    [1, 2],
    [18, 21],
    [37, 39],
  ]);
});

test("the words of a long text are not the code that is asked for; documentation is", () => {
  const prompt = Array.from({ length: 20 }, (_, i) => `        tell about the refund ${i}`);
  const work = [
    "def ask(order):",
    '    """',
    "    Asks for the refund.",
    '    """',
    '    text = f"""',
    ...prompt,
    '    """',
    ...body("prepare", 30).map((line) => line.replace(";", "")),
    "    return pay_refund(text)",
  ];
  const texts = unfoldedLines(work, about("refund")).flatMap(([first, last]) => work.slice(first - 1, last));
  expect(texts).toContain("    Asks for the refund.");
  expect(texts).toContain("    return pay_refund(text)");
  expect(texts.join("\n")).not.toContain("refund 12");
});

test("a comment speaks of the block below it", () => {
  const text = (comment: string) => {
    const work = ["function f() {", comment, "  for (const one of all) {", ...body("keep", 15), "  }"];
    const rest = ["  if (other) {", ...body("ship", 60), "  }", "}"];
    const all = [...work, ...rest];
    return unfoldedLines(all, about("refund"))
      .flatMap(([first, last]) => all.slice(first - 1, last))
      .join("\n");
  };
  expect(text("  // Keeps those with a refund.")).toContain("keep7");
  expect(text("  // Keeps some.")).not.toContain("keep7");
});
