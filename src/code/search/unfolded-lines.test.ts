import { expect, test } from "vitest";
import { folds, unfoldedLines } from "./unfolded-lines.ts";

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

const about = (word: string) => (line: string) => (line.includes(word) ? 1 : 0);
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

test("messages for a log go first and count for nothing; what is printed for a user stays", () => {
  const work = [
    "def close(order):",
    ...body("prepare", 30).map((line) => line.replace(";", "")),
    "    if order.late:",
    '        logger.debug("refund of %s", order)',
    "        pay_back(order)",
    '        print("refund")',
    "    return order",
  ];
  const texts = unfoldedLines(work, about("refund")).flatMap(([first, last]) => work.slice(first - 1, last));
  expect(texts).toContain('        print("refund")');
  expect(texts).toContain("        pay_back(order)");
  expect(texts.join("\n")).not.toContain("logger");
  expect(texts.join("\n")).not.toContain("prepare20");
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
    return unfoldedLines(all, about("refund"), undefined, folds.at(-1))
      .flatMap(([first, last]) => all.slice(first - 1, last))
      .join("\n");
  };
  expect(text("  // Keeps those with a refund.")).toContain("keep7");
  expect(text("  // Keeps some.")).not.toContain("keep7");
});
