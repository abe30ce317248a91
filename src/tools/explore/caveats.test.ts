// What an answer says about uses that have no name.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";

let place: TestWield;
beforeAll(async () => {
  place = await testWield({
    "B.kt": [
      "class B {",
      "  operator fun plus(b: B) = b",
      "  fun named(b: B) = b + b",
      "  fun minus(b: B) = b",
      "}",
      "fun interface Pred { fun test(x: Int): Boolean }",
      "interface Wide { fun one(x: Int): Boolean }",
    ].join("\n"),
    "Num.scala":
      "class Num\nobject Num { def apply(i: Int) = new Num; def unapply(n: Num) = 1; def plain = 2 }\n",
    "Fn.java":
      "interface Fn { int go(int i); default int twice(int i) { return go(go(i)); } }\ninterface Two { int a(); int b(); }\nclass Impl implements Fn { public int go(int i) { return i; } }\n",
    "v.cpp": "struct V { V operator+(const V& o) const { return o; } };\n",
    "p.py": "class P:\n    def __add__(self, other):\n        return self\n",
  });
});
afterAll(() => place.close());

const ask = async (tool: string, input: Record<string, unknown>) =>
  (await place.wield.callAny(tool, input)).text;

test.each([
  ["B.plus", "a + b"],
  ["Num.apply", "a(b)"],
  ["Num.unapply", "case a(b)"],
  ["V.operator+", "a + b"],
  ["P.__add__", "a + b"],
])("%s is also called without its name", async (symbol, way) => {
  for (const text of [
    await ask("references", { symbol }),
    await ask("graph", { operation: "callers", target: symbol }),
  ]) {
    expect(text).toContain("Calls by operators (");
    expect(text).toContain(way);
    expect(text).not.toContain("all found");
  }
});

test.each(["B.minus", "Num.plain", "B.named"])("%s is called by its name", async (symbol) => {
  expect(await ask("references", { symbol })).not.toContain("Calls by operators");
});

test("an interface of one method may be implemented by a function without a name", async () => {
  const implementations = (target: string) => ask("graph", { operation: "implementations", target });
  for (const target of ["Fn", "Fn.go", "Pred", "Pred.test"]) {
    expect(await implementations(target)).toContain("Lambdas and method references are not counted.");
    expect(await implementations(target)).not.toContain("all found");
  }
  for (const target of ["Two", "Wide", "Fn.twice"])
    expect(await implementations(target)).not.toContain("Lambdas");
});
