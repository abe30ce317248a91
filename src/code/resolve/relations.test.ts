// What is derived from a type, and what overrides a method.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../folder.suite.ts";
import { askGraph } from "./graph.ts";
import type { ModuleFiles } from "./module-files.ts";
import { type Files, nodesBelow, openFiles, placesBelow } from "./sorting/sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

type Below = "implementations" | "inheritors";
const open = (files: Files) => openFiles(place, files);
const nodes = (modules: ModuleFiles, operation: Below, target: string) =>
  nodesBelow(place, modules, operation, target);
const places = (modules: ModuleFiles, operation: Below, target: string) =>
  placesBelow(place, modules, operation, target);

test.each<[string, Files, string, string[], string[]]>([
  [
    "Java",
    {
      "A.java": [
        "interface Sink { int put(); }",
        "class Fine implements Sink { public int put() { return 1; } }",
        "class Probe {",
        "  Sink one = new Sink() { public int put() { return 2; } };",
        "  Sink two() { return new Sink() { class Inner { int put() { return 3; } } public int put() { return 4; } }; }",
        "  Object three() { return new Object() { public int put() { return 5; } }; }",
        "}",
      ],
    },
    "Sink.put",
    ["class Fine implements Sink", "new Sink()", "new Sink()"],
    ["A.java:2", "A.java:4", "A.java:5"],
  ],
  [
    "Kotlin",
    {
      "a.kt": [
        "interface Sink { fun put(): Int }",
        "class Probe {",
        "  val one = object : Sink { override fun put() = 2 }",
        "  fun two(): Sink {",
        "    return object : Sink {",
        "      override fun put() = 3",
        "    }",
        "  }",
        "}",
      ],
    },
    "Sink.put",
    ["object : Sink", "object : Sink"],
    ["a.kt:3", "a.kt:6"],
  ],
  [
    "Scala",
    {
      "a.scala": [
        "trait Sink { def put: Int }",
        "trait Other",
        "object Probe {",
        "  val one: Sink = new Sink { def put = 1 }",
        "  val two = new Sink with Other { def put = 2 }",
        "  def three(i: Int) = new Other with Sink { def put = i }; val four = new Base(1) with Sink { def put = 4 }",
        "  val five = new Sink",
        "}",
      ],
    },
    "Sink.put",
    ["new Sink", "new Sink with Other", "new Other with Sink", "new Base(1) with Sink"],
    ["a.scala:4", "a.scala:5", "a.scala:6", "a.scala:6"],
  ],
  [
    "PHP",
    {
      "a.php": [
        "<?php",
        "abstract class Base { abstract function run(); }",
        "class BaseTest {",
        "  function make() { return new class(1) extends Base { function run() {} }; }",
        "}",
      ],
    },
    "Base.run",
    ["class(1) extends Base"],
    ["a.php:4"],
  ],
  [
    "TypeScript",
    {
      "a.ts": [
        "export interface Port { open(): void }",
        "export class Wire implements Port { open() {} }",
        "export function make(): Port { return new (class implements Port { open() {} })(); }",
        "export class Holder { port = class extends Wire { open() {} }; }",
      ],
    },
    "Port.open",
    ["export class Wire implements Port", "class implements Port", "class extends Wire"],
    ["a.ts:2", "a.ts:3", "a.ts:4"],
  ],
])(
  "%s: a class without a name is one of those below a type, not the class around it",
  async (_, files, method, types, overrides) => {
    const modules = await open(files);
    const [type = ""] = method.split(".");
    const answer = await askGraph(
      place.project,
      modules,
      { operation: "implementations", target: type, depth: 1 },
      () => true,
    );
    expect(answer && "nodes" in answer && answer.nodes.map(({ signature }) => signature)).toEqual(types);
    expect((await places(modules, "implementations", method)).sort()).toEqual(overrides);
  },
);

test("a parent that is written with its package is the one of that package", async () => {
  const modules = await open({
    "test/Base.java": "package test; public class Base {}",
    "test/unit/Base.java": "package test.unit; public class Base {}",
    "test/unit/Probe.java": "package test.unit; public class Probe extends test.Base {}",
  });
  expect(await places(modules, "inheritors", "test/Base.java#Base")).toEqual(["test/unit/Probe.java:1"]);
});

test("object literals that are checked against a type implement it", async () => {
  const modules = await open({
    "runtime.ts": "export interface Runtime { start(): void; stop(): void }\n",
    "stubs.ts": [
      'import type { Runtime } from "./runtime";',
      "export const stub: Runtime = {",
      "  // start: { as in a comment",
      '  stop: () => ({ start: 1, text: "start: {" }),',
      "  async start() {},",
      "};",
      "const start = () => {};",
      "export function make(): Runtime {",
      "  const short: Runtime = { stop() {}, start };",
      "  return short;",
      "}",
      "export const checked = { start() {}, stop() {} } satisfies Runtime;",
      "export const forced = { start() {} } as unknown as Runtime;",
      "export const other = { start() {}, stop() {} };",
    ].join("\n"),
  });
  const answer = await askGraph(
    place.project,
    modules,
    { operation: "implementations", target: "Runtime.start", depth: 1 },
    () => true,
  );
  expect(answer && "nodes" in answer && answer.nodes.map(({ name, line }) => `${name} ${line}`)).toEqual([
    "stub.start 5",
    "short.start 9",
    "checked.start 12",
  ]);
  expect(await nodes(modules, "implementations", "Runtime")).toEqual(["stub", "short", "checked"]);
});

test("implementations and inheritors at any distance, with the type between", async () => {
  const modules = await open({
    "repo.ts": "export interface Repository { find(): void }\n",
    "sql.ts":
      'import { Repository } from "./repo";\nexport abstract class SqlRepository implements Repository { find() {} }\n',
    "users.ts":
      'import { SqlRepository } from "./sql";\nexport class Users extends SqlRepository { find() {} }\nexport class Admins extends Users { find() {} }\n',
    "other/repo.ts": "export interface Repository { find(): void }\n",
    "other/fake.ts":
      'import { Repository } from "./repo";\nexport class Fake implements Repository { find() {} }\n',
  });
  expect(await nodes(modules, "implementations", "repo.ts#Repository.find")).toEqual([
    "SqlRepository.find",
    "Users.find via SqlRepository",
    "Admins.find via Users",
  ]);
  expect(await nodes(modules, "inheritors", "repo.ts#Repository")).toEqual([
    "SqlRepository",
    "Users via SqlRepository",
    "Admins via Users",
  ]);
});

test("inheritors of one name in several functions of a file are all found", async () => {
  const stub = (name: string) => [
    `def test_${name}():`,
    "    class Stub(Transport):",
    "        def close(self): ...",
  ];
  const modules = await open({
    "transport.py": ["class Transport:", "    def close(self): ..."],
    "test_transport.py": ["from transport import Transport", ...stub("a"), ...stub("b")],
  });
  expect(await places(modules, "inheritors", "Transport")).toEqual([
    "test_transport.py:3",
    "test_transport.py:6",
  ]);
});

test("types of one name in several functions, and what is derived from another name for a type", async () => {
  const modules = await open({
    "hook.ts": [
      "export interface Hook<T> { run(): void }",
      "export type LateHook = Hook<string>;",
      "export type BigHook = Hook<number> & { size: number };",
      "interface Wide extends BigHook { name: string }",
    ],
    "hook.spec.ts": [
      'import { Hook, LateHook } from "./hook";',
      'it("a", () => { class Stub implements Hook<number> { run() {} } });',
      'it("b", () => { class Stub implements Hook<number> { run() {} } });',
      "class Last implements LateHook { run() {} }",
    ],
  });
  expect(await places(modules, "inheritors", "Hook")).toEqual([
    "hook.spec.ts:2",
    "hook.spec.ts:3",
    "hook.spec.ts:4",
    "hook.ts:4",
  ]);
  expect(await nodes(modules, "implementations", "Hook.run")).toEqual(["Stub.run", "Stub.run", "Last.run"]);
});

test("Java: a nested type whose name others of the package have, too, behind its outer type", async () => {
  const modules = await open({
    "net/Line.java": [
      "package net;",
      "public class Line {",
      "  public static class Builder { Line make() {} }",
      "}",
    ],
    "cache/Big.java": ["package cache;", "class Big { static class Builder { } }"],
    "cache/Fast.java": [
      "package cache;",
      "import net.Line;",
      "class Fast extends Line {",
      "  static class Builder extends Line.Builder {",
      "    Line make() {}",
      "  }",
      "}",
    ],
  });
  expect(await nodes(modules, "inheritors", "Line.Builder")).toEqual(["? Fast.Builder"]);
  expect(await nodes(modules, "implementations", "Line.Builder.make")).toEqual(["? Fast.Builder.make"]);
});

test("C++: a type below one of its own name, and one beside a nested type that has its parent's name", async () => {
  const modules = await open({
    "batch.hpp": ["class Batch {", " public:", "  class Handler { virtual void put(); };", "};"],
    "base.hpp": ["class Base { virtual void run(); };"],
    "model.cpp": [
      '#include "batch.hpp"',
      '#include "base.hpp"',
      "void write() {",
      "  class Handler : public Batch::Handler { void put() override {} };",
      "}",
      "class List { class Base {}; };",
      "class Store : public Base { void run() override {} };",
    ],
  });
  expect(await nodes(modules, "inheritors", "Batch.Handler")).toEqual(["write.Handler"]);
  expect(await nodes(modules, "implementations", "Batch.Handler.put")).toEqual(["write.Handler.put"]);
  expect(await nodes(modules, "inheritors", "base.hpp#Base")).toEqual(["Store"]);
});

test("inheritors that know their parent by another name", async () => {
  const files = {
    "base.ts": "class Hub {\n  run() {}\n}\nexport { Hub as BaseHub };\n",
    "hub.ts": 'import { BaseHub } from "./base.ts";\nexport class Big extends BaseHub {\n  run() {}\n}\n',
    "core/plan.py": "class Plan:\n    def run(self): pass\n",
    "plan.py": "from core.plan import Plan as CorePlan\nclass Plan(CorePlan):\n    def run(self): pass\n",
    "late.py": "import plan\nclass Late: ...\nplan.Plan.__bases__ = (object, Late)\n",
  };
  const modules = await open(files);
  expect(await places(modules, "inheritors", "base.ts#Hub")).toEqual(["hub.ts:2"]);
  expect(await places(modules, "implementations", "base.ts#Hub.run")).toEqual(["hub.ts:3"]);
  expect(await places(modules, "inheritors", "core/plan.py#Plan")).toEqual(["plan.py:2"]);
  expect(await places(modules, "inheritors", "late.py#Late")).toEqual(["plan.py:2"]);
});

test("Go: shapes made of embedded types, of other packages and of the standard library", async () => {
  const modules = await open({
    "go.mod": "module example.org/app\n",
    "api/api.go": [
      "package api",
      'import "io"',
      "type Marker struct{}",
      "func (Marker) marked() {}",
      "type Option interface { SetConfig() }",
      "type Module interface { io.Closer; Name() string; marked() }",
    ],
    "parser/parser.go": ["package parser", "type Option interface { SetParser() }"],
    "table/table.go": [
      "package table",
      'import ("os"; "example.org/app/api"; "example.org/app/parser")',
      "type Option interface { api.Option; SetTable() }",
      "type wide struct{}",
      "func (wide) SetConfig() {}",
      "func (wide) SetTable() {}",
      "type narrow struct{}",
      "func (narrow) SetTable() {}",
      "type module struct { *os.File; api.Marker }",
      "func (module) Name() string { return parser.Name }",
    ],
    "table/table_test.go": ["package table_test", "type wide struct{}"],
    "use/use.go": [
      "package use",
      "func SetTable(node any) {",
      "  if one, ok := node.(interface{ SetTable() }); ok { one.SetTable() }",
      "}",
    ],
  });
  expect(await nodes(modules, "implementations", "table/table.go#Option")).toEqual(["wide", "wide"]);
  expect(await nodes(modules, "implementations", "api.Module")).toEqual(["module"]);
  expect(await nodes(modules, "implementations", "api/api.go#Module.marked")).toEqual([
    "Marker.marked via module",
  ]);
  expect(await nodes(modules, "implementations", "use/use.go#SetTable.SetTable")).toEqual([
    "? wide.SetTable",
    "? narrow.SetTable",
  ]);
});

test("C++: other names of a type in outer namespaces, mixins, and classes that a macro makes", async () => {
  const modules = await open({
    "store.hpp": ["namespace app { namespace types {", "class Store { virtual void save(); };", "} }"],
    "names.hpp": ['#include "store.hpp"', "namespace app { typedef app::types::Store Store; }"],
    "proxy.hpp": ["template <class Base, class Self>", "class Proxy : public Base {};"],
    "use.cpp": [
      '#include "names.hpp"',
      '#include "proxy.hpp"',
      "class Disk : public app::Store { void save() override {} };",
      "class Near : public Proxy<app::Store, Near> { void save() override {} };",
      "class List : public std::vector<app::Store> { void save() {} };",
      'ENDPOINT("GET", "/", root) {',
      "  void save() override {}",
      "};",
    ],
  });
  expect(await nodes(modules, "inheritors", "app.types.Store")).toEqual(["Disk", "? Near"]);
  expect((await places(modules, "implementations", "app.types.Store.save")).sort()).toEqual([
    "use.cpp:3",
    "use.cpp:4",
    "use.cpp:7",
  ]);
});

test("Go: an interface with another name, or of a function, is implemented like any other", async () => {
  const modules = await open({
    "go.mod": "module example.org/app\n",
    "check/check.go": ["package check", "type helper = interface {", "  Helper()", "}"],
    "check/check_test.go": [
      "package check",
      "func TestNames() {",
      "  type named interface {",
      "    Name() string",
      "  }",
      "}",
    ],
    "use/use.go": [
      "package use",
      "type output struct{}",
      "func (output) Helper() {}",
      'func (output) Name() string { return "" }',
    ],
  });
  expect(await nodes(modules, "implementations", "helper")).toEqual(["output"]);
  expect(await places(modules, "implementations", "helper.Helper")).toEqual(["use/use.go:3"]);
  expect(await nodes(modules, "implementations", "TestNames.named")).toEqual(["output"]);
  expect(await places(modules, "implementations", "TestNames.named.Name")).toEqual(["use/use.go:4"]);
});

test("Go: what embeds a type that is not known may get its other methods from there", async () => {
  const modules = await open({
    "go.mod": "module example.org/app\n",
    "a.go": [
      "package app",
      'import ("io"; "testing"; "example.com/other")',
      "type Rewinder interface { io.Reader; Rewind() error; Length() int }",
      "type Quiet struct { *testing.T }",
      "type Logger interface { Logf(format string, args ...any) }",
      "type Whole struct { io.Reader }",
      "func (Whole) Rewind() error { return nil }",
      "func (Whole) Length() int { return 0 }",
      "type Open struct { other.Thing }",
      "func (Open) Rewind() error { return nil }",
      "func (Open) Length() int { return 0 }",
      "type Far struct { other.Thing }",
      "func (Far) Length() int { return 0 }",
    ],
  });
  expect(await nodes(modules, "implementations", "Rewinder")).toEqual(["Whole", "? Open"]);
  expect(await nodes(modules, "implementations", "Logger")).toEqual(["Quiet"]);
});

test("Python: a class of the file that an import may replace", async () => {
  const modules = await open({
    "tools/dicts.py": "class MultiDict(dict):\n    pass\n",
    "tools/urls.py": [
      "class MultiDict(dict):",
      "    pass",
      "try:",
      "    from .dicts import MultiDict",
      "except ImportError:",
      "    pass",
      "class QueryDict(MultiDict):",
      "    pass",
    ],
  });
  expect(await nodes(modules, "inheritors", "tools/dicts.py#MultiDict")).toEqual(["? QueryDict"]);
  expect(await nodes(modules, "inheritors", "tools/urls.py#MultiDict")).toEqual(["QueryDict"]);
});

test("several types on one line are several types", async () => {
  const modules = await open({
    "A.java":
      "interface S { int m(); }\nrecord R1() implements S { public int m() { return 1; } } record R2() implements S { public int m() { return 2; } }\n",
    "b.kt": "sealed class Res { object Ok : Res(); object Err : Res() }\n",
    "C.java": "class C { void c(D d) { d.two(new S() { }, new S() { }); } }\n",
  });
  expect(await nodes(modules, "implementations", "S")).toEqual(["R1", "R2", "new S()", "new S()"]);
  expect(await nodes(modules, "implementations", "S.m")).toEqual(["R1.m", "R2.m"]);
  expect(await nodes(modules, "inheritors", "Res")).toEqual(["Res.Ok", "Res.Err"]);
});

test("what overrides a method: bodies of enum constants, and what a class inherits beside its interface", async () => {
  const modules = await open({
    "Kind.java": [
      "interface Sided { int sides(); }",
      "enum Kind implements Sided {",
      "  ROUND { public int sides() { return 0; } },",
      "  SQUARE;",
      "  public int sides() { return 4; }",
      "}",
    ],
    "Run.java": [
      "interface Runner { void run(); }",
      "class M { public void run() {} }",
      "class N extends M implements Runner {}",
      "class Other { void run() {} }",
    ],
    "c.kt": [
      "enum class Op {",
      "  PLUS {",
      "    override fun act() = 1",
      "  },",
      "  MINUS;",
      "  open fun act() = 0",
      "}",
    ],
  });
  expect(await nodes(modules, "implementations", "Kind.sides")).toEqual(["Kind.ROUND.sides"]);
  expect(await nodes(modules, "implementations", "Sided.sides")).toEqual(["Kind.ROUND.sides", "Kind.sides"]);
  expect(await nodes(modules, "implementations", "Runner.run")).toEqual(["M.run via N"]);
  expect(await nodes(modules, "implementations", "Op.act")).toEqual(["Op.PLUS.act"]);
});
