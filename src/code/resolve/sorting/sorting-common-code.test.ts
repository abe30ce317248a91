// Code as it is written every day, in several languages.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { askGraph } from "../graph.ts";
import { type Files, nodesBelow, openFiles, placesBelow, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

async function callers(files: Files, target: string) {
  const modules = await openFiles(place, files);
  const answer = await askGraph(
    place.project,
    modules,
    { operation: "callers", target, depth: 1 },
    () => true,
  );
  if (!answer || !("nodes" in answer)) return answer;
  return { callers: answer.nodes.map(({ name }) => name), valueUses: answer.valueUses ?? [] };
}

test("TypeScript: all that a file gives is not what it gives as a whole", async () => {
  const files = {
    "conf.ts": ["export const PORT = 1;", "export default class Config {}"],
    "use.ts": ["import * as conf from './conf';", "conf.PORT;"],
    "other.ts": ["import conf from './conf';", "new conf();"],
  };
  expect(await sorted(files, "conf.ts#Config")).toEqual(["other.ts:2"]);
  expect(await sorted(files, "PORT")).toEqual(["use.ts:2"]);
});

test("callers tell where a function is given to something else", async () => {
  const files = {
    "a.ts": ["export function close() {}", "process.on('exit', close);", "function end() { close(); }"],
  };
  expect(await callers(files, "close")).toEqual({ callers: ["end"], valueUses: ["a.ts:2"] });
});

test("Ruby: calls without brackets are calls", async () => {
  const files = {
    "job.rb": [
      "class Job",
      "  def perform; check; end",
      "  def check; end",
      "end",
      "class Run",
      "  def go; Job.new.perform; end",
      "end",
    ],
  };
  expect(await callers(files, "Job.perform")).toEqual({ callers: ["Run.go"], valueUses: [] });
  expect(await callers(files, "Job.check")).toEqual({ callers: ["Job.perform"], valueUses: [] });
});

test("Ruby: a module that is included with its namespace", async () => {
  const files = {
    "log.rb": ["module Shop", "  module Log; end", "  class In; include Log; end", "end"],
    "out.rb": ["class Out; include Shop::Log; end"],
  };
  const modules = await openFiles(place, files);
  expect((await nodesBelow(place, modules, "inheritors", "Shop.Log")).sort()).toEqual(["Out", "Shop.In"]);
});

test("Kotlin: what a field begins with is not declared by it", async () => {
  const files = { "conf.kt": ["const val LIMIT = 5", "data class Conf(val max: Int = LIMIT)"] };
  expect(await sorted(files, "LIMIT")).toEqual(["conf.kt:2"]);
});

test("C#: behind base stands a member of a parent", async () => {
  const files = {
    "a.cs": [
      "class A { public virtual void Save() {} }",
      "class B : A { public override void Save() { base.Save(); } }",
    ],
  };
  expect(await sorted(files, "A.Save")).toEqual(["a.cs:2"]);
  expect(await sorted(files, "B.Save")).toEqual(["1 A.Save"]);
});

test("C++: fields that are references", async () => {
  const files = {
    "svc.cpp": ["struct Db { void exec(); };", "class Svc { Db& db_; void run() { db_.exec(); } };"],
  };
  expect(await sorted(files, "Svc.db_")).toEqual(["svc.cpp:2"]);
  expect(await sorted(files, "Db.exec")).toEqual(["svc.cpp:2"]);
});

test("Go: a method on a field of a variable", async () => {
  const files = {
    "go.mod": "module m",
    "svc.go": [
      "package m",
      "type Cache struct{}",
      "func (c *Cache) Get() {}",
      "type Other struct{}",
      "func (o *Other) Get() {}",
      "type Svc struct { cache *Cache }",
      "func (s *Svc) Run() { s.cache.Get() }",
      "func run(s *Svc) { s.cache.Get() }",
    ],
  };
  expect(await sorted(files, "Cache.Get")).toEqual(["svc.go:7", "svc.go:8"]);
  expect(await sorted(files, "Other.Get")).toEqual(["2 Cache.Get"]);
});

test("JavaScript: a function with a name that a module is", async () => {
  const files = {
    "mount.js": ["module.exports = function mount(app) { if (app) mount(); };"],
    "use.js": ["const mount = require('./mount');", "mount(1);"],
    "other.js": ["const put = require('./mount');", "put(1);"],
  };
  const places = ["mount.js:1", "other.js:1", "other.js:2", "use.js:1", "use.js:2"];
  expect(await sorted(files, "mount")).toEqual(places);
});

test("TypeScript: objects that functions return and lists hold are checked against their type", async () => {
  const files = {
    "shape.ts": [
      "export interface Shape { area(): number }",
      "function make(): Shape {",
      "  const inner = () => { return { area: 1 }; };",
      "  return {",
      "    area: () => 1,",
      "  };",
      "}",
      "const short = (): Shape => ({ area: () => 2 });",
      "const list: Shape[] = [",
      "  { area: () => 3 },",
      "  { area() { return 4; } },",
      "];",
      "async function later(): Promise<Shape> { return { area: () => 5 }; }",
      "function takes(shape: Shape) { return { area: shape }; }",
    ],
  };
  const modules = await openFiles(place, files);
  const lines = async (target: string) =>
    (await placesBelow(place, modules, "implementations", target)).sort();
  expect(await lines("Shape.area")).toEqual([5, 8, 10, 11, 13].map((line) => `shape.ts:${line}`).sort());
  expect(await lines("Shape")).toEqual([4, 8, 10, 11, 13].map((line) => `shape.ts:${line}`).sort());
});

test("TypeScript: what is taken out of an object is used under its own name", async () => {
  const files = {
    "features.ts": ["export function drop() {}", "const all = { drop };", "export default all;"],
    "use.ts": [
      "import all from './features';",
      "const { drop } = all;",
      "drop();",
      "function f() { drop(); }",
    ],
  };
  expect(await sorted(files, "features.ts#drop")).toEqual([
    "features.ts:2",
    "use.ts:2?",
    "use.ts:3?",
    "use.ts:4?",
  ]);
});

test("TypeScript: a member of an enum is nothing that is taken", async () => {
  const files = {
    "kinds.ts": ["class Date1 {}", "enum Kind { Date1 = 'a', B = 'b' }", "const one = new Date1();"],
  };
  expect(await sorted(files, "kinds.ts#Date1")).toEqual(["kinds.ts:3"]);
});

test("C++: methods that a mock declares by a macro", async () => {
  const files = {
    "svc.h": ["class Svc { public: virtual void step(); virtual std::map<int, int> all(int a); };"],
    "mock.h": [
      '#include "svc.h"',
      "class Mock : public Svc {",
      "  MOCK_METHOD(void, step, (), (override));",
      "  MOCK_METHOD((std::map<int, int>), all, (int a), (override));",
      "};",
      "class Old : public Svc { MOCK_METHOD0(step, void()); MOCK_CONST_METHOD1(all, std::map<int,int>(int)); };",
    ],
  };
  const modules = await openFiles(place, files);
  expect(await nodesBelow(place, modules, "implementations", "Svc.step")).toEqual(["Mock.step", "Old.step"]);
  expect(await nodesBelow(place, modules, "implementations", "Svc.all")).toEqual(["Mock.all", "Old.all"]);
});
