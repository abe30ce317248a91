// Members that are given to a type from outside of it, or that a value has by a type besides the one it is declared with; and
// names that a type, a variable and a namespace share (`bench/code-truth.ts`).
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import type { Kind } from "../../languages/language.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string, kind?: Kind) => sortedUses(place, files, symbol, kind);

test("C: a tag means its type only behind struct, union or enum", async () => {
  const files = {
    "player.h": ["struct info { int size; };", "extern struct info info;"],
    "player.c": [
      '#include "player.h"',
      "struct info info;",
      "enum status { IDLE };",
      "static enum status status = IDLE;",
      "void stop(void) { status = IDLE; info.size = 0; }",
    ],
    "other.c": ['#include "player.h"', "int size(void) { return info.size; }", "struct info *copy(void);"],
  };
  expect(await sorted(files, "player.h#info", "type")).toEqual([
    "other.c:3",
    "player.c:2",
    "player.h:2",
    "2 a variable",
  ]);
  expect(await sorted(files, "player.c#status", "enum")).toEqual(["player.c:4", "1 a variable"]);
});

test("C: a struct inside a function whose body is on the next line", async () => {
  const files = {
    "time.c": [
      "int show(void) {",
      "  const struct preferences",
      "  {",
      "    const char* name;",
      '  } all[] = {{"a"}};',
      "  for (int n = 0; n < 1; ++n) {",
      "    const struct preferences* one = &all[n];",
      "  }",
      "  return 0;",
      "}",
    ],
  };
  expect(await sorted(files, "preferences")).toEqual(["time.c:7"]);
});

test("Kotlin: a reference to a function that is given to a value's type", async () => {
  const files = {
    "Application.kt": [
      "package app",
      "import android.Context",
      "interface Application { fun load() }",
      "fun Context.load() = (this as? Application)?.load()",
    ],
    "Use.kt": [
      "package app",
      "import android.Context",
      "class Use(context: Context) { val f = make(context::load) }",
    ],
  };
  expect(await sorted(files, "Context.load")).toEqual(["Application.kt:4?", "Use.kt:3?"]);
});

test("Swift: a type in an extension means that of the nearest type", async () => {
  const files = {
    "Kit.swift": [
      "public extension SCNGeometry {",
      "  typealias Provider = (Int) -> Int",
      "  convenience init(_ a: Int, lookup: Provider? = nil) {}",
      "}",
      "public extension Mesh {",
      "  typealias Provider = (String) -> Int",
      "  init(_ a: Int, lookup: Provider? = nil) {}",
      "}",
    ],
    "Mesh.swift": ["struct Mesh {}"],
  };
  expect(await sorted(files, "Mesh.Provider")).toEqual(["Kit.swift:7", "1 SCNGeometry.Provider"]);
});

test("PHP: a value that is tested for a type may be of it", async () => {
  const files = {
    "RunException.php": ["<?php", "class RunException extends Exception { function getCode() {} }"],
    "Logger.php": [
      "<?php",
      "class Logger {",
      "  function log(Throwable $e) {",
      "    if ($e instanceof RunException) { echo $e->getCode(); }",
      "  }",
      "  function other(Throwable $e) { echo $e->getCode(); }",
      "}",
    ],
  };
  expect(await sorted(files, "RunException.getCode")).toEqual(["Logger.php:4?", "1 Throwable.getCode"]);
});

test("Scala: methods of implicit classes and extensions are called on other types", async () => {
  const files = {
    "Enrich.scala": [
      "package tools",
      "import lib.Path",
      "trait Enrich {",
      "  implicit class XtensionPath(path: Path) { def readText: String = path.read }",
      "}",
      "extension (points: Seq[Int])",
      "  def cut(by: Int): Seq[Int] = points.drop(by)",
      "  def cutSum(by: Int): Int = points.cut(by).sum",
      "class Reader { def cut(by: Int): Int = by }",
    ],
    "Use.scala": [
      "package tools",
      "import lib.Path",
      "class Use extends Enrich { def f(path: Path) = path.readText }",
    ],
  };
  expect(await sorted(files, "readText")).toEqual(["Use.scala:3?"]);
  expect(await sorted(files, "Seq.cut")).toEqual(["Enrich.scala:8?"]);
});

test("C#: methods of an extension block are called on other types", async () => {
  const files = {
    "Extensions.cs": [
      "namespace App;",
      "public static class Extensions",
      "{",
      "    extension<T>(T owner) where T : INotify",
      "    {",
      "        public IDisposable Watch(int a) => null;",
      "    }",
      "}",
    ],
    "Use.cs": ["namespace App;", "public class Use { void F(Collection items) { items.Watch(1); } }"],
  };
  expect(await sorted(files, "Watch")).toEqual(["Use.cs:2?"]);
});

test("Java: a method that implements an interface for a class below its own", async () => {
  const files = {
    "db/Base.java": ["package db;", "public abstract class Base { public void setObject(int i) {} }"],
    "db/Statement.java": [
      "package db;",
      "import java.sql.PreparedStatement;",
      "public class Statement extends Base implements PreparedStatement {}",
    ],
    "db/Use.java": [
      "package db;",
      "import java.sql.PreparedStatement;",
      "class Use { void f(PreparedStatement s) { s.setObject(1); } }",
    ],
  };
  expect(await sorted(files, "Base.setObject")).toEqual(["db/Use.java:3?"]);
});

test("C++: a namespace may have another name", async () => {
  const files = {
    "mode.h": ["namespace engine {", "class Mode { public: Mode(); };", "}"],
    "use.cpp": ['#include "mode.h"', "namespace en = engine;", "en::Mode mode();", "zz::Mode other();"],
    "header.h": ['#include "mode.h"', "namespace en = engine;"],
    "far.cpp": ['#include "header.h"', "en::Mode mode2();"],
  };
  expect(await sorted(files, "engine.Mode")).toEqual(["far.cpp:2", "use.cpp:3", "1 zz::Mode"]);
});

test("Rust: a method of self beside a module of its name; a wrapped Self", async () => {
  const files = {
    "src/popups/mod.rs": ["mod branchlist;", "mod rename;", "pub use rename::Rename;"],
    "src/popups/rename.rs": ["pub struct Rename {}", "impl Rename { pub fn rename(&mut self) {} }"],
    "src/popups/branchlist.rs": [
      "use crate::{keys::{key_match}, queue::{self, Action}};",
      "pub struct List {}",
      "impl List {",
      "  fn event(&mut self) { self.rename(); }",
      "  fn rename(&self) {}",
      "}",
    ],
    "src/base.rs": [
      "use std::borrow::Cow;",
      "pub struct Base {}",
      "impl Base { pub fn as_origin(&self) -> Cow<'_, Self> { Cow::Borrowed(self) } }",
    ],
    "src/request.rs": [
      "use crate::base::Base;",
      "fn read(from: &Base) {",
      "  let from = from.as_origin();",
      "}",
    ],
  };
  expect(await sorted(files, "List.rename")).toEqual(["src/popups/branchlist.rs:4"]);
  expect(await sorted(files, "Base.as_origin")).toEqual(["src/request.rs:3"]);
});

test("Ruby: a class by the whole path before it", async () => {
  const files = {
    "a.rb": [
      "module App",
      "  class Job",
      "    module Runner",
      "      class Sink",
      "      end",
      "    end",
      "  end",
      "end",
    ],
    "b.rb": [
      "module App",
      "  class Test",
      "    module Runner",
      "      class Sink",
      "      end",
      "    end",
      "  end",
      "end",
    ],
    "use.rb": ["App::Job::Runner::Sink.new", "App::Test::Runner::Sink.new", "Runner::Sink.new"],
  };
  expect(await sorted(files, "App.Job.Runner.Sink")).toEqual([
    "use.rb:1",
    "use.rb:3?",
    "1 App.Test.Runner.Sink",
  ]);
});

test("a variable called parent or base is not the type around", async () => {
  const files = {
    "store.py": [
      "class Store:",
      "    def save(self): pass",
      "    def copy(self, parent): parent.save()",
      "    def again(self): self.save()",
    ],
    "Shop.php": [
      "<?php",
      "class Base { function open() {} }",
      "class Shop extends Base {",
      "  function open() { parent::open(); }",
      "  function load($parent) { $parent->open(); }",
      "}",
    ],
  };
  expect(await sorted(files, "Store.save")).toEqual(["store.py:3?", "store.py:4"]);
  expect(await sorted(files, "Shop.open")).toContain("Shop.php:5?");
});

test("C++: what a macro gives, Qt's emit, and the enum of a parent class", async () => {
  const files = {
    "core.h": [
      "class Core { public: static Core* instance(); int address(); };",
      "#define TheCore() (Core::instance())",
      "class Model { public: enum Columns { NAME, COUNT }; };",
      "class Flags { public: enum Columns { OFFSET, COUNT }; };",
      "class Part : public Model { int count(); };",
    ],
    "use.cpp": [
      '#include "core.h"',
      "void change() {",
      "  emit TheCore()->changed();",
      "}",
      "int use() { return TheCore()->address(); }",
      "int Part::count() { return Columns::COUNT; }",
    ],
  };
  expect(await sorted(files, "Core.address")).toEqual(["use.cpp:5?"]);
  expect(await sorted(files, "Model.Columns.COUNT")).toEqual(["use.cpp:6"]);
  expect(await sorted(files, "Flags.Columns.COUNT")).toEqual(["1 Model.Columns.COUNT"]);
});

test("Swift: a type inside a function is itself, not its parent", async () => {
  const files = {
    "Path.swift": [
      "func relative() throws {",
      "  enum PathError: Error { case unknown }",
      "  throw PathError.unknown",
      "}",
    ],
  };
  expect(await sorted(files, "unknown")).toEqual(["Path.swift:3"]);
});

test("Rust: a value made as Self; the type that a macro is given", async () => {
  const files = {
    "src/tree.rs": [
      "pub struct Tree {}",
      "impl Tree {",
      "  fn add(&mut self) { let mut child = Self::default(); child.add(); }",
      "}",
      "macro_rules! each { ($type:ident) => { $type::add(1) } }",
    ],
  };
  expect(await sorted(files, "Tree.add")).toEqual(["src/tree.rs:3", "src/tree.rs:5?"]);
});

test("C++: a pointer type that a macro makes", async () => {
  const files = {
    "policy.h": [
      "class Base { public: void setPattern(int a); };",
      "class Policy : public Base {};",
      "PTR_DEF(Policy);",
    ],
    "use.cpp": [
      '#include "policy.h"',
      "void f(PolicyPtr policy, OtherPtr other) {",
      "  policy->setPattern(1);",
      "  other->setPattern(1);",
      "}",
    ],
  };
  expect(await sorted(files, "Base.setPattern")).toEqual(["use.cpp:3?", "1 OtherPtr.setPattern"]);
});

test("what a function with a very long head returns is known from the end of it", async () => {
  const parameters = Array.from({ length: 14 }, (_, at) => `parameter_${at}: int = ${at}`).join(", ");
  const files = {
    "log.py": [
      "class LogManager:",
      "    def write(self): pass",
      "    @classmethod",
      `    def load(cls, ${parameters}) -> "LogManager": pass`,
    ],
    "use.py": ["from log import LogManager", "def f():", "    log = LogManager.load(1)", "    log.write()"],
    "log.ts": [
      "export class Log { flush() {} }",
      `export function open(${parameters.replaceAll("int", "number")}): Log { return new Log(); }`,
      "function g() { const log = open(); log.flush(); }",
    ],
    "log.go": [
      "package log",
      "type Log struct{}",
      "func (l *Log) Sync() {}",
      `func Open(${parameters.replaceAll(/: int = \d+/g, " int")}) (*Log, error) { return nil, nil }`,
      "func h() { log, err := Open(); log.Sync() }",
    ],
  };
  expect(await sorted(files, "LogManager.write")).toEqual(["use.py:4"]);
  expect(await sorted(files, "Log.flush")).toEqual(["log.ts:3"]);
  expect(await sorted(files, "Log.Sync")).toEqual(["log.go:5"]);
});
