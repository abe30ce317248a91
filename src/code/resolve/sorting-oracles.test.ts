// Where answers once differed from those of compilers and language servers (`bench/code-oracle.ts`).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../folder.suite.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

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
    expect(await sorted(files, "List.Node.size")).toEqual(["a/List.java:4", "1 Node.size"]);
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
