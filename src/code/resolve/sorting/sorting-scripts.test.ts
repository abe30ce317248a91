// Where answers about scripting languages and Rust once differed from what the text of real repositories says.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { findExact } from "../definitions.ts";
import { findReferences } from "../references.ts";
import { chooseTarget } from "../target.ts";
import { type Files, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

describe("JavaScript and TypeScript", () => {
  test("a function of a function is used as the value of an attribute and under its own name as a key", async () => {
    const files = {
      "modal.tsx": [
        "export function Modal() {",
        "  const onKey = () => {};",
        "  const handlers = { onKey };",
        "  return <div onKeyDown={onKey} {...handlers} />;",
        "}",
      ],
    };
    expect(await sorted(files, "onKey")).toEqual(["modal.tsx:3", "modal.tsx:4"]);
  });

  test("a package is found by its name though what it is built to is not here", async () => {
    const files = {
      "package.json": '{ "name": "charts", "main": "lib/index", "types": "types/index.d.ts" }',
      "src/index.ts": "export { Line } from './line';",
      "src/line.ts": "export class Line {}",
      "site/package.json": '{ "name": "charts-site" }',
      "site/page.ts": ["import { Line } from 'charts';", "new Line();"],
      "site/late.ts": ["import { Line } from 'charts-site/made';", "new Line();"],
      "site/other.ts": ["import { Line } from 'drawing';", "new Line();"],
    };
    expect(await sorted(files, "Line")).toEqual(["site/late.ts:2?", "site/page.ts:2", "2 drawing"]);
  });

  test("a member that a test gives to a type is only possibly meant elsewhere", async () => {
    const files = {
      "query.js": [
        "class Query {",
        "  exec() {}",
        "  then() { return this.exec(); }",
        "}",
        "module.exports = Query;",
      ],
      "query.test.js": [
        "const Query = require('./query');",
        "Query.prototype.exec = function () {};",
        "new Query().exec();",
      ],
    };
    expect(await sorted(files, "query.js#Query.exec")).toEqual(["query.js:3", "query.test.js:3"]);
    expect(await sorted(files, "query.test.js#Query.exec")).toEqual(["query.js:3?", "query.test.js:3"]);
  });

  test("objects of one name in two files have members of their own; a new constructor() is of any type", async () => {
    const files = {
      "list.js": ["const methods = { mark() {}, pop() { this.mark(); } };", "module.exports = methods;"],
      "tree.js": ["const methods = { mark() {}, cut() { this.mark(); } };", "module.exports = methods;"],
      "copy.js": ["function copy(one) {", "  const next = new one.constructor();", "  next.mark();", "}"],
    };
    expect(await sorted(files, "list.js#mark")).toEqual(["copy.js:3?", "list.js:1", "tree.js:1?"]);
  });

  test("a function inside of the one that a module gives is another one", async () => {
    const files = {
      "machine.js": [
        "const Machine = (module.exports = function () {});",
        "Machine.make = function () {",
        "  const make = function () {};",
        "  return make;",
        "};",
      ],
      "use.js": ["const Machine = require('./machine');", "Machine.make();"],
    };
    expect(await sorted(files, "machine.js#Machine.make")).toEqual([
      "use.js:2",
      "1 Machine.make.make in line 3",
    ]);
    expect(await sorted(files, "machine.js#Machine.make.make")).toEqual(["machine.js:4", "1 Machine.make"]);
  });

  test("a namespace that several files open is surely meant where its part is declared", async () => {
    const opened = [
      "declare global { namespace Web { interface User {} } }",
      "let user: Web.User;",
      "export {};",
    ];
    const files = { "one/index.ts": opened, "two/index.ts": opened };
    const modules = await openFiles(place, files);
    const [first, second] = await findExact(place.project, "Web.User");
    const sure = async (definition: NonNullable<typeof first>) =>
      (await findReferences(place.project, modules, definition)).references.map(
        ({ file, certain }) => `${file}${certain ? "" : "?"}`,
      );
    expect(first && (await sure(first))).toEqual(["one/index.ts", "two/index.ts?"]);
    expect(second && (await sure(second))).toEqual(["one/index.ts?", "two/index.ts"]);
  });

  test("a namespace is meant before one of its name in another one", async () => {
    const files = {
      "hooks.ts": [
        "export namespace query { export interface Options {} }",
        "export namespace docs { export namespace query { export interface Options {} } }",
        "let a: query.Options;",
      ],
    };
    expect(await sorted(files, "hooks.ts#query.Options")).toEqual(["hooks.ts:3"]);
    expect(await sorted(files, "hooks.ts#docs.query.Options")).toEqual(["hooks.ts:3?"]);
  });
});

test("Lua: a text that begins like a comment ends where it is closed", async () => {
  const files = {
    "parse.lua": [
      "local function mark() end",
      "local a = '--[['",
      "mark(a)",
      "local b = ']]'",
      "print('c'--[[ d ]], mark)",
    ],
  };
  expect(await sorted(files, "mark")).toEqual(["parse.lua:3", "parse.lua:5"]);
});

describe("Ruby", () => {
  test("a name with a sign at its end is another one; a value may stand before ::", async () => {
    const files = {
      "rule.rb": [
        "class Rule",
        "  EMPTY = []",
        "  def validate; end",
        "  def validate!; validate; end",
        "  def run; validate! unless self.validate; end",
        "end",
      ],
      "rule_spec.rb": ["describe Rule do", "  it { described_class::EMPTY }", "end"],
      Gemfile: "RAILS = '7'",
    };
    expect(await sorted(files, "Rule.validate")).toEqual(["rule.rb:4", "rule.rb:5"]);
    expect(await sorted(files, "Rule.EMPTY")).toEqual(["rule_spec.rb:2?"]);
    const chosen = await chooseTarget(place.project, "Gemfile#RAILS", { operation: "usages" }, () => true);
    expect(chosen).toHaveProperty("target.file", "Gemfile");
  });

  test("only the innermost type around, with what it inherits, is the receiver that is left out", async () => {
    const files = {
      "screen.rb": [
        "module Screen",
        "  def self.t(key); end",
        "  class Tab",
        "    def t(key); end",
        "  end",
        "  class Busy < Tab",
        "    def title; t('busy'); end",
        "  end",
        "end",
      ],
      "helper_spec.rb": ["def t(key); end", "app = Class.new", "app.t(1)"],
    };
    expect(await sorted(files, "Screen.Tab.t")).toEqual(["helper_spec.rb:3?", "screen.rb:7"]);
    expect(await sorted(files, "helper_spec.rb#t")).toEqual(["helper_spec.rb:3?", "screen.rb:7?"]);
    expect(await sorted(files, "screen.rb#Screen.t")).not.toContain("screen.rb:7");
  });

  test("modules of one name that different types include; the word that ends a text is no constant", async () => {
    const files = {
      "rack.rb": [
        "class Request",
        "  module Helpers; def size; end; end",
        "  include Helpers",
        "end",
        "class Response",
        "  module Helpers; def size; end; end",
        "  include Helpers",
        "end",
        "TEXT = 1",
        'require "texts/#{TEXT}"',
        "def run(x) = Response.new.size",
        "def show(x)",
        "  response = Response.new",
        "  response.size",
        "  puts <<~TEXT",
        "    a",
        "  TEXT",
        "end",
      ],
    };
    const uses = await sorted(files, "rack.rb#Request.Helpers.size");
    expect(uses.filter((use) => /\d$/.test(use))).toEqual([]);
    expect(await sorted(files, "TEXT")).toEqual(["rack.rb:10"]);
  });

  test("@name is the variable of a field, not a call of the method of its name", async () => {
    const files = {
      "settings.rb": [
        "class Settings",
        "  attr_writer :level",
        "  def level",
        "    return @level if @level",
        "  end",
        "  def raise_it",
        "    level = 2",
        "  end",
        "end",
      ],
    };
    const modules = await openFiles(place, files);
    const field = await findExact(place.project, "Settings.level", "field");
    const { references, others } = await findReferences(place.project, modules, field);
    expect(references.map(({ line }) => line)).toEqual([4, 4]);
    expect([...others.keys()]).toEqual(["a local variable"]);
  });
});

describe("PHP", () => {
  test("name::class is the name as a text; a function of no namespace is no method", async () => {
    const files = {
      "dummy.php": ["<?php", "function dummy() {}", "$a = dummy::class;"],
      "package.php": [
        "<?php",
        "class Package { public function title() {} }",
        "class Cursor { public function reset(): void {} }",
        "function pick(array $list) { $one = reset($list); $one->title(); }",
      ],
    };
    expect(await sorted(files, "dummy")).toEqual(["dummy.php:3"]);
    expect(await sorted(files, "Package.title")).toEqual(["package.php:4?"]);
  });

  test("several namespaces of one file", async () => {
    const files = {
      "mocks.php": [
        "<?php",
        "namespace App\\Local { function unlink() {} }",
        "namespace App\\Ftp { function ftp_raw() {} function again() { ftp_raw(); } }",
      ],
      "ftp.php": ["<?php", "namespace App\\Ftp;", "function send() { ftp_raw(); }"],
      "other.php": ["<?php", "namespace App\\Other;", "function send() { ftp_raw(); }"],
    };
    const uses = ["ftp.php:3", "mocks.php:3", "1 a name from elsewhere"];
    expect(await sorted(files, "ftp_raw")).toEqual(uses);
    expect(await sorted(files, "App\\Ftp\\ftp_raw")).toEqual(uses);
  });

  test("a class that inherits a method means that one before the head in an interface", async () => {
    const files = {
      "root.php": [
        "<?php",
        "interface Face { public function fill(); }",
        "class Base { public function fill() {} }",
        "class Root extends Base implements Face {}",
        "function run() {",
        "  $root = new Root();",
        "  $root->fill();",
        "}",
      ],
    };
    expect(await sorted(files, "Base.fill")).toEqual(["root.php:7"]);
    expect(await sorted(files, "Face.fill")).toEqual(["root.php:7?"]);
  });
});

test("signs behind a backslash and what stands behind the end of a script are no names", async () => {
  const files = {
    "a.rb": ["def n; end", 'puts "a\\n", /\\n/, n', "__END__", "n"],
    "a.js": ["function n() {}", "n(`a\\n`);"],
    "a.php": ["<?php", "function n() {}", 'echo "a\\n" . n();'],
    "src/lib.rs": ["fn n() {}", 'fn m() { print("a\\n"); n(); }'],
  };
  expect(await sorted(files, "a.rb#n")).toEqual(["a.rb:2", "1 JavaScript code", "1 PHP code", "1 Rust code"]);
});

test("Bash: commands in the value of a declaration, `command -v` and `unset` are about functions; $'…' is a text", async () => {
  const files = {
    "lib.sh": [
      "pick() { echo; }",
      'local a="$(pick "$1")"',
      "declare -a b=($(pick x) `pick y`)",
      'read -r c <<< "$(pick "$(date)")"',
      "export PROMPT=$'pick\\n'",
      "echo $pick",
      "command -v pick > /dev/null || unset pick",
      "a=1 # readonly",
      "pick",
      "[[ -v pick ]]",
    ],
  };
  const lines = [2, 3, 3, 4, 7, 7, 9].map((line) => `lib.sh:${line}`);
  expect(await sorted(files, "pick")).toEqual([...lines, "2 a variable"]);
});

test("Python: a class that is passed as type[T] or type is asked for members like a value", async () => {
  const files = {
    "store.py": [
      "class Store:",
      "    def load(self): ...",
      "def a(kind: type): kind.load()",
      "def b(kind: type[Store]): kind.load()",
    ],
  };
  expect(await sorted(files, "Store.load")).toEqual(["store.py:3?", "store.py:4"]);
});

describe("Rust", () => {
  test("modules of one file may declare the same names", async () => {
    const files = {
      "src/lib.rs": ["mod merge;", "use crate::merge::tables;", "fn run() { tables(); }"],
      "src/merge.rs": [
        "pub fn tables() { tables(); }",
        "mod tests {",
        "    fn tables() { super::tables(); }",
        "    fn other() { tables(); }",
        "}",
      ],
    };
    expect(await sorted(files, "src/merge.rs#tables")).toEqual([
      "src/lib.rs:3",
      "src/merge.rs:1",
      "src/merge.rs:3",
      "1 tests.tables",
    ]);
    expect(await sorted(files, "src/merge.rs#tests.tables")).not.toContain("src/merge.rs:1");
  });

  test("a type that nothing declares or imports is made by a macro, and may have the member", async () => {
    const files = {
      "src/lib.rs": [
        "use outside::Other;",
        "#[project = StateProj]",
        "enum State { Busy, Done }",
        "fn poll() {",
        "    match x { StateProj::Busy => 1, Other::Busy => 2, Option::Busy => 3 }",
        "}",
      ],
    };
    expect(await sorted(files, "State.Busy")).toEqual(["src/lib.rs:5?", "1 Option::Busy", "1 Other.Busy"]);
  });

  test("Self is a type that a macro made where nothing declares or imports it", async () => {
    const files = {
      "src/lib.rs": [
        "use outside::Given;",
        "#[derive(Kinds)]",
        "enum State { Busy, Done }",
        "impl StateKind { fn is(self) -> bool { matches!(self, Self::Busy) } }",
        "impl Reading for Given { fn is(self) -> bool { matches!(self, Self::Busy) } }",
        "impl State { fn is(self) -> bool { matches!(self, Self::Busy) } }",
      ],
    };
    expect(await sorted(files, "State.Busy")).toEqual(["src/lib.rs:4?", "src/lib.rs:6", "1 Given.Busy"]);
  });

  test("the member of a type parameter may be that of any type", async () => {
    const files = {
      "src/lib.rs": [
        "struct Processor<A> { ctx: A }",
        "struct Daemon {}",
        "impl Daemon { fn spawn(&self) {} }",
        "impl Processor<Daemon> { fn run(&self) { self.ctx.spawn(); } }",
      ],
    };
    expect(await sorted(files, "Daemon.spawn")).toEqual(["src/lib.rs:4?"]);
  });
});
