// What files of JavaScript and TypeScript pass on under other names, and what objects hold.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("what is passed on under another name is used under that, through any number of files", async () => {
  const files = {
    "base.ts": [
      "export function open() {}",
      "function close() {}",
      "function find() {}",
      "export default close;",
      "export { find as seek };",
    ],
    "names.ts": [
      "export { open as start } from './base';",
      "export * as base from './base';",
      "export { default as end } from './base';",
      "export { seek as look } from './base';",
    ],
    "index.ts": ["export * from './names';", "export { start as begin } from './names';"],
    "use.ts": [
      "import { start, begin, base, end, look } from './index';",
      "import * as all from './index';",
      "import shut from './base';",
      "start();",
      "begin();",
      "base.open();",
      "end();",
      "shut();",
      "look();",
      "all.start();",
      "all.base.open();",
      "all.end();",
      "other.base.open();",
    ],
    "other.ts": ["import { start } from 'starter';", "start();"],
  };
  expect(await sorted(files, "open")).toEqual([
    "use.ts:4",
    "use.ts:5",
    "use.ts:6",
    "use.ts:10",
    "use.ts:11",
    "1 a member of something else",
  ]);
  expect(await sorted(files, "close")).toEqual(["base.ts:4", "use.ts:7", "use.ts:8", "use.ts:12"]);
  expect(await sorted(files, "find")).toEqual(["use.ts:9"]);
});

test("a script passes on what another module gives, or a part of it", async () => {
  const files = {
    "run.js": ["function run() {}", "module.exports = { run };"],
    "whole.js": "module.exports = require('./run');",
    "parts.js": "module.exports = { ...require('./run'), other: 1 };",
    "make.js": "module.exports = require('./run')();",
    "use.js": [
      "const { run } = require('./whole');",
      "const parts = require('./parts');",
      "run();",
      "parts.run();",
    ],
    "late.js": ["const made = require('./make');", "made.run();"],
  };
  expect(await sorted(files, "run")).toEqual(["late.js:2?", "run.js:2", "use.js:1", "use.js:3", "use.js:4"]);
});

test("a default import is only another name for what its module gives", async () => {
  const files = {
    "one.ts": ["const store = { go() {} };", "export default store;"],
    "two.ts": ["function run() {}", "export { run as default };"],
    "use.ts": ["import a from './one';", "import b from './two';", "a;", "b();"],
  };
  expect(await sorted(files, "one.ts#store")).toEqual(["one.ts:2", "use.ts:3"]);
  expect(await sorted(files, "run")).toEqual(["use.ts:4"]);
});
