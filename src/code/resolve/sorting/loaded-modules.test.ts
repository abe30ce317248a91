import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

test("TypeScript: modules that are loaded in functions, each with a meaning of its own for a name", async () => {
  const files = {
    "x.ts": "export function step(a: number) {}",
    "o.ts": "export class S { step() {} }\nexport function other() {}",
    "y.ts": [
      "async function a() { const m = await import('./x'); m.step(1); }",
      "function b() { const m = require('./x'); m.step(1); }",
      "async function c() { const { step: go } = await import('./x'); go(1); }",
      "async function d() { (await import('./x')).step(1); }",
      "function e() { require('./x').step(1); }",
      "async function f() { const m: typeof import('./x') = await import('./x'); m.step(1); }",
      "async function g() { const m = await import('./o'); m.step(1); }",
      "const top = require('./x'); top.step(2);",
      "import('./x').then((m) => m.step(1));",
      "import('./x').then(({ step }) => step(1));",
    ],
    "z.ts": "function f(m) { m.step(); }",
  };
  expect(await sortedUses(place, files, "x.ts#step")).toEqual([
    ...[1, 2, 3, 3, 3, 4, 5, 6, 8].map((line) => `y.ts:${line}`),
    "y.ts:9?",
    "y.ts:10?",
    "y.ts:10?",
    "1 ./o",
    "1 a member of something else",
  ]);
});

test("Python: modules by a name that is written out", async () => {
  const files = {
    "pkg/__init__.py": "",
    "pkg/chat.py": "def step(a):\n    pass\n",
    "pkg/other.py": "def other():\n    pass\n",
    "use.py": [
      "import importlib",
      "def a():",
      "    m = importlib.import_module('pkg.chat')",
      "    m.step(1)",
      "def b():",
      "    m = __import__('pkg.chat', fromlist=['step'])",
      "    m.step(2)",
      "def c():",
      "    importlib.import_module('pkg.chat').step(3)",
      "def d():",
      "    m: object = import_module('.chat', 'pkg')",
      "    m.step(4)",
      "def e(mod):",
      "    m = importlib.import_module(mod)",
      "    m.step(5)",
      "def f():",
      "    m = importlib.import_module('pkg.other')",
      "    m.step(6)",
      "top = importlib.import_module('pkg.chat')",
      "top.step(7)",
    ],
  };
  expect(await sortedUses(place, files, "pkg/chat.py#step")).toEqual([
    ...[4, 7, 9, 12].map((line) => `use.py:${line}`),
    "use.py:15?",
    "use.py:18?",
    "use.py:20",
  ]);
});
