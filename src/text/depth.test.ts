import { expect, test } from "vitest";
import { byDepth } from "./depth.ts";

test("one space for each level, whatever the indentation is made of", () => {
  const shown = ["if a:", " b()", "", " if c:", "  d()"];
  const with4 = ["        if a:", "            b()", "", "            if c:", "                d()  "];
  expect(byDepth(with4)).toEqual(shown);
  expect(byDepth(["\t\tif a:", "\t\t\tb()", "", "\t\t\tif c:", "\t\t\t\td()"])).toEqual(shown);
  expect(byDepth(["if a:", "  b()", "", "  if c:", "    d()"])).toEqual(shown);
});

test("lines that are not indented, and none at all", () => {
  expect(byDepth(["a", "b"])).toEqual(["a", "b"]);
  expect(byDepth([])).toEqual([]);
});

test("block comments do not count as levels", () => {
  const code = ["/**", " * Says it.", " */", "function say() {", "  if (a) {", "    b();", "  }", "}"];
  expect(byDepth(code)).toEqual([
    "/**",
    " * Says it.",
    " */",
    "function say() {",
    " if (a) {",
    "  b();",
    " }",
    "}",
  ]);
});
