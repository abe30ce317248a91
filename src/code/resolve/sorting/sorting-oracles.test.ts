// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how other languages write values in texts.
// Where answers once differed from those of compilers and language servers (`bench/code-oracle.ts`).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { findExact } from "../definitions.ts";
import { ModuleFiles } from "../module-files.ts";
import { findReferences } from "../references.ts";
import { type Files, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

describe("Java", () => {
  test("a type's name in its own class means the type, not its constructor", async () => {
    const files = {
      "a/Money.java": [
        "package a;",
        "public class Money {",
        "  private Money(int amount) {}",
        "  static Money of(int amount) {",
        "    return new Money(amount);",
        "  }",
        "}",
      ],
      "b/Use.java": "package b;\nimport a.Money;\nclass Use { Money kept; }\n",
    };
    expect(await sorted(files, "a/Money.java#Money")).toEqual([
      "a/Money.java:4",
      "a/Money.java:5",
      "b/Use.java:3",
    ]);
  });

  test("a case label may name an enumerator of the enum asked for", async () => {
    const files = {
      "a/Level.java": "package a;\npublic enum Level { LOW, HIGH }\n",
      "b/Use.java": [
        "package b;",
        "class Use {",
        "  static final int HIGH = 3;",
        "  int f(a.Level level) {",
        "    switch (level) {",
        "      case LOW, HIGH: return 1;",
        "    }",
        "    return 0;",
        "  }",
        "}",
      ],
    };
    expect(await sorted(files, "Level.HIGH")).toEqual(["b/Use.java:6?"]);
  });

  test("of several nested types of one name, the file's own is meant", async () => {
    const files = {
      "a/List.java":
        "package a;\nclass List {\n  static class Node { int size() { return 1; } }\n  int f(Node node) { return node.size(); }\n}\n",
      "a/Tree.java":
        "package a;\nclass Tree {\n  static class Node { int size() { return 2; } }\n  int f(Node node) { return node.size(); }\n}\n",
    };
    expect(await sorted(files, "List.Node.size")).toEqual(["a/List.java:4", "1 Tree.Node.size"]);
  });
});

test("PHP: a dot joins texts, and what `new static` makes is of the class around", async () => {
  const files = {
    "Joins.php": [
      "<?php",
      "class A {",
      "  const LEFT = 'a';",
      "  const RIGHT = 'b';",
      "  function both() { return static::LEFT . RIGHT . static::RIGHT; }",
      "  function run() {}",
      "  static function make() { (new static())->run(); return (new static(1))->run(); }",
      "}",
      "const RIGHT = 2;",
    ],
    "B.php": "<?php\nclass B { function run() {} }\n",
  };
  expect(await sorted(files, "A.RIGHT")).toEqual(["Joins.php:5", "1 Joins.php#RIGHT"]);
  expect(await sorted(files, "A.run")).toEqual(["Joins.php:7", "Joins.php:7"]);
});

describe("C and C++", () => {
  test("what a header defines may be seen by a file that others include after it", async () => {
    const files = {
      "types.h": "#define LIMIT 9\nstatic inline int half(int x) { return x / 2; }\n",
      "part.h": "static int part(void) { return half(LIMIT); }\n",
      "main.c": '#include "types.h"\n#include "part.h"\nint main(void) { return part(); }\n',
      "types.c": "#define HIDDEN 1\n",
      "far.c": "int far(void) { return HIDDEN; }\n",
    };
    expect(await sorted(files, "LIMIT")).toEqual(["part.h:1?"]);
    expect(await sorted(files, "half")).toEqual(["part.h:1?"]);
    expect(await sorted(files, "HIDDEN")).toEqual(["1 a name from elsewhere"]);
  });

  test("a file sees what the file that includes it defines", async () => {
    const files = {
      "whole.c": 'static int helper(void) { return 1; }\n#include "piece.inc.c"\n',
      "piece.inc.c": "int piece(void) { return helper(); }\n",
    };
    expect(await sorted(files, "helper")).toEqual(["piece.inc.c:1"]);
  });

  test("behind :: a type is the type, whatever else the file declares under its name", async () => {
    const files = {
      "store.hpp": "#pragma once\nclass Store {\n public:\n  Store();\n  static int Count();\n};\n",
      "user.cpp": [
        '#include "store.hpp"',
        "class User { friend class Store; };",
        "Store::Store() {}",
        "int f() { return Store::Count(); }",
      ],
    };
    expect(await sorted(files, "Store.Count")).toEqual(["user.cpp:4"]);
  });
});

test("Rust: a wrapper whose content is not written says nothing", async () => {
  const files = {
    "Cargo.toml": '[package]\nname = "app"\n',
    "src/lib.rs": [
      "use std::sync::Arc;",
      "pub struct Store;",
      "impl Store {",
      "    pub fn save(&self) {}",
      "}",
      "pub fn f(made: Store) {",
      "    let shared = Arc::new(made);",
      "    shared.save();",
      "}",
    ],
  };
  expect((await sorted(files, "Store.save")).map((one) => one.replace("?", ""))).toEqual(["src/lib.rs:8"]);
});

describe("JavaScript", () => {
  test("module.exports = class Name is found by its name and through require", async () => {
    const files = {
      "lib/application.js":
        "module.exports = class Application {\n  listen() {}\n  static create() { return new Application(); }\n};\n",
      "package.json": '{ "name": "app", "main": "lib/application.js" }',
      "test/a.js": 'const Koa = require("..");\nconst app = new Koa();\napp.listen();\n',
      "test/b.js": 'const Other = require("../lib/application");\nconst app = new Other();\napp.listen();\n',
    };
    expect(await sorted(files, "Application")).toEqual([
      "lib/application.js:3",
      "test/a.js:1",
      "test/a.js:2",
      "test/b.js:1",
      "test/b.js:2",
    ]);
    expect(await sorted(files, "Application.listen")).toEqual(["test/a.js:3", "test/b.js:3"]);
  });

  test("an import under another name gives the type its own name", async () => {
    const files = {
      "box.js": "export class Box { open() {} }\n",
      "use.js": 'import { Box as Case } from "./box.js";\nconst c = new Case();\nc.open();\n',
    };
    expect(await sorted(files, "Box.open")).toEqual(["use.js:3"]);
  });
});

test("Python: a function that imports its own name is still the declaration", async () => {
  const files = {
    "app/api.py": [
      "def connect(path):",
      "    from .driver import connect",
      "    return connect(path)",
      "",
      "connect('x')",
    ],
    "app/driver.py": "def connect(path):\n    return path\n",
    "app/use.py": "from app.api import connect\nconnect('y')\n",
  };
  expect(await sorted(files, "api.py#connect")).toContain("app/use.py:2");
  expect(await sorted(files, "api.py#connect")).toContain("app/api.py:5");
});

describe("constructors, fields and methods of one name", () => {
  test("a constructor is used where its type is made, not where the type is named", async () => {
    const java = {
      "a/Money.java": [
        "package a;",
        "class Money {",
        "  Money(int amount) {}",
        "  Money twice() {",
        "    return new Money(2);",
        "  }",
        "}",
      ],
    };
    expect(await sorted(java, "a/Money.java#Money.Money")).toEqual(["a/Money.java:5", "1 the type Money"]);
  });

  test("C++: a declaration may construct, a destructor does not", async () => {
    const files = {
      "s.hpp":
        "namespace app {\nclass Store {\n public:\n  Store(int n);\n  ~Store();\n};\nclass Other { public: ~Other() {} };\n}\n",
      "s.cpp": '#include "s.hpp"\nnamespace app {\nStore::Store(int n) {}\n}\n',
      "u.cpp":
        '#include "s.hpp"\nint main() {\n  auto s = new app::Store(1);\n  app::Store t(2);\n  return 0;\n}\n',
    };
    expect(await sorted(files, "s.cpp#app.Store.Store")).toEqual([
      "s.cpp:3?",
      "u.cpp:3",
      "u.cpp:4?",
      "1 the destructor",
    ]);
  });

  test("whether it is called tells a method from a field", async () => {
    const files = {
      "a/Spec.java": [
        "package a;",
        "class Spec {",
        "  int size;",
        "  int size() { return size; }",
        "  int twice() { return this.size + size(); }",
        "}",
      ],
    };
    expect(await sorted(files, "a/Spec.java#Spec.twice")).toEqual([]);
    const uses = await sorted(files, "Spec.size");
    expect(uses.length).toBeGreaterThan(0);
    const { project } = place;
    const all = await findExact(project, "a/Spec.java#Spec.size");
    const modules = await ModuleFiles.of(project);
    const lines = async (kind: string) =>
      (
        await findReferences(
          project,
          modules,
          all.filter((d) => d.declaration.kind === kind),
        )
      ).references.map(({ line, column }) => `${line}:${column}`);
    expect(await lines("method")).toEqual(["5:36"]);
    expect(await lines("field")).toEqual(["4:23", "5:29"]);
  });
});

test("Java: a variable beside an anonymous class that has a method of its name", async () => {
  const files = {
    "a/Maker.java": [
      "package a;",
      "abstract class Maker {",
      "  abstract Object make();",
      "  static Maker create(java.util.Map<String, java.lang.reflect.Method> all) {",
      "    final java.lang.reflect.Method make = all.get(null);",
      "    make.setAccessible(true);",
      "    return new Maker() {",
      "      Object make() { return null; }",
      "    };",
      "  }",
      "}",
    ],
  };
  expect(await sorted(files, "a/Maker.java#Maker.create.make")).toEqual(["2 a local variable"]);
});

test("PHP: a name behind a leading backslash is of no namespace", async () => {
  const files = {
    "Time.php": "<?php\nnamespace App;\nclass DateTimeImmutable {}\nfunction json_decode($x) {}\n",
    "Use.php":
      "<?php\nnamespace App;\nfunction f(\\DateTimeImmutable $t, DateTimeImmutable $u) { \\json_decode($t); json_decode($u); }\n",
  };
  expect(await sorted(files, "Time.php#DateTimeImmutable")).toEqual(["Use.php:3", "1 \\DateTimeImmutable"]);
  expect(await sorted(files, "Time.php#json_decode")).toEqual(["Use.php:3", "1 \\json_decode"]);
});

test("Go: a type is no key of a literal, and a field of its name does not hide it", async () => {
  const files = {
    "a/a.go": [
      "package a",
      "type Value interface{}",
      "type Flag struct {",
      "\tValue Value",
      "\tOld   Value",
      "}",
      "func f(v Value) Flag { return Flag{Value: v} }",
    ],
  };
  expect(await sorted(files, "a/a.go#Value")).toEqual(["a/a.go:4", "a/a.go:5", "a/a.go:7", "1 Flag.Value"]);
});

describe("C and C++: what macros, tags and namespaces do", () => {
  test("a struct's tag beside a variable of its name; enumerators of a field's enum", async () => {
    const files = {
      "a.c": [
        "struct err { int code; };",
        "struct parser { enum { NORMAL, WAITING } state; };",
        "int f(void *data, struct parser *p) {",
        "  struct err *err = data;",
        "  p->state = NORMAL;",
        "  return err->code;",
        "}",
      ],
    };
    expect(await sorted(files, "a.c#err")).toEqual(["a.c:4", "2 a local variable"]);
    expect(await sorted(files, "NORMAL")).toEqual(["a.c:5"]);
  });

  test("a macro alone on its line before a namespace", async () => {
    const files = {
      "lib.hpp": [
        "#pragma once",
        "",
        "LIB_BEGIN_NAMESPACE",
        "",
        "namespace detail {",
        "enum color { red };",
        "inline int unwrap(int x) { return x; }",
        "}",
        "LIB_END_NAMESPACE",
      ],
      "use.cpp": '#include "lib.hpp"\nint f() { return detail::unwrap(1) + detail::red; }\n',
    };
    expect(await sorted(files, "unwrap")).toEqual(["use.cpp:2"]);
    expect(await sorted(files, "red")).toEqual(["use.cpp:2"]);
  });

  test("a macro may open the namespace that something is in", async () => {
    const files = {
      "lib.hpp": "LIB_DETAIL {\nint write(int x);\n}\ninline int copy(int x) { return x; }\n",
      "ns.hpp": "namespace detail { inline int other() { return 1; } }\n",
      "use.cpp":
        '#include "lib.hpp"\n#include "ns.hpp"\nint f() { return detail::copy(1) + std::copy(2); }\n',
    };
    expect(await sorted(files, "lib.hpp#copy")).toEqual(["use.cpp:3?", "1 std::copy"]);
  });

  test("a method defined out of line is a member for those who have its base", async () => {
    const files = {
      "i.hpp": "namespace db {\nclass Iterator {\n public:\n  virtual void Seek() = 0;\n};\n}\n",
      "d.cpp":
        '#include "i.hpp"\nnamespace db {\nclass DBIter : public Iterator {\n public:\n  void Seek() override;\n};\nvoid DBIter::Seek() {}\n}\n',
      "u.cpp": '#include "i.hpp"\nvoid f(db::Iterator *it) { it->Seek(); }\n',
    };
    const { project } = place;
    await sorted(files, "DBIter.Seek");
    const body = (await findExact(project, "d.cpp#db.DBIter.Seek")).filter((d) => !d.declaration.bodiless);
    const { references } = await findReferences(project, await ModuleFiles.of(project), body);
    expect(references.map(({ file, line, why }) => `${file}:${line} ${why}`)).toEqual([
      "u.cpp:2 through Iterator",
    ]);
  });
});

test("JavaScript: the word before a getter's name is no use of a method called get", async () => {
  const files = {
    "request.js":
      "export class Request {\n  get header() { return this.get(1); }\n  static async get(name) { return name; }\n  async all() {}\n}\n",
  };
  expect(await sorted(files, "Request.get")).toEqual(["request.js:2", "1 a keyword"]);
});

test("functions of one name in different functions of a file are different ones", async () => {
  const files = {
    "a.test.ts": [
      'test("one", () => {',
      "  const App = () => 1;",
      "  App();",
      "});",
      'test("two", () => {',
      "  const App = () => 2;",
      "  App();",
      "});",
    ],
  };
  await sorted(files, "App");
  const { project } = place;
  const [first] = (await findExact(project, "App")).filter((d) => d.declaration.line === 2);
  expect(first).toBeDefined();
  const { references, others } = await findReferences(project, await ModuleFiles.of(project), first ?? []);
  expect(references.map(({ line }) => line)).toEqual([3]);
  expect([...others]).toEqual([["a.test.ts#App in line 6", 1]]);
});

test("what a module loaded at run time gives is possible", async () => {
  const files = {
    "context.ts": "export function useContext() {}\n",
    "use.ts":
      'const load = () => import("./context");\nexport async function f() {\n  const { useContext } = await load();\n  useContext();\n}\n',
  };
  expect(await sorted(files, "useContext")).toEqual(["use.ts:3?", "use.ts:4?"]);
});

test("JSX: an element is no use of a function of its name", async () => {
  const files = {
    "html.ts": "export function html(text: string): string { return text; }\n",
    "page.tsx": [
      'import { html } from "./html";',
      'const head = html("x");',
      "export const Page = () => (",
      "  <html>{head}</html>",
      ");",
    ],
  };
  expect(await sorted(files, "html.ts#html")).toEqual(["page.tsx:2", "2 an element"]);
});

describe("Rust", () => {
  test("a path leads into a module, whatever variable has its name; an own type is none of another module", async () => {
    const files = {
      "src/lib.rs": "pub mod ast;\npub mod print;\n",
      "src/ast.rs": "pub struct Item;\nimpl Item {\n    pub fn new() -> Item { Item }\n}\n",
      "src/print.rs": [
        "use crate::ast;",
        "pub struct Item;",
        "impl Item {",
        "    pub fn new() -> Item { Item }",
        "}",
        "pub fn print(ast: &ast::Item) {",
        "    ast::Item::new();",
        "    Item::new();",
        "}",
      ],
    };
    expect(await sorted(files, "src/ast.rs#Item")).toEqual(
      expect.arrayContaining(["src/print.rs:6", "src/print.rs:7"]),
    );
    expect(await sorted(files, "src/ast.rs#Item.new")).toEqual(["src/print.rs:7", "1 src/print.rs#Item.new"]);
  });

  test("constants through a type parameter and of a foreign type; names that patterns bind", async () => {
    const files = {
      "src/lib.rs": [
        "pub trait Vector { const BYTES: usize; fn span(&self) -> usize; }",
        "impl Vector for u128 { const BYTES: usize = 16; fn span(&self) -> usize { 1 } }",
        "pub fn generic<V: Vector>() -> usize { V::BYTES }",
        "pub fn direct() -> usize { u128::BYTES }",
        "pub fn bound(kind: Option<usize>) -> usize {",
        "    match kind { Some(ref span) => *span, None => 0 }",
        "}",
      ],
    };
    const bytes = await sorted(files, "Vector.BYTES");
    expect(bytes.filter((use) => use.startsWith("src/lib.rs:3"))).toHaveLength(1);
    expect(bytes.filter((use) => use.startsWith("src/lib.rs:4"))).toHaveLength(1);
    expect(await sorted(files, "Vector.span")).toEqual(["2 a local variable"]);
  });

  test("a module and a function of one name; an enumerator and a type of one name", async () => {
    const files = {
      "src/lib.rs": "mod memchr;\npub mod kind;\npub mod find;\npub use crate::memchr::memchr;\n",
      "src/memchr.rs": "pub fn memchr() -> usize { 1 }\n",
      "src/kind.rs": "pub struct Look;\npub enum Kind { Look(Look), Empty }\n",
      "src/find.rs": [
        "use crate::kind::{Kind, Look};",
        "pub fn find(kind: Kind) -> usize {",
        "    use crate::kind::Kind::*;",
        "    match kind { Look(_) => crate::memchr(), Empty => 0 }",
        "}",
      ],
    };
    expect(await sorted(files, "src/memchr.rs#memchr")).toContain("src/find.rs:4");
    expect(await sorted(files, "Kind.Look")).toContain("src/find.rs:4?");
    expect(await sorted(files, "src/kind.rs#Look")).toContain("src/find.rs:4?");
  });

  test("what a chain of calls gives is not what its first call returns", async () => {
    const files = {
      "src/lib.rs": [
        "pub struct Stack;",
        "pub struct Class;",
        "impl Class { pub fn union(&self) {} pub fn into_class(self) -> Class { self } }",
        "impl Stack { pub fn pop(&self) -> Option<Class> { None } }",
        "pub fn run(stack: &Stack) {",
        "    let class = stack.pop().unwrap().into_class();",
        "    class.union();",
        "}",
      ],
    };
    expect(await sorted(files, "Class.union")).toEqual(["src/lib.rs:7?"]);
  });
});

test("C++: a name behind a namespace that a macro opens is possible, one of the standard library is not", async () => {
  const files = {
    "core.h": "LIB_BEGIN_NAMESPACE\ntemplate <typename T> void copy(T value) {}\nLIB_END_NAMESPACE\n",
    "use.cc": '#include "core.h"\nvoid f() {\n  lib::copy(1);\n  std::copy(1);\n}\n',
  };
  expect(await sorted(files, "core.h#copy")).toEqual(["use.cc:3?", "1 std::copy"]);
});

test("a value put into a text is code, the text around it is not", async () => {
  const files = {
    "a.sh": [
      "greeting=1",
      "greet() { :; }",
      'echo "$greeting and ${greeting} greeting"',
      "cat <<END",
      "greeting of $greeting",
      "END",
      'cat <<"END"',
      "$greeting",
      "END",
      "export greeting",
      "run greeting $greet",
      "greet",
    ],
    "A.kt": 'val salute = 1\nfun f() = "$salute and ${salute} salute"\n',
    "B.scala": [
      "object B {",
      "  val honour = 1",
      '  val all = s"$honour and ${honour} honour ${f("honour")}"',
      "}",
    ],
    "c.rb": "MARK = 1\nputs(/MARK #{MARK}/)\n",
  };
  const modules = await openFiles(place, files);
  const columns = async (symbol: string) => {
    const found = await findReferences(place.project, modules, await findExact(place.project, symbol));
    const uses = found.references.map(
      ({ line, column, certain }) => `${line}:${column}${certain ? "" : "?"}`,
    );
    return [...uses, ...[...found.others].map(([of, count]) => `${count} ${of}`)];
  };
  expect(await columns("a.sh#greeting")).toEqual(["3:8", "3:23", "5:14", "10:8", "11:5?"]);
  expect(await columns("a.sh#greet")).toEqual(["12:1", "1 a variable"]);
  expect(await columns("A.kt#salute")).toEqual(["2:13", "2:26"]);
  expect(await columns("B.honour")).toEqual(["3:16", "3:29"]);
  expect(await columns("c.rb#MARK")).toEqual(["2:14"]);
});

test("Python: of two scripts with a class of one name, each means its own", async () => {
  const script = [
    "class Summary:",
    "    def run(self):",
    "        pass",
    "",
    "summary = Summary()",
    "summary.run()",
  ];
  const files = { "tools/a.py": script, "tools/b.py": script };
  expect(await sorted(files, "tools/a.py#Summary.run")).toEqual(["tools/a.py:6", "1 tools/b.py#Summary.run"]);
});

test("JavaScript: a getter of an object without a name is no meaning of the bare name", async () => {
  const files = {
    "request.js": [
      'const { URL } = require("node:url");',
      "module.exports = {",
      "  get URL() {",
      "    return new URL(this.href);",
      "  },",
      "};",
    ],
  };
  expect(await sorted(files, "request.js#URL")).not.toContain("request.js:4");
});

test("Java: nested types of one name in a package are not taken for each other", async () => {
  const spec = (name: string) => [
    "package a;",
    `public class ${name} {`,
    "  static Builder builder() { return new Builder(); }",
    "  static class Builder { Builder add() { return this; } }",
    "}",
  ];
  const files = {
    "a/Left.java": spec("Left"),
    "a/Right.java": spec("Right"),
    "a/Use.java": "package a;\nclass Use { void f() { Left.builder().add(); } }\n",
  };
  expect(await sorted(files, "Left.Builder.add")).toEqual(["a/Use.java:2"]);
  expect(await sorted(files, "Right.Builder.add")).toEqual(["1 Left.Builder.add"]);
});

test("Kotlin: a function with the name of a type; a call in a block that has a receiver", async () => {
  const files = {
    "a/Day.kt": [
      "package a",
      "class Day(val year: Int)",
      "fun Day(text: String): Day = TODO()",
      "fun Project.more() {}",
    ],
    "a/use.kts": ["package a", "val kept: Day? = null", 'val made = Day("x")', "project { more() }"],
  };
  const modules = await openFiles(place, files);
  const asked = async (kind: "func" | "class") => {
    const found = await findExact(place.project, "a/Day.kt#Day", kind);
    const { references } = await findReferences(place.project, modules, found);
    return references
      .filter(({ file }) => file === "a/use.kts")
      .map(({ line, certain }) => `${line}${certain ? "" : "?"}`);
  };
  expect(await asked("func")).toEqual(["3?"]);
  expect(await asked("class")).toEqual(["2", "3?"]);
  expect(await sortedUses(place, files, "Project.more")).toEqual(["a/use.kts:4?"]);
});

test("an inherited member is the nearest one", async () => {
  const files = {
    "app.py": [
      "class Base:",
      "    def name(self): pass",
      "class App(Base):",
      "    def name(self): pass",
      "class Own(App): pass",
      "def f(own: Own):",
      "    own.name()",
    ],
  };
  expect(await sorted(files, "Base.name")).toEqual(["app.py:7?"]);
  expect(await sorted(files, "App.name")).toEqual(["app.py:7"]);
});

test("Lua: a module's name where it is required", async () => {
  const files = {
    "core/view.lua": "local view = {}\nfunction view.draw() end\nreturn view\n",
    "core/init.lua": 'local view = require "core.view"\nview.draw()\n',
  };
  expect(await sorted(files, "core/view.lua#view")).toEqual([
    "core/init.lua:1",
    "core/init.lua:2",
    "core/view.lua:2",
    "core/view.lua:3",
  ]);
});

test("Scala: a type behind another name of its package is possible", async () => {
  const files = {
    "zip/Modes.java": "package org.tools;\npublic class Modes { static int all() { return 1; } }\n",
    "src/Ops.scala": ["package os", "import org.{tools => t}", "object Ops { def f = t.Modes.all() }"],
  };
  expect(await sorted(files, "zip/Modes.java#Modes")).toEqual(["src/Ops.scala:3?"]);
});

test("what a type parameter stands for is not known", async () => {
  const files = {
    "src/lib.rs": [
      "pub trait Input { fn at(&self) -> usize; }",
      "pub struct Bytes;",
      "impl Input for Bytes { fn at(&self) -> usize { 0 } }",
      "pub struct Fsm<I> { input: I }",
      "impl<I: Input> Fsm<I> { fn run(&self) -> usize { self.input.at() } }",
    ],
  };
  expect(await sorted(files, "Bytes.at")).toEqual(["src/lib.rs:5?"]);
});

test("what is imported by name hides what comes with everything of a module", async () => {
  const files = {
    "src/lib.rs": [
      "mod unicode;",
      "mod plain;",
      "pub use crate::unicode::Regex;",
      "pub mod bytes { pub use crate::plain::*; }",
    ],
    "src/unicode.rs": "pub struct Regex;\n",
    "src/plain.rs": "pub struct Regex;\n",
    "src/find.rs": "use crate::Regex;\nfn f(regex: Regex) {}\n",
  };
  expect(await sorted(files, "src/unicode.rs#Regex")).toContain("src/find.rs:2");
  expect(await sorted(files, "src/plain.rs#Regex")).not.toContain("src/find.rs:2");
});

test("a bare call in a class means its own method, not that of a class of the same name", async () => {
  const test = (name: string) => [
    `package ${name};`,
    "class Tests {",
    "  void check() {}",
    "  void f() { check(); }",
    "}",
  ];
  const files = { "a/Tests.java": test("a"), "b/Tests.java": test("b") };
  expect(await sorted(files, "a/Tests.java#Tests.check")).toEqual([
    "a/Tests.java:4",
    "1 b/Tests.java#Tests.check",
  ]);
});

test("C++: the type of a result behind an arrow; Ruby: lists of symbols", async () => {
  const files = {
    "wide.hpp": [
      "struct wide { int low; };",
      "auto make() -> wide { return {}; }",
      "inline auto low(wide* one) -> int { return one->low; }",
    ],
    "json.rb": "class Json\n  def generate; end\nend\n%i[generate parse].each { |one| p one }\n",
  };
  expect(await sorted(files, "wide.hpp#wide")).toEqual(["wide.hpp:2", "wide.hpp:3"]);
  expect(await sorted(files, "wide.low")).toContain("wide.hpp:3");
  expect(await sorted(files, "Json.generate")).toEqual(["json.rb:4?"]);
});

test("C: functions whose name stands in brackets, behind a macro", async () => {
  const files = {
    "state.h": [
      "typedef struct state state;",
      "LIB_API state *(state_open) (int size);",
      "LIB_API int (state_top) (state *one);",
      "LIB_API const char *(state_name) (state *one);",
    ],
    "use.c": '#include "state.h"\nint f(state *one) { state_open(1); return state_top(one); }\n',
  };
  expect(await sorted(files, "state_open")).toEqual(["use.c:2"]);
  const kinds = async (name: string) => (await findExact(place.project, name)).map((d) => d.declaration.kind);
  expect(await kinds("state")).toEqual(["type"]);
  expect([await kinds("state_top"), await kinds("state_name")]).toEqual([["func"], ["func"]]);
});

test("Rust: a type of an impl is no meaning of its bare name", async () => {
  const files = {
    "src/parse.rs": [
      "pub struct Version;",
      "impl FromStr for Version {",
      "    type Err = Error;",
      "    fn from_str(text: &str) -> Result<Self, Self::Err> { Err(Error) }",
      "}",
    ],
  };
  const uses = await sorted(files, "Version.Err");
  expect(uses.filter((use) => use === "src/parse.rs:4")).toHaveLength(1);
});
