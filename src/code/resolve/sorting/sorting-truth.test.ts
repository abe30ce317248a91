// Where answers once differed from what the text of real repositories says (`bench/code-truth.ts`).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import type { Kind } from "../../languages/language.ts";
import { findExact } from "../definitions.ts";
import { ModuleFiles } from "../module-files.ts";
import { findReferences } from "../references.ts";
import { type Files, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string, kind?: Kind) => sortedUses(place, files, symbol, kind);

test("what may be in a text, behind a syntax error, is only possible", async () => {
  const files = {
    "a.kt": [
      "class Shape",
      "val s = Shape()",
      "val a = 1 2 3",
      'val text = """',
      "  Shape()",
      '"""',
      "val b = Shape()",
    ],
  };
  expect(await sorted(files, "Shape")).toEqual(["a.kt:2", "a.kt:5?", "a.kt:7"]);
});

test("the alias of a namespace of PHP stands for it", async () => {
  const files = {
    "Block/Renderer.php": ["<?php", "namespace App\\Block;", "class Renderer {}"],
    "Inline/Renderer.php": ["<?php", "namespace App\\Inline;", "class Renderer {}"],
    "use.php": ["<?php", "use App\\Block as Blocks;", "$r = new Blocks\\Renderer();"],
  };
  expect(await sorted(files, "Block/Renderer.php#Renderer")).toEqual(["use.php:3"]);
});

test("a module that leads to a script may give what a description of it declares", async () => {
  const files = {
    "package.json": '{ "name": "kit", "main": "lib/index.js", "types": "lib/index.d.ts" }',
    "lib/index.js": "module.exports = make();",
    "lib/index.d.ts": [
      "declare namespace Kit {",
      "  class Problem {}",
      "}",
      "declare const Kit: any;",
      "export = Kit;",
    ],
    "test/use.ts": ["import * as Kit from '..';", "new Kit.Problem();"],
  };
  expect(await sorted(files, "Kit.Problem")).toEqual(["test/use.ts:2?"]);
});

describe("JavaScript", () => {
  test("what a function gives to `this` is a member, inherited through the prototype", async () => {
    const files = {
      "shapes.js": [
        "function Type() {",
        "  this.addMethod = function () {};",
        "  this.draw = function () { this.addMethod(); };",
        "}",
        "function Class() {}",
        "Class.prototype = new Type();",
        "function Kind() {}",
        "Kind.prototype = Object.create(Type.prototype);",
        "function Alias() {}",
        "util.inherits(Alias, Type);",
        "class Other { addMethod() {} }",
      ],
      "use.js": [
        "const a = new Class();",
        "a.addMethod();",
        "const b = new Kind();",
        "b.addMethod();",
        "const c = new Alias();",
        "c.addMethod();",
        "const d = new Other();",
        "d.addMethod();",
      ],
    };
    expect(await sorted(files, "Type.addMethod")).toEqual([
      "shapes.js:3",
      "use.js:2",
      "use.js:4",
      "use.js:6",
      "1 Other.addMethod",
    ]);
  });

  test("a function that a method gives to `this` is a member of the class", async () => {
    const files = {
      "command.js": [
        "class Command {",
        "  copy(source) { this._exit = source._exit; }",
        "  override() { this._exit = () => {}; }",
        "}",
      ],
    };
    expect(await sorted(files, "Command._exit")).toEqual(["command.js:2", "command.js:2?"]);
  });

  test("a list of exports in which one gets another name", async () => {
    const files = {
      "base.ts": "export function open() {}\nexport function close() {}\n",
      "index.ts": 'import { close, open } from "./base";\nexport {\n  open as start,\n  close,\n};\n',
    };
    // Places that pass a name on are imports, which are left out here; none is something else.
    expect(await sorted(files, "close")).toEqual([]);
  });
});

describe("C and C++", () => {
  test("a bare name reaches into no other class or namespace", async () => {
    const files = {
      "state.hpp": [
        "namespace app {",
        "class Timer { public: enum State { Idle }; State state = Idle; bool isOn() const; };",
        "class Runner { enum Step { Idle }; Step step = Idle; };",
        "struct Mark {};",
        "namespace inner { struct Mark {}; }",
        "}",
      ],
      "state.cpp": [
        '#include "state.hpp"',
        "namespace app {",
        "bool Timer::isOn() const { return state != Idle; }",
        "struct Clock : Timer { bool isOff() { return state == Idle; } };",
        "void draw(Mark mark);",
        "namespace inner { void draw(Mark mark); }",
        "}",
      ],
    };
    expect(await sorted(files, "Timer.State.Idle")).toEqual([
      "state.cpp:3",
      "state.cpp:4",
      "state.hpp:2",
      "1 app.Runner.Step.Idle",
    ]);
    expect(await sorted(files, "state.hpp#app.Mark")).toEqual(["state.cpp:5", "1 app.inner.Mark"]);
    expect(await sorted(files, "inner.Mark")).toEqual(["state.cpp:6", "1 app.Mark"]);
  });

  test("a namespace in another namespace is none with the same name outside of it", async () => {
    const files = {
      "test.hpp": "namespace testing { class Test {}; }\n",
      "own.cpp": [
        '#include "test.hpp"',
        "namespace own { namespace testing { class Test {}; }",
        "class Mine : testing::Test {};",
        "class Other : public ::testing::Test {};",
        "}",
        "class Real : testing::Test {};",
        "class Named : own::testing::Test {};",
      ],
    };
    expect(await sorted(files, "test.hpp#testing.Test")).toEqual([
      "own.cpp:4",
      "own.cpp:6",
      "2 own.testing.Test",
    ]);
    expect(await sorted(files, "own.cpp#own.testing.Test")).toEqual([
      "own.cpp:3",
      "own.cpp:7",
      "2 testing.Test",
    ]);
  });

  test("a type that a class inherits beside one of its namespace; an enumerator by the whole path before it", async () => {
    const files = {
      "types.hpp": [
        "namespace app { typedef int Size; class Dto { public: typedef int Size; }; }",
        "namespace one { class First { public: enum Anchor { Start }; }; }",
        "namespace two { class Second { public: enum Anchor { Start }; }; }",
      ],
      "use.cpp": [
        '#include "types.hpp"',
        "class Mine : public app::Dto { Size size; };",
        "int start = First::Anchor::Start;",
      ],
    };
    expect(await sorted(files, "types.hpp#app.Size")).toEqual(["use.cpp:2?"]);
    expect(await sorted(files, "First.Anchor.Start")).toEqual(["use.cpp:3"]);
    expect(await sorted(files, "Second.Anchor.Start")).toEqual(["1 one.First.Anchor.Start"]);
  });

  test("the body of a test macro is in its fixture", async () => {
    const files = {
      "store_test.cc": [
        "struct StoreTest : public testing::Test { void Fill(int size) {} };",
        "TEST_F(StoreTest, Saves) {",
        "  Fill(1);",
        "}",
      ],
    };
    expect(await sorted(files, "StoreTest.Fill")).toEqual(["store_test.cc:3"]);
  });

  test("a comment says nothing of what stands behind it", async () => {
    const files = {
      "node.hpp": "struct node_t { void grow(); };\nstruct other_t { void grow(); };\nvoid close_all();\n",
      "node.cpp": [
        '#include "node.hpp"',
        "void f() {",
        "  // This makes a new other_t",
        "  node_t node = make (1); // for the other_t",
        "  node",
        "    // of the other_t",
        "    .grow();",
        "  // close the descriptor",
        "  ::close_all();",
        "  return ::close_all();",
        "}",
      ],
    };
    expect(await sorted(files, "node_t.grow")).toEqual(["node.cpp:7"]);
    expect(await sorted(files, "close_all")).toEqual(["node.cpp:9", "node.cpp:10"]);
  });

  test("a type that is another one on each system", async () => {
    const files = {
      "a.hpp": "struct first_t { typedef int handle_t; };\ntypedef first_t poller_t;\n",
      "b.hpp": "struct second_t { typedef int handle_t; };\ntypedef second_t poller_t;\n",
      "use.cpp": '#include "a.hpp"\n#include "b.hpp"\npoller_t::handle_t handle;\n',
    };
    expect(await sorted(files, "first_t.handle_t")).toEqual(["use.cpp:3?"]);
  });

  test("a struct inside a function", async () => {
    const files = {
      "names.c": [
        "void first(void) {",
        "  struct entry { int key; };",
        "  static const struct entry list[] = { { 1 } };",
        "}",
        "void second(struct entry *one);",
      ],
    };
    expect(await sorted(files, "first.entry")).toEqual(["names.c:3", "1 a name from elsewhere"]);
  });

  test("`struct name` is the type, and a macro may hide what has its name", async () => {
    const files = {
      "state.c": [
        "struct state { int deep; };",
        "static struct state state;",
        "int deep(void) { return state.deep; }",
      ],
      "token.h": "enum token { BREAK = 1, NEXT = 2 };\n#define BREAK 1\n",
      "lexer.c": '#include "token.h"\nint next(void) { return BREAK; }\nint last(void) { return NEXT; }\n',
    };
    expect(await sorted(files, "state.c#state")).toContain("state.c:3");
    expect(await sorted(files, "token.BREAK")).toEqual(["lexer.c:2?"]);
    expect(await sorted(files, "token.NEXT")).toEqual(["lexer.c:3"]);
  });

  test("a type inside of another is known by its name; a field of that name is none", async () => {
    const files = {
      "inst.h":
        "struct inst {\n  struct file* file;\n  struct imm { int value; } now;\n};\nstruct file { int size; };\n",
      "use.c": '#include "inst.h"\nint f(struct imm *p) { return p->value; }\n',
    };
    expect(await sorted(files, "inst.h#file")).toEqual(["inst.h:2"]);
    expect(await sorted(files, "inst.h#inst.imm")).toEqual(["use.c:2"]);
  });

  test("a type that is only declared may be defined in any source; sources that one file includes see each other", async () => {
    const files = {
      "parser.c": "struct param { int a; };\n",
      "lexer.c": "struct param;\nint f(struct param *p);\n",
      "common.c": "static int finish(int a) { return a; }\n",
      "basic.c": "int g(void) { return finish(1); }\n",
      "double.c": '#include "common.c"\n#include "basic.c"\n',
      "alone.c": "int h(void) { return finish(2); }\n",
    };
    expect(await sorted(files, "param")).toEqual(["lexer.c:1?", "lexer.c:2?"]);
    expect(await sorted(files, "finish")).toEqual(["basic.c:1?", "1 a name from elsewhere"]);
  });

  test("enumerators of an enum class and types defined out of line are members", async () => {
    const files = {
      "kinds.hpp": [
        "enum class kind { none, one };",
        "enum class state { none, two };",
        "enum plain { zero };",
        "inline bool f(kind k) { return k == kind::none && zero == 0; }",
      ],
      "table.hpp": "class Table { struct Rep; Rep* rep_; };\nclass Builder { struct Rep; Rep* rep_; };\n",
      "table.cc": '#include "table.hpp"\nstruct Table::Rep { int a; };\n',
      "builder.cc": '#include "table.hpp"\nstruct Builder::Rep { int a; };\n',
    };
    expect(await sorted(files, "kind.none")).toEqual(["kinds.hpp:4"]);
    expect(await sorted(files, "state.none")).toEqual(["1 kind.none"]);
    const sure = (await sorted(files, "Table.Rep")).filter(
      (use) => use.startsWith("table.hpp:2") && !use.endsWith("?"),
    );
    expect(sure).toEqual([]);
  });

  test("type arguments before `::` may hold others, and only types and namespaces stand before it", async () => {
    const files = {
      "cast.hpp": [
        "namespace safe_cast {",
        "template <typename T> T safe_cast(int a) { return a; }",
        "}",
        "template <bool B> struct checker { static bool fits(int a) { return true; } };",
        "template <typename T> bool g(int a) { return checker<limits<T>::is_signed>::fits(a); }",
        "inline int h(int a) { return safe_cast::safe_cast<int>(a); }",
      ],
    };
    expect(await sorted(files, "checker.fits")).toEqual(["cast.hpp:5"]);
    expect(await sorted(files, "safe_cast.safe_cast")).toEqual(["cast.hpp:6", "1 a type or namespace"]);
  });
});

test("Go: a method of several embedded types of one name; a key that is an embedded type", async () => {
  const files = {
    "v4/opt.go": "package v4\n\ntype opt struct{}\n\nfunc (o *opt) Leave() {}\n\ntype Conn struct{ opt }\n",
    "v6/opt.go": "package v6\n\ntype opt struct{}\n\nfunc (o *opt) Leave() {}\n\ntype Conn struct{ opt }\n",
    "v4/use.go":
      "package v4\n\nfunc f(c *Conn) { c.Leave() }\n\nfunc g() *Conn { return &Conn{opt: opt{}} }\n",
  };
  expect(await sorted(files, "v6/opt.go#opt.Leave")).toEqual(["1 v4/opt.go#opt.Leave"]);
  expect(await sorted(files, "v4/opt.go#opt.Leave")).toEqual(["v4/use.go:3"]);
  expect(await sorted(files, "v4/opt.go#opt")).toEqual([
    "v4/opt.go:5",
    "v4/opt.go:7",
    "v4/use.go:5?",
    "v4/use.go:5",
    "2 v6/opt.go#opt",
  ]);
});

test("Ruby: methods of a module belong to what includes it; a here document is a text; @name is no method", async () => {
  const files = {
    "a.rb": [
      "module Spaced",
      "  def put(key)",
      "    key",
      "  end",
      "end",
      "class Base",
      "  def put(key)",
      "    @put = key",
      "  end",
      "end",
      "class App < Base",
      "  def run",
      "    put 1",
      "  end",
      "end",
      "class Own",
      "  include Spaced",
      "  def run",
      "    put 2",
      "  end",
      "end",
      "PAGE = <<~HTML",
      "  <% if put 3 %>",
      "HTML",
    ],
  };
  expect(await sorted(files, "Base.put")).toEqual(["a.rb:13", "a.rb:19?", "1 a variable"]);
  expect(await sorted(files, "Spaced.put")).toEqual(["a.rb:13?", "a.rb:19", "1 a variable"]);
});

test("Python, Bash: what a function assigns is the variable of the file, where it says so or nothing else", async () => {
  const files = {
    "a.py":
      "count = 0\n\n\ndef add():\n    global count\n    count += 1\n\n\ndef own():\n    count = 2\n    return count\n",
    "b.sh": [
      "#!/bin/bash",
      "LEVEL=1",
      "raise() {",
      "  LEVEL=2",
      '  echo "$LEVEL"',
      "}",
      "own() {",
      "  local LEVEL=3",
      '  echo "$LEVEL"',
      "}",
    ],
  };
  expect(await sorted(files, "count")).toEqual(["a.py:5", "a.py:6", "2 a local variable"]);
  expect(await sorted(files, "LEVEL")).toEqual(["b.sh:4", "b.sh:5", "2 a local variable"]);
});

test("Lua, Python: the last of several names that are assigned is no key", async () => {
  const files = {
    "a.lua": "local line, column = 1, 2\nlocal function f(doc)\n  line, column = doc:place()\nend\n",
    "b.py":
      "line, width = 1, 2\n\n\ndef f():\n    global width\n    line, width = place()\n    g(line, width=2)\n",
  };
  expect(await sorted(files, "column")).toEqual(["a.lua:3"]);
  expect(await sorted(files, "width")).toEqual(["b.py:5", "b.py:6", "1 a key or argument name"]);
});

test("C++: what stands before `::` is a type, whatever constructor or variable has the name", async () => {
  const files = {
    "suite.cc": [
      '#include "elsewhere/suite.h"',
      "Suite::Suite(const char* name, Other other) {}",
      "int Suite::count() const { return 0; }",
      "int Other::count() const { return 0; }",
      "int total() { return sum(&Suite::count) + sum(&Other::count); }",
    ],
    "order.h": "class Order {\n public:\n  int Compare(int a) const;\n};\n",
    "use.cc": '#include "order.h"\nint f(const Order& o) { return o.Order::Compare(1); }\n',
  };
  expect(await sorted(files, "Suite.count")).toEqual(["suite.cc:5", "1 Other::count"]);
  expect(await sorted(files, "Order")).toEqual(["use.cc:2", "use.cc:2"]);
});

test("C++: what is reached through a type parameter is possible, whether or not the parameter has a default", async () => {
  const files = {
    "encodings.hpp": ["struct Utf8 {", "  enum { isUnicode = 1 };", "  int width();", "};"],
    "writer.hpp": [
      '#include "encodings.hpp"',
      "template <typename Source, typename Target = Utf8, typename... Rest>",
      "struct Writer {",
      "  bool a() { return Source::isUnicode; }",
      "  bool b() { return Target::isUnicode; }",
      "  bool c() { return (Rest::isUnicode || ...); }",
      "  int d() { return target.width(); }",
      "  Target target;",
      "};",
      "bool e() { return Other::isUnicode; }",
    ],
  };
  expect(await sorted(files, "Utf8.isUnicode")).toEqual([
    "writer.hpp:4?",
    "writer.hpp:5?",
    "writer.hpp:6?",
    "1 Other::isUnicode",
  ]);
  expect(await sorted(files, "Utf8.width")).toEqual(["writer.hpp:7?"]);
});

test("C++: a macro that stands for a value does not tell its type", async () => {
  const files = {
    "document.hpp": ["class Document { bool isBroken(); };"],
    "archive.cpp": [
      '#include "document.hpp"',
      "#define DOCUMENT reinterpret_cast<Document*>(document)",
      "bool open(void* document) { return DOCUMENT->isBroken(); }",
    ],
  };
  expect(await sorted(files, "Document.isBroken")).toEqual(["archive.cpp:3?"]);
});

test("C++: constructors that are inherited are named by the type, twice", async () => {
  const files = {
    "base.hpp": ["template <class T> struct Base { Base(int size) {} };"],
    "use.hpp": ['#include "base.hpp"', "struct Store : Base<int> {", "  using Base<int>::Base;", "};"],
  };
  expect(await sortedUses(place, files, "Base", "type")).toEqual(["use.hpp:2", "use.hpp:3", "use.hpp:3"]);
});

test("C++: a header is C++ however long its first comment is", async () => {
  const files = {
    "a.h": `/*\n${"* Using this is free, a class of {its own}.\n".repeat(1_000)}*/\nnamespace a {\nclass Store { int save(); };\n}\n`,
    "b.h": "/*\n  using namespace: no word of\n  class C {\n*/\nint plain(struct list *class);\n",
  };
  expect(await sorted(files, "a.Store.save")).toEqual([]);
  const [header] = place.project.declaring("plain");
  expect(header?.language).toBe("C");
});

test("Go: what a method returns stands behind its parameters", async () => {
  const files = {
    "a.go": [
      "package a",
      "type Set struct{}",
      "func (s *Set) Has() bool { return true }",
      "type Command struct{}",
      "func (c *Command) Flags(names ...string) *Set { return nil }",
      "func (c *Command) Has() bool { return c.Flags().Has() }",
    ],
  };
  expect(await sorted(files, "Set.Has")).toEqual(["a.go:6"]);
  expect(await sorted(files, "Command.Has")).toEqual(["1 Set.Has"]);
});

test("C++: a macro before a method that is defined out of line; a pointer that a function of its own makes", async () => {
  const files = {
    "logger.cc": [
      '#include "common.h"',
      "LIB_INLINE const std::vector<Sink> &logger::sinks() const { return sinks_; }",
      "void f(logger& one) { one.sinks(); }",
      "void g() { auto part = details::make_unique<details::logger>(); part->sinks(); }",
    ],
    "common.h": "namespace details {\ntemplate <typename T>\nstd::unique_ptr<T> make_unique() {}\n}\n",
  };
  expect(await sorted(files, "logger.sinks")).toEqual(["logger.cc:3", "logger.cc:4"]);
});

test("C: a struct and a function of one name; a type of functions that return a named type", async () => {
  const files = {
    "args.h": [
      "struct args_parse { int count; };",
      "typedef unsigned long key_code;",
      "typedef key_code (*key_cb)(void *, int);",
      "int args_parse(struct args_parse *parse);",
    ],
    "args.c": [
      '#include "args.h"',
      "int args_parse(struct args_parse *parse) { return parse->count; }",
      "static int flags(const struct args_parse *parse) { return args_parse(parse); }",
    ],
  };
  await openFiles(place, files);
  const modules = await ModuleFiles.of(place.project);
  const all = await findExact(place.project, "args_parse");
  const linesOf = async (kind: string) =>
    (
      await findReferences(
        place.project,
        modules,
        all.filter((d) => d.declaration.kind === kind),
      )
    ).references.map(({ file, line, column, certain }) => `${file}:${line}:${column}${certain ? "" : "?"}`);
  expect(await linesOf("type")).toEqual(["args.c:2:23", "args.c:3:31", "args.h:4:23"]);
  expect(await linesOf("func")).toEqual(["args.c:3:59"]);
  expect(await sorted(files, "key_code")).toEqual(["args.h:3"]);
  expect(await sorted(files, "key_cb")).toEqual([]);
});

describe("C#", () => {
  test("nested types of one name in one file are told apart by the type around", async () => {
    const files = {
      "Tests.cs": [
        "namespace App {",
        "class First { enum Level { Low } Level level = Level.Low; }",
        "class Second { enum Level { Low } Level level = Level.Low; }",
        "class Third { object level = Level.Low; }",
        "}",
      ],
    };
    expect(await sorted(files, "First.Level.Low")).toEqual([
      "Tests.cs:2",
      "Tests.cs:4?",
      "1 App.Second.Level.Low",
    ]);
  });
});

test("C#: the nearest namespace that has the name; a method that extends types from elsewhere", async () => {
  const files = {
    "Post.cs": "namespace App { class Post {} }\n",
    "Data/Post.cs": "namespace App.Data;\nclass Post { Post next; }\n",
    "Query.cs":
      "namespace App { static class Query { public static int First(this IConnection c) => 1; } }\n",
    "Use.cs": "namespace App { class Use { Post post; int F(DbConnection c) => c.First(); } }\n",
  };
  expect(await sorted(files, "Post.cs#App.Post")).toEqual(["Use.cs:1", "1 Data/Post.cs#Post"]);
  expect(await sorted(files, "Query.First")).toEqual(["Use.cs:1?"]);
});

describe("Swift, Scala and Kotlin", () => {
  test("a property of an extension sees what its type has", async () => {
    const files = {
      "options.swift": "struct Options { var scale: Int = 1 }\nenum Item { case scale(Int) }\n",
      "more.swift": "extension Options {\n  var doubled: Int { 2 * scale }\n}\n",
    };
    expect(await sorted(files, "Options.scale")).toEqual(["more.swift:2"]);
  });

  test("where only a type can stand, a value of its name is not meant; a type parameter may be any type", async () => {
    const files = {
      "Issues.scala": [
        "trait Issues0 {",
        "  lazy val Issues = TableQuery[Issues]",
        "  class Issues(tag: Tag) { def open = 1 }",
        "  def all = Issues.list",
        "}",
        "trait Functions[S[T] <: Signed[T]] {",
        "  def check[A](a: A)(implicit ev: S[A]) = ev.sign(a)",
        "}",
        "trait Signed[A] { def sign(a: A): Boolean }",
      ],
    };
    expect(await sortedUses(place, files, "Issues.scala#Issues0.Issues", "const")).toEqual([
      "Issues.scala:4",
      "1 a type",
    ]);
    expect(await sorted(files, "Signed.sign")).toEqual(["Issues.scala:7?"]);
  });

  test("an outer type that declares the name, a package of another name, a parent that others stand for", async () => {
    const files = {
      "play/Binders.scala": [
        "package play.inject",
        "object Paths {",
        "  class Parsing(s: String) extends Paths",
        '  object ofInt extends Parsing("a")',
        "}",
        "object Queries {",
        "  class Parsing(s: String) extends Queries",
        '  object ofInt extends Parsing("a")',
        "}",
        "trait Injector",
        "class Real(one: com.other.inject.Injector, two: play.inject.Injector, three: inject.Injector)",
      ],
      "Writer.kt": [
        "class Indenting(private val writer: XmlWriter) : XmlWriter by writer {",
        "  override fun end() = writer.end()",
        "}",
      ],
    };
    const uses = await sorted(files, "Paths.Parsing");
    expect(uses.filter((use) => use.startsWith("play/Binders.scala:8"))).not.toContain(
      "play/Binders.scala:8",
    );
    expect(await sorted(files, "Injector")).toEqual([
      "play/Binders.scala:11?",
      "play/Binders.scala:11",
      "play/Binders.scala:11",
    ]);
    expect(await sorted(files, "Indenting.end")).toEqual(["Writer.kt:2?"]);
  });

  test("an import that leads through a nested class", async () => {
    const files = {
      "app/Engine.kt": [
        "package app",
        "import app.Engine.Rule.Companion.ID",
        "class Engine {",
        "  class Rule {",
        "    companion object {",
        "      const val ID = 1",
        "    }",
        "  }",
        "}",
      ],
    };
    const modules = await openFiles(place, files);
    const definitions = await findExact(place.project, "Engine.Rule");
    const { references } = await findReferences(place.project, modules, definitions);
    expect(references.map(({ line, certain }) => `${line} ${certain}`)).toEqual(["2 true"]);
  });
});

test("Scala: a function of a package object is not the package of its name", async () => {
  const files = {
    "os/watch/package.scala": [
      "package os",
      "package object watch {",
      "  def watch(roots: Seq[String]): AutoCloseable = new os.watch.mac.Watcher(roots)",
      "}",
    ],
    "os/watch/mac.scala": ["package os.watch.mac", "class Watcher(roots: Seq[String])"],
    "use.scala": ["package use", "class Use { val one = os.watch.watch(Nil) }"],
  };
  expect(await sorted(files, "os/watch/package.scala#watch.watch")).toEqual([
    "use.scala:2",
    "3 os/watch/package.scala#watch",
  ]);
});

test("C++: a header with a path is C++; a member call is no use of a type of that name", async () => {
  const files = {
    "value.h": [
      "struct Value {",
      "  enum type { whole, part };",
      "  Mode request = Mode::plain;",
      "  enum type kind() const;",
      "  int type() const;",
      "};",
      "struct Below : Value {};",
    ],
    "use.cpp": [
      '#include "value.h"',
      "bool is(Value v, Value *p) { return v.type() == 1 || p->type() == 2; }",
      "enum Value::type made();",
    ],
  };
  expect(await sorted(files, "value.h#Value.request")).toEqual([]);
  expect(await sorted(files, "value.h#Value.type", "enum")).toEqual(["use.cpp:3", "value.h:4", "2 a member"]);
});
