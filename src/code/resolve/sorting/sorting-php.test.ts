// What only PHP has: methods and functions that are named by texts, and how types are written.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { importersOf, unknownImports } from "../importers.ts";
import { type Files, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

describe("methods and functions named by a text", () => {
  const files = {
    "list.php": [
      "<?php",
      "class Rows {",
      "  private $name;",
      "  function name() {}",
      "  static function order($a, $b) {}",
      "  function all($other) {",
      "    array_map([$this, 'name'], []);",
      '    array_map(array($this, "name"), []);',
      "    usort($a, [self::class, 'order']);",
      "    usort($a, 'Rows::order');",
      "    method_exists($this, 'name');",
      "    array_map([$other, 'name'], []);",
      "    array_map([$this->rows, 'name'], []);",
      "    return ['name', 'order', 'name' => 1];",
      "  }",
      "}",
      "class Other { function name() {} function all() { return [$this, 'name']; } }",
      "usort($a, [Rows::class, 'order']);",
    ],
    "plain.php": ["<?php", "function order() {}", "usort($a, 'order');", "echo 'order';"],
    "space.php": [
      "<?php",
      "namespace App;",
      "function order() {}",
      "usort($a, 'order'); usort($a, 'App\\order');",
    ],
  };

  test("a method by a value of its type", async () => {
    expect(await sorted(files, "Rows.name")).toEqual([
      "list.php:7",
      "list.php:8",
      "list.php:11",
      "list.php:12?",
      "list.php:13?",
      "1 Other.name",
    ]);
  });

  test("a static method by its class", async () => {
    const uses = await sorted(files, "Rows.order");
    expect(uses.filter((use) => use.includes(":"))).toEqual(["list.php:9", "list.php:10", "list.php:18"]);
  });

  test("a function by its whole name, of no namespace unless one is written", async () => {
    expect(await sorted(files, "plain.php#order")).toEqual([
      "plain.php:3",
      "space.php:4",
      "1 space.php#order",
      "3 Rows.order",
    ]);
    const own = await sorted(files, "space.php#order");
    expect(own.filter((use) => use.includes(":"))).toEqual(["space.php:4"]);
  });
});

const box = ["<?php", "class Box { function go() {} }", "class Bag { function go() {} }"];

test("a parameter that a constructor makes a property is a property of its class", async () => {
  const files = {
    "box.php": box,
    "bench.php": [
      "<?php",
      "class Bench {",
      "  private Bag $bag;",
      "  public function __construct(private readonly Box $box, protected ?Box $next = null) { $box->go(); }",
      "  function all($other) {",
      "    $this->box->go(); $this->next->go();",
      "    $this->bag->go();",
      "    return $other->box;",
      "  }",
      "}",
      "class Wide extends Bench { function more() { return $this->next; } }",
    ],
  };
  expect(await sorted(files, "Bench.box")).toEqual(["bench.php:6", "bench.php:8?"]);
  expect(await sorted(files, "Bench.next")).toEqual(["bench.php:6", "bench.php:11"]);
  expect(await sorted(files, "Box.go")).toEqual(["bench.php:4", "bench.php:6", "bench.php:6", "1 Bag.go"]);
});

test("a member is found by the name of a class that inherits it", async () => {
  const files = {
    "list.php": [
      "<?php",
      "class Rows { public $kept; function keep() {} }",
      "class Few extends Rows {}",
      "class None extends Few { function keep() {} }",
      "function f(Few $few) { $few->keep(); return $few->kept; }",
    ],
  };
  expect(await sorted(files, "Few.kept")).toEqual(["list.php:5"]);
  expect(await sorted(files, "None.kept")).toEqual(["list.php:5"]);
  expect(await sorted(files, "Few.keep")).toEqual(["list.php:5"]);
});

test("a value of one of several types is of none of them for sure; one that may be null is of its type", async () => {
  const files = {
    "box.php": [
      ...box,
      "function one(Box|Bag $x) { $x->go(); }",
      "function two(Bag | Box $x) { $x->go(); }",
      "function three(?Box $x) { $x->go(); }",
      "function four(Box|null $x) { $x->go(); }",
      "function five(null|\\Box $x) { $x->go(); }",
      "function six(Bag $y, Box &$x) { $x->go(); $y->go(); }",
      "function makeOne(): Box|Bag { return f(); }",
      "function makeBox(): null|Box { return f(); }",
      "makeOne()->go(); makeBox()->go(); (new \\Box())->go();",
      "try { f(); } catch (Bag | Box $x) { $x->go(); }",
    ],
  };
  const sure = ["box.php:6", "box.php:7", "box.php:8", "box.php:9"];
  expect(await sorted(files, "Box.go")).toEqual([
    "box.php:4?",
    "box.php:5?",
    ...sure,
    "box.php:12?",
    "box.php:12",
    "box.php:12",
    "box.php:13?",
    "1 Bag.go",
  ]);
  expect(await sorted(files, "Bag.go")).toEqual([
    "box.php:4?",
    "box.php:5?",
    "box.php:9",
    "box.php:12?",
    "box.php:13?",
    "6 Box.go",
  ]);
});

test("a file that is included is imported, and what is in its path may be code", async () => {
  const files = {
    "lib/tools.php": ["<?php", "function greet() {}"],
    "run.php": [
      "<?php",
      "require __DIR__ . '/lib/tools.php';",
      "include greet() . '/x.php';",
      "include $file;",
    ],
  };
  expect(await sorted(files, "greet")).toEqual(["run.php:3"]);
  const modules = await openFiles(place, files);
  const importers = await importersOf(place.project, modules, ["lib/tools.php"]);
  expect(importers.map(({ file, line }) => `${file}:${line}`)).toEqual(["run.php:2"]);
  expect(await unknownImports(place.project, ["lib/tools.php"])).toEqual([{ file: "run.php", line: 4 }]);
});

test("self and static are the class around, and what returns them is of the class that says so", async () => {
  const files = {
    "stack.php": [
      "<?php",
      "class Stack {",
      "  function push() { return $this; }",
      "  static function make(): self { $one = new self(); $one->push(); return $one; }",
      "  static function late() { $one = new static(); return $one->push(); }",
      "}",
      "class Other { function push() {} function run() { $made = Stack::make(); $made->push(); } }",
    ],
  };
  expect(await sorted(files, "Stack.push")).toEqual(["stack.php:4", "stack.php:5", "stack.php:7"]);
});

test("behind parent stands a member of a parent, in a class without a name, too", async () => {
  const files = {
    "a.php": [
      "<?php",
      "class Base { function run() {} static function make() { $new = new static(); $new->run(); } }",
      "class Sub extends Base {",
      "  function run() { parent::run(); $this->run(); }",
      "}",
      "$one = new class extends Base { function go() { parent::run(); } };",
    ],
  };
  expect(await sorted(files, "Base::run")).toEqual(["a.php:2", "a.php:4", "a.php:4?", "a.php:6"]);
  expect(await sorted(files, "Sub::run")).toEqual(["a.php:2?", "a.php:4", "a.php:6?", "1 Base.run"]);
});

test("a type that an import gives another name", async () => {
  const files = {
    "a.php": ["<?php", "namespace A;", "class Store { function save() {} static function make() {} }"],
    "b.php": ["<?php", "use A\\Store as Shop;", "function f(Shop $s) { $s->save(); }", "Shop::make();"],
  };
  expect(await sorted(files, "Store::save")).toEqual(["b.php:3"]);
  expect(await sorted(files, "Store::make")).toEqual(["b.php:4"]);
});

test("constants by define, and other names for what a trait has", async () => {
  const files = {
    "a.php": [
      "<?php",
      "namespace App;",
      "define('LIMIT', 3);",
      "trait A { function yo() {} }",
      "class C { use A { yo as protected yoyo; yo as private; } function t() { $this->yoyo(); $this->yo(); } }",
      "echo LIMIT;",
    ],
    "b.php": ["<?php", "namespace Other;", "echo LIMIT, \\LIMIT;"],
  };
  expect(await sorted(files, "LIMIT")).toEqual(["a.php:6", "b.php:3", "b.php:3"]);
  expect(await sorted(files, "C::yoyo")).toEqual(["a.php:5"]);
  expect(await sorted(files, "A::yo")).toEqual(["a.php:5", "a.php:5", "a.php:5"]);
});
