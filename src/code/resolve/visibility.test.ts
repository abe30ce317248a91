import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace, writeTree } from "../folder.suite.ts";
import type { Project } from "../project/project.ts";
import { findExact } from "./definitions.ts";
import { askGraph } from "./graph.ts";
import { ModuleFiles } from "./module-files.ts";
import { findReferences } from "./references.ts";

let place: ProjectPlace;
let project: Project;
beforeEach(() => {
  place = openProject();
  project = place.project;
});
afterEach(() => place.close());

async function open(files: Record<string, string>): Promise<ModuleFiles> {
  writeTree(place.root, files);
  await project.index.refresh();
  return ModuleFiles.of(project);
}

/** `file:line`, with a question mark where only the name agrees. */
async function references(modules: ModuleFiles, symbol: string): Promise<string[]> {
  const [definition] = await findExact(project, symbol);
  if (!definition) return [];
  return (await findReferences(project, modules, definition)).references.map(
    ({ file, line, certain, kind }) =>
      `${file}:${line}${certain ? "" : "?"}${kind === "import" ? " import" : ""}`,
  );
}

describe("C", () => {
  const files = {
    "list.h":
      "#pragma once\nvoid push(int value);\nstruct list { int size; struct list *next; };\n#define MOST 9\n",
    "list.c": '#include "list.h"\nstatic void grow(void) {}\nvoid push(int value) {\n  grow();\n}\n',
    "all.h": '#include "list.h"\n',
    "main.c":
      '#include "all.h"\nint main(void) {\n  push(MOST);\n  int grow = 1;\n  return grow;\n}\nstatic void local(int push) { push++; }\n',
    "other.c": "static void grow(void) {}\nvoid run(struct thing *t) {\n  grow();\n  t->push(1);\n}\n",
    "tool/tool.c": "static void push(int x) {}\nint main(void) { push(2); }\n",
    "blind.c": "void go(void) {\n  push(3);\n  goto push;\npush:\n  return;\n}\n",
    "far.h": "void push(int push);\n",
    "far.c": '#include "far.h"\nvoid far(void) { push(4); }\n',
  };

  test("a function is seen through headers, a static one in its file; locals and members are others", async () => {
    const modules = await open(files);
    expect(await references(modules, "list.c#push")).toEqual(["blind.c:2?", "far.c:2?", "main.c:3"]);
    expect(await references(modules, "list.c#grow")).toEqual(["list.c:4"]);
    expect(await references(modules, "other.c#grow")).toEqual(["other.c:3"]);
    expect(await references(modules, "tool/tool.c#push")).toEqual(["tool/tool.c:2"]);
    expect(await references(modules, "MOST")).toEqual(["main.c:3"]);
  });

  test("that nothing else is called so is no proof", async () => {
    const modules = await open({
      "a.c": "int only(void) { return 1; }\n",
      "b.c": "int b(void) { return only(); }\n",
    });
    expect(await references(modules, "only")).toEqual(["b.c:1?"]);
  });

  test("fields by the type of the variable, another name of the struct, or the field before", async () => {
    const modules = await open({
      "t.h": "typedef struct user { int id; } person;\nstruct item { int id; struct user *owner; };\n",
      "t.c": [
        '#include "t.h"',
        "int a(struct user *u, struct item *i, person **all) {",
        "  person *p = u, *q = p;",
        "  int x = u->id + i->id + all[x]->id;",
        "  return p->id + q->id + i->owner->id + unknown()->id;",
        "}",
      ].join("\n"),
    });
    expect(await references(modules, "user.id")).toEqual([
      "t.c:4",
      "t.c:4",
      "t.c:5",
      "t.c:5",
      "t.c:5",
      "t.c:5?",
    ]);
    expect(await references(modules, "item.id")).toEqual(["t.c:4", "t.c:5?"]);
  });

  test("callees: the file's own, then what its headers lead to", async () => {
    const modules = await open(files);
    const called = async (target: string) => {
      const answer = await askGraph(project, modules, { operation: "callees", target, depth: 1 }, () => true);
      return answer && "nodes" in answer ? answer.nodes.map((node) => `${node.file} ${node.name}`) : [];
    };
    expect(await called("main.c#main")).toEqual(["list.c push"]);
    expect(await called("tool/tool.c#main")).toEqual(["tool/tool.c push"]);
    expect(await called("list.c#push")).toEqual(["list.c grow"]);
  });
});

test("C++: by namespace, and from C headers", async () => {
  const modules = await open({
    "net.hpp": "namespace net { int open(int port); }\n",
    "net.cpp": '#include "net.hpp"\nint net::open(int port) { return port; }\n',
    "use.cpp": '#include "net.hpp"\nint f() { return net::open(1) + file::open(2) + gate.open(3); }\n',
  });
  expect(await references(modules, "net.hpp#open")).toEqual(["use.cpp:2"]);
});

test("C#: by namespace, using and alias", async () => {
  const modules = await open({
    "Store.cs": "namespace App.Data {\n  public class Store { public void Save() {} }\n}\n",
    "Near.cs": "namespace App.Data.Sql {\n  class Near { Store s; }\n}\n",
    "Using.cs": "using App.Data;\nnamespace App.Web;\nclass Using { Store s = new Store(); }\n",
    "Alias.cs": "using S = App.Data.Store;\nclass Alias { S s; }\n",
    "Full.cs": "class Full { Data.Store s; }\n",
    "Other.cs": "namespace Shop {\n  class Other { Store s; Cash.Store t; }\n}\n",
  });
  expect(await references(modules, "Store.cs#Store")).toEqual([
    "Alias.cs:1 import",
    "Alias.cs:2",
    "Full.cs:1",
    "Near.cs:2",
    "Other.cs:2?",
    "Using.cs:3",
    "Using.cs:3",
  ]);
});

test("PHP: by namespace, use, alias and full name; $this and parent", async () => {
  const modules = await open({
    "Mailer.php":
      "<?php\nnamespace App\\Mail;\nclass Mailer {\n  public $queue;\n  function send() { $this->log(); self::$queue = 1; }\n  function log() {}\n}\n",
    "Near.php": "<?php\nnamespace App\\Mail;\nfunction near(Mailer $mailer) { $mailer->send(); }\n",
    "Use.php": "<?php\nnamespace App;\nuse App\\Mail\\Mailer;\n$m = new Mailer();\n",
    "Alias.php": "<?php\nuse App\\Mail\\Mailer as Post;\nnew Post();\n",
    "Full.php": "<?php\nnew \\App\\Mail\\Mailer();\n",
    "Other.php": "<?php\nnamespace Shop;\nnew Mailer();\n$mailer = 1;\n",
  });
  expect(await references(modules, "Mailer.php#Mailer")).toEqual([
    "Alias.php:2 import",
    "Alias.php:3",
    "Full.php:2",
    "Near.php:3",
    "Use.php:3 import",
    "Use.php:4",
  ]);
  expect(await references(modules, "Mailer.log")).toEqual(["Mailer.php:5"]);
  expect(await references(modules, "Mailer.send")).toEqual(["Near.php:3"]);
  expect(await references(modules, "Mailer.queue")).toEqual(["Mailer.php:5"]);
});

test("Ruby: constants by what holds them, methods by self", async () => {
  const modules = await open({
    "a.rb":
      "module Shop\n  class Cart\n    def total\n      tax + self.tax\n    end\n    def tax\n      1\n    end\n  end\nend\n",
    "b.rb": "def tax_of(tax)\n  Shop::Cart.new\n  Other::Cart.new\n  tax\nend\n",
  });
  expect(await references(modules, "Cart.tax")).toEqual(["a.rb:4", "a.rb:4"]);
  expect(await references(modules, "Cart")).toEqual(["b.rb:2"]);
});

test("Lua: locals stay in their file, modules are known by what they are required as", async () => {
  const modules = await open({
    "store.lua": "local M = {}\nlocal function check() end\nfunction M.save()\n  check()\nend\nreturn M\n",
    "a.lua":
      'local store = require("store")\nlocal disk = require("disk")\nstore.save()\ndisk.save()\ncheck()\n',
    "disk.lua": "local M = {}\nfunction M.save() end\nreturn M\n",
  });
  expect(await references(modules, "store.lua#check")).toEqual(["store.lua:4"]);
  expect(await references(modules, "store.lua#save")).toEqual(["a.lua:3"]);
  expect(await references(modules, "disk.lua#save")).toEqual(["a.lua:4"]);
});

test("Bash: functions of sourced files; locals are others", async () => {
  const modules = await open({
    "lib.sh": "log() { echo x; }\n",
    "run.sh": "source ./lib.sh\nlog one\n",
    "other.sh": "log() { echo y; }\nlog two\n",
    "alone.sh": "log three\n",
  });
  expect(await references(modules, "lib.sh#log")).toEqual(["alone.sh:1?", "run.sh:2"]);
});

test("Swift: what is private stays in its file, parameters are others", async () => {
  const modules = await open({
    "A.swift": "private func helper() {}\nfunc shared() { helper() }\n",
    "B.swift": "func b(shared: Int) { print(shared) }\nfunc c() { helper(); shared() }\n",
  });
  expect(await references(modules, "helper")).toEqual(["A.swift:2"]);
  expect(await references(modules, "A.swift#shared")).toEqual(["B.swift:2"]);
});
