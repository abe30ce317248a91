import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import type { Project } from "../../project/project.ts";
import { findDefinitions, findExact, targetOf } from "../definitions.ts";
import { ModuleFiles } from "../module-files.ts";
import { type Files, nodesBelow, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
let project: Project;
beforeEach(() => {
  place = openProject();
  project = place.project;
});
afterEach(() => place.close());

const open = (files: Files) => openFiles(place, files);
const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

const defined = async (symbol: string) =>
  (await findExact(project, symbol)).map((d) => `${targetOf(d)}:${d.declaration.line} ${d.declaration.kind}`);

describe("nothing is dropped", () => {
  test("an unknown receiver is possible, a known other type is named, however rare the name", async () => {
    const files = {
      "session.ts": "export class Session { close() {} }\n",
      "file.ts": "export class File { close() {} }\n",
      "use.ts": [
        'import { Session } from "./session";',
        'import { File } from "./file";',
        "export function run(s: Session, f: File, x: any) {",
        "  s.close();",
        "  f.close();",
        "  x.close();",
        "  const close = 1;",
        "  return close;",
        "}",
      ],
    };
    expect(await sorted(files, "Session.close")).toEqual([
      "use.ts:4",
      "use.ts:6?",
      "1 File.close",
      "2 a local variable",
    ]);
  });

  test("a method of an object without a name may be called through whatever type the object gets", async () => {
    const files = {
      "events.ts": "export interface Events { onMessage?: (text: string) => void }\n",
      "socket.ts": [
        'import type { Events } from "./events";',
        "export const serve = (events: Events) => events.onMessage?.('a');",
        "export const other = (x: unknown) => (x as any).onMessage();",
      ],
      "app.ts": ['import { serve } from "./socket";', "serve({", "  onMessage(text) {},", "});"],
      "late.ts":
        "export const later = (o: {\n  // What comes in.\n  onMessage?: () => void\n}) => o;\nconst onMessage = 1;\n",
    };
    expect(await sorted(files, "app.ts#onMessage")).toEqual(["late.ts:3?", "socket.ts:2?", "socket.ts:3?"]);
  });

  test("C++: functions of one name in several headers are overloads; which one is meant is not known", async () => {
    const files = {
      "base.h": "namespace lib {\ninline void write(int value) {}\nvoid flush();\n}\n",
      "time.h": [
        '#include "base.h"',
        "namespace lib {",
        "inline void write(double value) {}",
        "inline void both() { write(1); flush(); }",
        "}",
      ],
      "base.cc": '#include "base.h"\nvoid lib::flush() {}\n',
    };
    expect(await sorted(files, "base.h#lib.write")).toEqual(["time.h:4?"]);
    expect(await sorted(files, "time.h#lib.write")).toEqual(["time.h:4?"]);
    expect(await sorted(files, "base.h#lib.flush")).toContain("time.h:4");
  });

  test("a name that nothing else has is no proof for an unknown receiver", async () => {
    const files = {
      "a.py": "class Box:\n    def rare_name(self):\n        pass\n",
      "b.py": "def f(thing):\n    thing.rare_name()\n",
    };
    expect(await sorted(files, "Box.rare_name")).toEqual(["b.py:2?"]);
  });

  test("Python and Ruby: a capital at the end of the line before is no type", async () => {
    const python = {
      "a.py": "class Box:\n    def open(self):\n        pass\n",
      "b.py":
        "def f(box):\n    # see Gate\n    x = Gate\n    box.open()\n    with box as b:\n        b.open()\n",
    };
    expect(await sorted(python, "Box.open")).toEqual(["b.py:4?", "b.py:6?"]);
  });

  test("Ruby: the same, and symbols that name a method", async () => {
    const ruby = {
      "a.rb": "class Box\n  def open\n  end\nend\n",
      "b.rb": "# about Gate\nbox = make\nbox.open\nbefore_action :open\n",
    };
    expect(await sorted(ruby, "Box#open")).toEqual(["b.rb:3?", "b.rb:4?"]);
  });

  test("the full stop of a comment and the arrow before a result are no receivers", async () => {
    const swift = {
      "A.swift": "struct Code {}\nfunc make() -> Code {\n  // It is made here.\n  Code()\n}\n",
    };
    expect(await sorted(swift, "Code")).toEqual(["A.swift:2", "A.swift:4"]);
  });

  test("Go: a key of a map may be a constant", async () => {
    const files = {
      "a/a.go": 'package a\n\nconst Ready = 1\n\nvar names = map[int]string{\n\tReady: "ready",\n}\n',
    };
    expect(await sorted(files, "Ready")).toEqual(["a/a.go:6"]);
  });

  test("in a file with errors, code that seems to stand in a long text counts", async () => {
    // A form that the grammar does not know turns texts and code around.
    const odd = ["a", '="', "$", '{(@f)"$(b)"}"'].join("");
    const files = {
      "a.zsh": [odd, "second", 'echo "b"', ""],
      "b.sh": "second() { echo b; }\n",
    };
    const found = await sorted(files, "b.sh#second");
    expect(found).toEqual(["a.zsh:2?"]);
  });

  test("what stands after a syntax error is still found", async () => {
    const files = {
      "broken.ts": "function (((\nexport function late() {}\n",
      "use.ts": 'import { late } from "./broken";\nlate();\n',
    };
    expect(await sorted(files, "late")).toEqual(["use.ts:2"]);
  });
});

test("a file that is too large to index is named, and every occurrence in it is possible", async () => {
  const files = {
    "a.c": "int used(void) { return 1; }\n",
    "large.c": `int main(void) { return used(); }\n${"// filler\n".repeat(160_000)}`,
  };
  expect(await sorted(files, "used")).toEqual(["large.c:1?"]);
  expect(await project.notUnderstood("used")).toEqual(["large.c"]);
});

describe("Java", () => {
  test("the same package in another source root; static imports; loop variables", async () => {
    const files = {
      "src/main/java/a/Item.java":
        "package a;\npublic class Item {\n  public void run() {}\n  public static int count() { return 1; }\n}\n",
      "src/test/java/a/ItemTest.java": [
        "package a;",
        "class ItemTest {",
        "  void t(java.util.List<Item> items) {",
        "    for (Item item : items) { item.run(); }",
        "    for (var other : items) { other.run(); }",
        "  }",
        "}",
      ],
      "src/main/java/b/Use.java":
        "package b;\nimport static a.Item.count;\nclass Use {\n  int c() { return count(); }\n}\n",
    };
    expect(await sorted(files, "Item.run")).toEqual([
      "src/test/java/a/ItemTest.java:4",
      "src/test/java/a/ItemTest.java:5?",
    ]);
    expect(await sorted(files, "Item.count")).toEqual(["src/main/java/b/Use.java:4"]);
    expect(await sorted(files, "Item.java#Item")).toEqual([
      "src/test/java/a/ItemTest.java:3",
      "src/test/java/a/ItemTest.java:4",
    ]);
  });

  test("a class and its constructor are told apart", async () => {
    await open({ "A.java": "class A {\n  A() {}\n}\n", "B.java": "class B { A a = new A(); }\n" });
    expect(await defined("A.java#A")).toEqual(["A.java#A:1 class"]);
    expect(await defined("A.java#A.A")).toEqual(["A.java#A.A:2 method"]);
  });
});

test("Kotlin: fun interface, extension functions, packages over folders", async () => {
  const files = {
    "a/Codec.kt":
      "package app\nfun interface Codec { fun encode(x: String): String }\nfun String.shout(): String = uppercase()\nclass Box { fun open() {} }\n",
    "b/Use.kt": [
      "package app",
      "class Upper : Codec { override fun encode(x: String) = x.shout() }",
      "fun use(c: Codec, b: Box) {",
      '  c.encode("x")',
      "  b.open()",
      "  val made = Box()",
      "  made.open()",
      "}",
    ],
  };
  expect(await sorted(files, "Codec")).toEqual(["b/Use.kt:2", "b/Use.kt:3"]);
  expect(await sorted(files, "Codec.encode")).toEqual(["b/Use.kt:4"]);
  expect(await sorted(files, "Box.open")).toEqual(["b/Use.kt:5", "b/Use.kt:7"]);
  expect((await sorted(files, "shout")).map((one) => one.replace("?", ""))).toEqual(["b/Use.kt:2"]);
  const modules = await ModuleFiles.of(project);
  expect(await nodesBelow(place, modules, "implementations", "Codec")).toEqual(["Upper"]);
});

describe("C and C++", () => {
  test("C: enumerators, and no function named else if", async () => {
    const files = {
      "k.h": "enum kind { KIND_A, KIND_B };\n",
      "k.c": [
        '#include "k.h"',
        "int f(int k) {",
        "#ifdef X",
        "  if (k) {",
        "    return 1;",
        "  } else if (k == KIND_A) {",
        "#endif",
        "    return KIND_A;",
        "  }",
        "  switch (k) { case KIND_A: return 2; }",
        "  return 0;",
        "}",
      ],
    };
    expect(await sorted(files, "KIND_A")).toEqual(["k.c:6", "k.c:8", "k.c:10"]);
    expect(await findDefinitions(project, "if")).toEqual([]);
  });

  test("C++: methods defined out of line in a namespace, enumerators, smart pointers", async () => {
    const files = {
      "s.hpp":
        "#pragma once\nnamespace app {\nenum class Color { Red, Blue };\nclass Store {\n public:\n  void save();\n};\n}\n",
      "s.cpp": '#include "s.hpp"\nnamespace app {\nvoid Store::save() {}\n}\n',
      "u.cpp": [
        '#include "s.hpp"',
        "#include <memory>",
        "void f(std::unique_ptr<app::Store> p, app::Store &r) {",
        "  p->save();",
        "  r.save();",
        "  auto q = std::make_shared<app::Store>();",
        "  q->save();",
        "  auto c = app::Color::Red;",
        "  unknown()->save();",
        "}",
      ],
    };
    expect(await sorted(files, "Store.save")).toEqual(["u.cpp:4", "u.cpp:5", "u.cpp:7", "u.cpp:9?"]);
    expect(await sorted(files, "Color.Red")).toEqual(["u.cpp:8"]);
    expect(await defined("app::Store::save")).toEqual([
      "s.cpp#app.Store.save:3 method",
      "s.hpp#app.Store.save:6 method",
    ]);
  });
});

test("Rust: items inside macros, pub use chains, receivers behind Arc::new", async () => {
  const files = {
    "Cargo.toml": '[package]\nname = "app"\n',
    "src/lib.rs": "mod inner;\npub use inner::Store;\nmod user;\n",
    "src/inner.rs": [
      "cfg_rt! {",
      "    pub struct Store { n: u32 }",
      "    impl Store {",
      "        pub fn save(&self) {}",
      "    }",
      "}",
      "pin_project! { pub struct Pinned { x: u32 } }",
    ],
    "src/user.rs": [
      "use crate::Store;",
      "use std::sync::Arc;",
      "pub fn f() {",
      "    let s = Arc::new(Store { n: 1 });",
      "    s.save();",
      "}",
      "pub fn g(s: Arc<Store>) { s.save(); }",
    ],
  };
  expect(await sorted(files, "Store")).toEqual(["src/inner.rs:3", "src/user.rs:4", "src/user.rs:7"]);
  expect(await sorted(files, "Store.save")).toEqual(["src/user.rs:5", "src/user.rs:7"]);
  expect(await defined("Pinned")).toEqual(["src/inner.rs#Pinned:7 type"]);
});

test("Lua: obj:method(), require of init.lua, A:b as a name", async () => {
  const files = {
    "store/init.lua":
      "local Store = {}\nfunction Store:save() end\nfunction Store.open() end\nreturn Store\n",
    "use.lua": 'local store = require("store")\nstore.open()\nlocal s = store.open()\ns:save()\n',
  };
  expect(await sorted(files, "Store:save")).toEqual(["use.lua:4?"]);
  expect(await sorted(files, "Store.open")).toEqual(["use.lua:2", "use.lua:3"]);
});

test("Go: what a constructor returns, import-path names, keys of literals", async () => {
  const files = {
    "go.mod": "module example.org/x\n",
    "internal/brain/plan.go": [
      "package brain",
      "type Planner struct { Size int }",
      "func NewPlanner() *Planner { return &Planner{Size: 1} }",
      "func (p *Planner) Plan() {}",
      "type Doer interface { Plan() }",
    ],
    "main.go": [
      "package main",
      'import "example.org/x/internal/brain"',
      "func main() {",
      "  p := brain.NewPlanner()",
      "  p.Plan()",
      "  q := brain.Planner{Size: 2}",
      "  q.Plan()",
      "  var d brain.Doer = p",
      "  d.Plan()",
      "}",
    ],
  };
  expect(await sorted(files, "example.org/x/internal/brain.Planner.Plan")).toEqual([
    "main.go:5",
    "main.go:7",
    "main.go:9?",
  ]);
  expect(await sorted(files, "Planner.Size")).toEqual(["internal/brain/plan.go:3", "main.go:6"]);
});

test("JavaScript: module.exports.X and Class.X define, require does not", async () => {
  const files = {
    "lib.js":
      "module.exports.first = 1;\nexports.second = function () {};\nclass Box {}\nBox.Size = 3;\nmodule.exports.Box = Box;\n",
    "use.js":
      'const lib = require("./lib");\nconst { first } = require("./lib");\nlib.second();\nconsole.log(first, lib.Box.Size, lib.first);\n',
  };
  expect(await sorted(files, "second")).toEqual(["use.js:3"]);
  expect(await sorted(files, "lib.js#first")).toEqual(["use.js:2", "use.js:4", "use.js:4"]);
  expect((await sorted(files, "Box.Size")).map((one) => one.replace("?", ""))).toEqual(["use.js:4"]);
  expect(await defined("first")).toEqual(["lib.js#first:1 var"]);
  expect(await defined("lib")).toEqual([]);
});

test("PHP: members of traits", async () => {
  const php = {
    "T.php": "<?php\ntrait Logs {\n  function log() {}\n}\n",
    "A.php":
      "<?php\nclass A {\n  use Logs;\n  function f() { $this->log(); }\n}\nfunction g(A $a) { $a->log(); }\n",
  };
  expect(await sorted(php, "Logs.log")).toEqual(["A.php:4", "A.php:6"]);
});

test("Scala: members that a companion inherits", async () => {
  const scala = {
    "a.scala":
      "package a\nclass Box\nobject Box extends Maker {\n  def apply(): Box = new Box\n}\ntrait Maker {\n  def make(): Int = 1\n}\n",
    "b.scala": "package a\nobject Use {\n  def f = Box.make()\n}\n",
  };
  expect(await sorted(scala, "Maker.make")).toEqual(["b.scala:3"]);
});
