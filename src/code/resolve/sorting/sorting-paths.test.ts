// Names that are reached through paths, imports and values, as real repositories write them.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { findExact } from "../definitions.ts";
import { ModuleFiles } from "../module-files.ts";
import { findReferences } from "../references.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("Kotlin: packages that import everything of each other do not pass it on, and are asked once", async () => {
  const packages = Array.from({ length: 12 }, (_, i) => `p${i}`);
  const imports = packages.map((name) => `import a.${name}.*`).join("\n");
  const files = Object.fromEntries(
    packages.map((name) => [
      `a/${name}/File.kt`,
      `package a.${name}\n${imports}\nfun of${name}() = unknown()\n`,
    ]),
  );
  const all = {
    ...files,
    "b/Only.kt": "package b\nfun helper() = 1\n",
    "c/Middle.kt": "package c\nimport b.*\nfun middle() = helper()\n",
    "d/Last.kt": "package d\nimport c.*\nfun last() = helper()\n",
  };
  expect(await sorted(all, "helper")).toEqual(["c/Middle.kt:3", "d/Last.kt:3?"]);
});

test("Kotlin: a function that is given to a type from elsewhere, and the type in a longer import", async () => {
  const files = {
    "a/Ext.kt": "package a\nfun Projection.orThrow() = 1\nval all = list.map(Projection::orThrow)\n",
    "a/Timer.kt":
      "package a\nimport a.Timer.Companion.limit\nopen class Timer {\n  companion object {\n    val limit = 1\n  }\n}\n",
  };
  expect(await sorted(files, "Projection.orThrow")).toEqual(["a/Ext.kt:3"]);
  expect(await sorted(files, "Timer")).toEqual([]);
});

test("Rust: paths from the name of a crate, and statements that import from several modules", async () => {
  const files = {
    "tools/Cargo.toml": '[package]\nauthors = ["A <a@example.org>"]\nname = "my-tools"\n',
    "tools/src/lib.rs": "mod hint;\npub use hint::Hint;\n#[macro_export]\nmacro_rules! quick { () => {} }\n",
    "tools/src/hint.rs": "pub enum Hint { Any }\n",
    "printer/src/standard.rs": "pub struct Standard;\n",
    "app/src/main.rs": [
      "use grep::{cli, printer::{Colors, Standard}};",
      "use my_tools::quick;",
      "fn f() -> my_tools::Hint { quick!(); my_tools::Hint::Any }",
      "fn g() -> other_tools::Hint { Standard.run() }",
    ],
  };
  expect(await sorted(files, "Hint")).toEqual([
    "app/src/main.rs:3",
    "app/src/main.rs:3",
    "1 other_tools::Hint",
  ]);
  expect(await sorted(files, "Standard")).toEqual(["app/src/main.rs:4?"]);
  expect(await sorted(files, "quick")).toEqual(["app/src/main.rs:3"]);
});

test("Rust: crates under another name, in Cargo.toml or passed on by a crate", async () => {
  const files = {
    "wire/Cargo.toml": '[package]\nname = "wire-types"\n',
    "wire/src/lib.rs": "pub struct Highlight;\nimpl Highlight { pub fn paint(&self) {} }\n",
    "client/Cargo.toml": '[package]\nname = "client"\n[dependencies]\nwire-types = { path = "../wire" }\n',
    "client/src/lib.rs": "pub use wire_types as wire;\npub mod ask;\n",
    "client/src/ask.rs":
      "use crate::wire::{self, Highlight as Mark};\nfn f(mark: Mark) -> wire::Highlight { mark.paint() }\n",
    "app/Cargo.toml":
      '[package]\nname = "app"\n[dependencies]\nnet = { path = "../wire", package = "wire-types" }\n',
    "app/src/main.rs":
      "use net::Highlight as Surface;\nfn g(surface: Surface) -> client::wire::Highlight { surface.paint() }\n",
  };
  expect(await sorted(files, "Highlight")).toEqual(
    expect.arrayContaining(["client/src/ask.rs:2", "app/src/main.rs:2"]),
  );
  expect(await sorted(files, "Highlight.paint")).toEqual(["app/src/main.rs:2", "client/src/ask.rs:2"]);
});

test("Rust: of several variables with one name, the last one before a place is meant", async () => {
  const files = {
    "a.rs": [
      "struct Item; impl Item { fn new() -> Item { Item } fn mark(&self) {} }",
      "struct Id; impl Id { fn of(item: Item) -> Id { Id } fn mark(&self) {} }",
      "fn f() {",
      "  let one = Item::new();",
      "  one.mark();",
      "  let one = Id::of(one);",
      "  one.mark();",
      "}",
    ],
  };
  expect(await sorted(files, "Item.mark")).toEqual(["a.rs:5", "1 Id.mark"]);
});

test("Swift, Rust: the result of a function is not that of a closure it takes; a type parameter is any type", async () => {
  const files = {
    "a.swift": [
      "protocol Writer { func write() }",
      "struct File { func write() {} }",
      "struct Reader { func write() {} }",
      "func make(_ body: (Int) -> Reader) -> File { File() }",
      "func f() { let file = make { _ in Reader() }",
      "  file.write() }",
      "func g<Reader: Writer>(reader: Reader) { reader.write() }",
    ],
    "b.rs": [
      "pub struct File;",
      "impl File { pub fn save(&self) {} }",
      "pub struct Reader;",
      "impl Reader { pub fn save(&self) {} }",
      "fn make<F: Fn(u8) -> Reader>(body: F) -> File { File }",
      "fn f() { let file = make(|_| Reader); file.save(); }",
    ],
  };
  expect(await sorted(files, "a.swift#Reader.write")).toEqual(["a.swift:6?", "a.swift:7?"]);
  expect(await sorted(files, "b.rs#Reader.save")).toEqual(["1 File.save"]);
  expect(await sorted(files, "b.rs#File.save")).toEqual(["b.rs:6"]);
});

test("Kotlin, Swift: a value that is asked for something at once is not what is bound", async () => {
  const files = {
    "A.kt": [
      "class Builder { fun build() = Store()",
      "  fun save() {} }",
      "class Store { fun save() {} }",
      "fun f() { val store = Builder().build()",
      "  store.save() }",
    ],
    "b.swift": [
      "struct Maker { func done() -> Shop { Shop() }",
      "  func send() {} }",
      "struct Shop { func send() {} }",
      "func f() { let shop = Maker().done()",
      "  shop.send() }",
    ],
  };
  expect(await sorted(files, "Store.save")).toEqual(["A.kt:5?"]);
  expect(await sorted(files, "Shop.send")).toEqual(["b.swift:5?"]);
});

test("Lua: a name that no file declares may be what a module holds, unless the module keeps it", async () => {
  const files = {
    "tools.lua": [
      "local tools = {}",
      "function tools.compare(a, b) end",
      "function tools.print(a) end",
      "local function isEmpty(a) end",
      "tools.isEmpty = isEmpty",
      "local function kept(a) end",
      "return tools",
    ],
    "use.lua": "import(tools)\ncompare(1, 2)\nprint(1)\nisEmpty(1)\nkept(1)\n",
  };
  expect(await sorted(files, "tools.compare")).toEqual(["use.lua:2?"]);
  expect(await sorted(files, "tools.print")).toEqual(["1 a name from elsewhere"]);
  expect(await sorted(files, "isEmpty")).toEqual(["tools.lua:5?", "tools.lua:5", "use.lua:4?"]);
  expect(await sorted(files, "kept")).toEqual(["1 a name from elsewhere"]);
});

test("Bash, Kotlin: a value that stands right before another one", async () => {
  const files = {
    "a.sh": 'KIND=1\nuse() { echo "$KIND$2" "$KIND x" "$KINDS"; }\n',
    "A.kt": 'package a\nval head = 1\nfun f(b: Int) = "$head$b"\n',
  };
  expect(await sorted(files, "KIND")).toEqual(["a.sh:2", "a.sh:2"]);
  expect(await sorted(files, "head")).toEqual(["A.kt:3"]);
});

test("Lua: a module in a source folder, known by the table that it returns", async () => {
  const files = {
    "lua/app/core/init.lua": [
      "local M = {}",
      "local Async = {}",
      "function Async:load() end",
      "function M.load() end",
      "function M.run() M.load() end",
      "return M",
    ],
    "tests/core_spec.lua": 'local core = require "app.core"\ncore.load()\n',
  };
  expect(await sorted(files, "M.load")).toEqual(["lua/app/core/init.lua:5", "tests/core_spec.lua:2"]);
  expect(await sorted(files, "Async.load")).toEqual(["2 M.load"]);
});

test("Kotlin: private functions stay in their file; extensions of types from elsewhere; a function beside a type for Java", async () => {
  const files = {
    "a/Ready.kt": [
      "package a",
      "import other.Tool",
      "fun Tool.ready(block: Int) = ready(block, 1)",
      "private fun ready(block: Int, more: Int) = 1",
      "fun Element.child() = 1",
    ],
    "a/Use.kt":
      "package a\nimport other.SqlExpr\nfun f(e: SqlExpr) = ready(1)\nfun g(e: SqlExpr) = e.child()\n",
    "a/Query.kt": "package a\nclass Query\nfun Query(key: Int): Query = Query()\n",
    "b/Use.java": "package b;\nimport a.Query;\nclass Use { Query query; }\n",
  };
  const [, , isPrivateUsed] = await sorted(files, "a/Ready.kt#ready");
  expect(isPrivateUsed).not.toBe("a/Use.kt:3");
  expect(await sorted(files, "Element.child")).toEqual(["a/Use.kt:4?"]);
  const { project } = place;
  const modules = await ModuleFiles.of(project);
  const made = (await findExact(project, "Query")).filter((d) => d.declaration.kind === "func");
  const { references } = await findReferences(project, modules, made);
  expect(references.filter(({ file }) => file.endsWith(".java"))).toEqual([]);
});

test("Lua: what is made from a module is not the module", async () => {
  const files = {
    "class.lua": "local Object = {}\nfunction Object:extend() end\nreturn Object\n",
    "buffer.lua": [
      'local Buffer = require("class"):extend()',
      "function Buffer:init() self:props() end",
      "function Buffer:props() end",
    ],
  };
  expect(await sorted(files, "Buffer.props")).toEqual(["buffer.lua:2"]);
});
