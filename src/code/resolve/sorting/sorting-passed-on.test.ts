// What files of JavaScript and TypeScript pass on under other names, and what objects hold.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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

describe("objects", () => {
  test("a constant that holds an object has its keys as members, wherever it is imported", async () => {
    const files = {
      "api.ts": [
        "export const routes = { home: '/', user: { list: '/users' } };",
        "export const other = { home: '#' } as const;",
        "export interface Api { stop(): void }",
        "export const api: Api = { stop() {} };",
        "const client = { stop: () => {}, open() {} };",
        "export default client;",
      ],
      "use.ts": [
        "import { routes, other as rest, api } from './api';",
        "import * as all from './api';",
        "import client from './api';",
        "routes.home;",
        "rest.home;",
        "all.routes.home;",
        "routes.user.list;",
        "api.stop();",
        "client.stop();",
      ],
    };
    expect(await sorted(files, "routes.home")).toEqual(["use.ts:4", "use.ts:6", "2 other.home"]);
    expect(await sorted(files, "routes.user.list")).toEqual(["use.ts:7"]);
    expect(await sorted(files, "Api.stop")).toEqual(["use.ts:8?", "1 client.stop"]);
    expect(await sorted(files, "api.ts#client.stop")).toContain("use.ts:9");
  });

  test("a function that an object holds may be called as its member, and be taken out of it", async () => {
    const files = {
      "api.ts": ["export function run() {}", "export function walk() {}", "export const api = { run };"],
      "hook.ts": ["export function useBox() {", "  const open = () => {};", "  return { open };", "}"],
      "use.ts": [
        "import { api } from './api';",
        "import { useBox } from './hook';",
        "api.run();",
        "const { run } = api;",
        "const { run: go } = api;",
        "api.walk();",
        "function box() {",
        "  const { open } = useBox();",
        "  useBox().open();",
        "}",
        "run();",
      ],
    };
    expect(await sorted(files, "api.ts#run")).toEqual([
      "api.ts:3",
      "use.ts:3?",
      "use.ts:4?",
      "use.ts:5?",
      "use.ts:11?",
    ]);
    expect(await sorted(files, "walk")).toEqual(["1 a member of something else"]);
    expect(await sorted(files, "useBox.open")).toEqual(["hook.ts:3", "use.ts:8?", "use.ts:9?"]);
  });

  test("what a pattern at the top of a file takes is a use of the member", async () => {
    const files = {
      "a.ts": ["class Store { size = 1; }", "const { size } = new Store();", "size;"],
      "run.js": "module.exports = { run() {} };",
      "use.js": "const { run } = require('./run');",
      "late.ts": ["export function late() {}"],
      "load.ts": ["import('./late').then(({ late: go }) => go());"],
    };
    expect(await sorted(files, "Store.size")).toEqual(["a.ts:2?", "1 a.ts#size"]);
    expect(await sorted(files, "run")).toEqual(["use.js:1"]);
    expect(await sorted(files, "late")).toEqual(["load.ts:1?"]);
  });
});

test("private names are of the class around, and no others", async () => {
  const files = {
    "a.ts": [
      "class Store {",
      "  #size = 0;",
      "  size = 1;",
      "  grow(other: Store) { this.#size++; other.#size; return #size in other; }",
      "}",
      "class Other { #size = 2; run() { this.#size; } }",
    ],
    "b.ts": ["function make() {", "  return class { #size = 3; run() { this.#size; } };", "}"],
  };
  for (const symbol of ["Store.#size", "Store##size"])
    expect(await sorted(files, symbol)).toEqual([
      "a.ts:4",
      "a.ts:4",
      "a.ts:4",
      "1 Other.#size",
      "1 make.#size",
    ]);
  expect(await sorted(files, "Store.size")).toEqual(["8 #size"]);
});

test("members that a parameter or the type of an object declares", async () => {
  const files = {
    "a.ts": [
      "class Store { save() {} }",
      "class Shop {",
      "  constructor(private store: Store, readonly name: string, public label?: string) { store.save(); }",
      "  run() { this.store.save(); this.name; this.label; }",
      "}",
      "type Shape = { color: string } & { side: number };",
      "function draw(shape: Shape) { shape.color; shape.side; }",
    ],
  };
  expect(await sorted(files, "Shop.store")).toEqual(["a.ts:3", "a.ts:4"]);
  expect(await sorted(files, "Store.save")).toEqual(["a.ts:3", "a.ts:4"]);
  expect(await sorted(files, "Shop.name")).toEqual(["a.ts:4"]);
  expect(await sorted(files, "Shop.label")).toEqual(["a.ts:4"]);
  expect(await sorted(files, "Shape.color")).toEqual(["a.ts:7"]);
  expect(await sorted(files, "Shape.side")).toEqual(["a.ts:7"]);
});

test("an attribute of a tag may be a property of the component", async () => {
  const files = {
    "box.tsx": [
      "interface BoxProps { label: string; wide?: boolean; onPress(): void }",
      "function onPress() {}",
      "function Box(props: BoxProps) { return <b>{props.label}</b>; }",
      "const label = 'x > y';",
      "const a = <Box title='a > b' run={() => { return 1 > 2; }}",
      "  label={label} wide aria-label onPress={onPress}>{label}</Box>;",
      "const same = <T extends BoxProps>(one: T) => one;",
    ],
  };
  expect(await sorted(files, "BoxProps.label")).toEqual([
    "box.tsx:3",
    "box.tsx:6?",
    "1 aria-label",
    "2 box.tsx#label",
  ]);
  expect(await sorted(files, "BoxProps")).toEqual(["box.tsx:3", "box.tsx:7"]);
  expect(await sorted(files, "BoxProps.wide")).toEqual(["box.tsx:6?"]);
  expect(await sorted(files, "box.tsx#onPress")).toEqual(["box.tsx:6", "1 a key or argument name"]);
});

test("a variable that gets values of several types is of none of them", async () => {
  const files = {
    "a.ts": [
      "class Left { run() {} }",
      "class Right { run() {} }",
      "let one = new Left();",
      "one = new Right();",
      "one.run();",
      "let two: Left = new Left();",
      "two = other();",
      "two.run();",
      "function f(last = new Left()) {",
      "  last ??= new Right();",
      "  last.run();",
      "}",
      "let three = new Left();",
      "three = new Left();",
      "three.run();",
      "let four: import('./a').Left;",
      "four.run();",
    ],
  };
  expect(await sorted(files, "Left.run")).toEqual(["a.ts:5?", "a.ts:8", "a.ts:11?", "a.ts:15", "a.ts:17"]);
  expect(await sorted(files, "Right.run")).toEqual(["a.ts:5?", "a.ts:11?", "3 Left.run"]);
});

test("a module as a value, and types that are made from others, leave open what has the member", async () => {
  const files = {
    "tools.ts": "export function go() {}",
    "store.ts": [
      "export class Store { save() {} }",
      "export class Low extends Store {}",
      "export class Other { save() {} }",
    ],
    "use.ts": [
      "import * as tools from './tools';",
      "import { Store as S, Low, Other } from './store';",
      "const { go } = tools;",
      "const same = tools;",
      "same.go();",
      "let a: InstanceType<typeof S>;",
      "a.save();",
      "function f(b: Other | S, c: Other | Low) {",
      "  b.save();",
      "  c.save();",
      "}",
    ],
    "far.ts": ["import * as tools from './tools';", "tools.go();", "other.go();"],
  };
  expect(await sorted(files, "tools.ts#go")).toEqual([
    "far.ts:2",
    "use.ts:3?",
    "use.ts:5?",
    "1 a member of something else",
  ]);
  expect(await sorted(files, "Store.save")).toEqual(["use.ts:7?", "use.ts:9?", "use.ts:10?"]);
});
