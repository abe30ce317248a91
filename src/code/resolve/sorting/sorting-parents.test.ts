// Classes of JavaScript and TypeScript whose parents have other names where they are inherited from.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { ModuleFiles } from "../module-files.ts";
import { type Files, nodesBelow, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);
const below = async (target: string) =>
  nodesBelow(place, await ModuleFiles.of(place.project), "implementations", target);

const child = ["export class Child extends Parent {", "  run() { super.run(); }", "}"];
const use = ["import { Child } from './child';", "new Child().run();", "new Child().stop();"];

test.each([
  ["an import", "import { Base as Parent } from './base';", "Parent"],
  ["a default import", "import Parent from './base';", "Parent"],
  ["a namespace", "import * as base from './base';", "base.Base"],
  ["another module", "import { Root } from './root';", "Root"],
  ["another module's default", "import { Given } from './root';", "Given"],
  ["a constant", "import { Base } from './base';\nconst Parent = Base;", "Parent"],
])("a parent under a name that %s gives it", async (_, head, parent) => {
  const files = {
    "base.ts": ["export class Base {", "  run() {}", "  stop() {}", "}", "export default Base;"],
    "root.ts": ["export { Base as Root } from './base';", "export { default as Given } from './base';"],
    "other.ts": ["export class Other {", "  run() {}", "  stop() {}", "}", "new Other().run();"],
    "child.ts": [head.includes("\n") ? head : `${head}\n`, ...child].map((line) =>
      line.replace("extends Parent", `extends ${parent}`),
    ),
    "use.ts": use,
  };
  expect(await sorted(files, "Base.run")).toEqual(["child.ts:4", "use.ts:2?", "1 Other.run"]);
  expect(await sorted(files, "Child.run")).toEqual(["use.ts:2", "1 Base.run", "1 Other.run"]);
  expect(await sorted(files, "Base.stop")).toEqual(["use.ts:3"]);
  expect(await below("Base.run")).toEqual(["Child.run"]);
  expect((await sorted(files, "Child.stop")).at(0)).toBe("use.ts:3");
});

test("a parent that a script loads under another name", async () => {
  const files = {
    "base.js": ["class Base { run() {} }", "module.exports = Base;"],
    "child.js": [
      "const Parent = require('./base');",
      "class Child extends Parent {",
      "  run() { super.run(); }",
      "}",
    ],
    "far/base.js": ["class Far { run() {} }", "module.exports = Far;"],
  };
  expect(await sorted(files, "Base.run")).toEqual(["child.js:3"]);
  expect(await sorted(files, "Far.run")).toEqual(["1 Base.run"]);
  expect(await below("Base.run")).toEqual(["Child.run"]);
});

test("what a function makes a parent from is above it, too", async () => {
  const files = {
    "a.ts": [
      "class Base { run() {} stop() {} }",
      "const mix = (Parent: any) => class extends Parent { open() {} };",
      "class Child extends mix(Base) {",
      "  run() { this.open(); }",
      "}",
      "new Child().run();",
      "new Child().stop();",
    ],
  };
  expect(await sorted(files, "Base.run")).toEqual(["a.ts:6?"]);
  expect(await sorted(files, "open")).toEqual(["a.ts:4"]);
  expect(await below("Base.run")).toEqual(["Child.run"]);
});

describe("super", () => {
  test("is the nearest class above that has the member, of several with one name", async () => {
    const files = {
      "a.ts": ["export class Base { run() {} }"],
      "b.ts": ["export class Base { run() {} }"],
      "c.ts": [
        "import { Base as Parent } from './a';",
        "class Base extends Parent { run() { super.run(); } }",
        "class Low extends Base { stop() { super.run(); } }",
        "class Mid extends Low { run() { super.stop(); super.run(); } }",
      ],
      "d.ts": ["import { Far } from 'far';", "class Near extends Far { run() { super.run(); } }"],
    };
    expect(await sorted(files, "a.ts#Base.run")).toEqual(["c.ts:2", "d.ts:2?", "2 c.ts#Base.run"]);
    expect(await sorted(files, "b.ts#Base.run")).toEqual(["d.ts:2?", "1 a.ts#Base.run", "2 c.ts#Base.run"]);
    expect(await sorted(files, "c.ts#Base.run")).toEqual(["c.ts:3", "c.ts:4", "d.ts:2?", "1 a.ts#Base.run"]);
    expect(await sorted(files, "Near.run")).toEqual(["1 a parent of Near", "3 Base.run"]);
  });

  test("and new call the constructor of the nearest class that has one", async () => {
    const files = {
      "a.ts": [
        "export class Base { constructor(n: number) {} }",
        "export class Mid extends Base {}",
        "export class Low extends Mid {",
        "  constructor() { super(2); }",
        "}",
        "class Other { constructor() {} }",
        "new Other();",
      ],
      "use.tsx": [
        "import { Base as B, Mid, Low } from './a';",
        "new B(1);",
        "new Mid(2);",
        "new Low();",
        "let base: B = <Mid />;",
      ],
    };
    expect(await sorted(files, "Base.constructor")).toEqual([
      "a.ts:4",
      "use.tsx:2",
      "use.tsx:3",
      "use.tsx:5",
    ]);
    expect(await sorted(files, "Low.constructor")).toEqual(["use.tsx:4"]);
  });
});
