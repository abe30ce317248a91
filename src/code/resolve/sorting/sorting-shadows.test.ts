// Variables that hide a name of the file: from where on they do, in each language.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("Go: a variable holds from the end of its declaration on", async () => {
  const files = {
    "a.go": [
      "package a",
      "func ranges(x int) int { return x }",
      "type line struct{}",
      "func user() int {",
      "  ranges := ranges(3)",
      "  return ranges",
      "}",
      "func other(line line) {",
      "  print(ranges(1))",
      "  for _, ranges := range ranges(2) { print(ranges) }",
      "  var ranges = ranges(4)",
      "  print(ranges, line)",
      "}",
      "func node() any { return 1 }",
      "type Box struct{}",
      "func (b *Box) open() {}",
      "func kind(ch chan int) {",
      "  switch node := node().(type) { case *Box: node.open() }",
      "  select { case node := <-ch: print(node) }",
      "}",
    ],
  };
  expect(await sorted(files, "ranges")).toEqual([
    "a.go:5",
    "a.go:9",
    "a.go:10",
    "a.go:11",
    "6 a local variable",
  ]);
  expect(await sorted(files, "line")).toEqual(["a.go:8", "2 a local variable"]);
  expect(await sorted(files, "open")).toEqual(["a.go:18?"]);
  expect(await sorted(files, "node")).toEqual(["a.go:18", "4 a local variable"]);
});

test("Rust: a variable holds from the end of its declaration on, that of a condition in its block", async () => {
  const files = {
    "lib.rs": [
      "fn ranges(x: i32) -> Option<i32> { Some(x) }",
      "fn user() {",
      "  let before = ranges(1);",
      "  let ranges = ranges(3);",
      "  print(ranges, before);",
      "}",
      "fn other() {",
      "  if let Some(ranges) = ranges(2) { print(ranges) }",
      "  while let Some((ranges, _)) = ranges(2) { print(ranges) }",
      "  let Some(ranges) = ranges(4) else { return; };",
      "  for ranges in ranges { print(ranges) }",
      "}",
    ],
  };
  expect(await sorted(files, "ranges")).toEqual([
    "lib.rs:3",
    "lib.rs:4",
    "lib.rs:8",
    "lib.rs:9",
    "lib.rs:10",
    "10 a local variable",
  ]);
});

test("Swift: a variable holds from the end of its declaration on", async () => {
  const files = {
    "A.swift": [
      "func helper() -> Int { 1 }",
      "func user() {",
      "  print(helper())",
      "  let helper = helper()",
      "  print(helper)",
      "}",
      "func loop() {",
      "  for helper in helper() { print(helper) }",
      "}",
    ],
  };
  expect(await sorted(files, "helper")).toEqual([
    "A.swift:3",
    "A.swift:4",
    "A.swift:8",
    "4 a local variable",
  ]);
});

test("Kotlin and Java: a variable holds from its declaration on, in Java from its name on", async () => {
  const files = {
    "A.kt": [
      "val count = 1",
      "fun user(): Int {",
      "  val count = count + 1",
      "  return count",
      "}",
      "fun loop() { for (count in count..9) { print(count) } }",
    ],
    "B.java": [
      "class B {",
      "  int fld = 1;",
      "  int user() {",
      "    int a = fld;",
      "    int fld = 4;",
      "    return fld + a;",
      "  }",
      "  void loop() { for (int fld : list(fld)) { use(fld); } }",
      "}",
    ],
  };
  expect(await sorted(files, "A.kt#count")).toEqual(["A.kt:3", "A.kt:6", "4 a local variable"]);
  expect(await sorted(files, "fld")).toEqual(["B.java:4", "B.java:8", "4 a local variable"]);
});

test("C and C++: a variable holds from its name on", async () => {
  const files = {
    "a.c": [
      "static int twice(int x) { return x; }",
      "int user(void) {",
      "  int a = twice(1);",
      "  int twice = a;",
      "  return twice;",
      "}",
    ],
    "b.cpp": [
      "static int items(int x) { return x; }",
      "int user() {",
      "  int a = items(1);",
      "  for (auto items : items(2)) a += items;",
      "  auto *items = make(sizeof *items);",
      "  return items;",
      "}",
    ],
  };
  expect(await sorted(files, "twice")).toEqual(["a.c:3", "2 a local variable"]);
  expect(await sorted(files, "items")).toEqual(["b.cpp:3", "b.cpp:4", "5 a local variable"]);
});

test("Lua, Ruby, Bash and Python: a variable, or what a parameter stands for", async () => {
  const files = {
    "a.lua": [
      "local function ranges(x) return x end",
      "local function user()",
      "  local ranges = ranges(3)",
      "  return ranges",
      "end",
    ],
    "b.rb": ["def total(x)", "  x", "end", "def user", "  total = total(3)", "  total", "end"],
    "c.py": [
      "def first(x): return x",
      "def user(first=first, key=lambda first=first: first):",
      "    return first",
    ],
    "d.sh": ["level=1", "user() {", "  local level=$level", '  echo "$level"', "}", "user"],
  };
  expect(await sorted(files, "a.lua#ranges")).toEqual(["a.lua:3", "2 a local variable"]);
  expect((await sorted(files, "b.rb#total")).slice(0, 1)).toEqual(["b.rb:5"]);
  expect(await sorted(files, "c.py#first")).toEqual([
    "c.py:2",
    "c.py:2",
    "1 a key or argument name",
    "3 a local variable",
  ]);
  expect((await sorted(files, "d.sh#level")).slice(0, 1)).toEqual(["d.sh:3"]);
});
