import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace, writeTree } from "../folder.suite.ts";
import type { Project } from "../project/project.ts";
import { findExact } from "./definitions.ts";
import { modulesCalled } from "./files-called.ts";
import { askGraph } from "./graph.ts";
import { importersOf } from "./importers.ts";
import { ModuleFiles } from "./module-files.ts";
import { findReferences } from "./references.ts";

let place: ProjectPlace;
let project: Project;
beforeEach(() => {
  place = openProject();
  project = place.project;
});
afterEach(() => place.close());

async function importers(files: Record<string, string>, target: string): Promise<string[]> {
  writeTree(place.root, files);
  await project.index.refresh();
  const found = await importersOf(project, await ModuleFiles.of(project), [target]);
  return found.map(({ file, line }) => `${file}:${line}`);
}

async function references(files: Record<string, string>, symbol: string): Promise<string[]> {
  writeTree(place.root, files);
  await project.index.refresh();
  const modules = await ModuleFiles.of(project);
  const [definition] = await findExact(project, symbol);
  if (!definition) return [];
  const { references: found } = await findReferences(project, modules, definition);
  return found
    .filter((r) => r.kind !== "import")
    .map(({ file, line, certain }) => `${file}:${line}${certain ? "" : "?"}`);
}

describe("an import leads to its file", () => {
  test("TypeScript: extension or none, compiled name, index, re-export, require, dynamic import", async () => {
    const files = {
      "src/db/index.ts": "export const db = 1;",
      "src/a.ts": 'import { db } from "./db";',
      "src/b.ts": 'export * from "./db/index.js";',
      "src/c.js": 'const { db } = require("./db/index");',
      "src/d.ts": 'const m = await import("./db/index.ts");',
      "src/db/e.ts": 'import { db } from ".";',
      "src/f.ts": 'import { db } from "./database";',
      "src/g.ts": '// import { db } from "./db";',
    };
    expect(await importers(files, "src/db/index.ts")).toEqual([
      "src/a.ts:1",
      "src/b.ts:1",
      "src/c.js:1",
      "src/d.ts:1",
      "src/db/e.ts:1",
    ]);
  });

  test("JavaScript: modules that are resolved, mocked or loaded by an address", async () => {
    const files = {
      "src/db.js": "export const db = 1;",
      "src/a.test.js": [
        "jest.mock('./db', () => ({ db: 2 }));",
        "vi.doMock('./db');",
        "const real = jest.requireActual('./db');",
      ].join("\n"),
      "src/b.js": "const path = require.resolve('./db');",
      "src/c.js": "new Worker(new URL('./db.js', import.meta.url));",
      "src/d.js": "import.meta.resolve('./db.js');",
      "src/e.js": "const db = await import(/* webpackChunkName: 'x' */ './db.js');",
      "src/f.js": "const db = require(`./db`);",
      "src/g.js": "other.mock('./db');",
    };
    expect(await importers(files, "src/db.js")).toEqual([
      "src/a.test.js:1",
      "src/a.test.js:2",
      "src/a.test.js:3",
      "src/b.js:1",
      "src/c.js:1",
      "src/d.js:1",
      "src/e.js:1",
      "src/f.js:1",
    ]);
  });

  test("TypeScript: tsconfig paths with extends, baseUrl", async () => {
    const files = {
      "tsconfig.base.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } } // base',
      "tsconfig.json": '{ "extends": "./tsconfig.base.json", }',
      "web/tsconfig.json": '{ "compilerOptions": { "baseUrl": "../src" } }',
      "src/lib/db.ts": "export const db = 1;",
      "src/a.ts": 'import { db } from "@/lib/db";',
      "web/b.ts": 'import { db } from "lib/db";',
    };
    expect(await importers(files, "src/lib/db.ts")).toEqual(["src/a.ts:1", "web/b.ts:1"]);
  });

  test("TypeScript: a workspace's packages by name and exports, a package's own imports", async () => {
    const files = {
      "packages/core/package.json":
        '{ "name": "@app/core", "exports": { ".": "./dist/index.js", "./*": { "types": "./dist/*.d.ts", "default": "./dist/*.js" } }, "imports": { "#db": "./src/db.ts" } }',
      "packages/core/src/index.ts": "export const core = 1;",
      "packages/core/src/db.ts": "export const db = 1;",
      "packages/core/src/own.ts": 'import { db } from "#db";',
      "apps/web/a.ts": 'import { db } from "@app/core/db";',
      "apps/web/b.ts": 'import { core } from "@app/core";',
    };
    expect(await importers(files, "packages/core/src/db.ts")).toEqual([
      "apps/web/a.ts:1",
      "packages/core/src/own.ts:1",
    ]);
    expect(await importers({}, "packages/core/src/index.ts")).toEqual(["apps/web/b.ts:1"]);
  });

  test("Python: absolute, relative, a module of a package, a source folder", async () => {
    const files = {
      "src/app/__init__.py": "",
      "src/app/models.py": "class Issue: pass\n",
      "src/app/views.py": "from .models import Issue\n",
      "src/app/sub/__init__.py": "from .. import models\n",
      "src/app/tasks.py": "import app.models as m\n",
      "scripts/run.py": "from app import models\n",
      "scripts/other.py": "import models\n",
    };
    expect(await importers(files, "src/app/models.py")).toEqual([
      "scripts/run.py:1",
      "src/app/sub/__init__.py:1",
      "src/app/tasks.py:1",
      "src/app/views.py:1",
    ]);
  });

  test("Go, Rust, Java, C, Ruby, PHP, Lua, Bash", async () => {
    const files = {
      "go.mod": "module example.com/app\n",
      "store/store.go": "package store\n",
      "main.go": 'package main\nimport (\n\t"fmt"\n\tst "example.com/app/store"\n)\n',
      "Cargo.toml": '[package]\nname = "my-crate"\n',
      "src/lib.rs": "mod store;\nuse crate::store::Issue;\n",
      "src/store.rs": "pub struct Issue;\n",
      "src/api/mod.rs": "use super::store::*;\n",
      "src/whole.rs": "use {\n    crate::{\n        api,\n        store,\n    },\n};\n",
      "j/src/com/x/Store.java": "package com.x;\npublic class Store {}\n",
      "j/src/com/y/Use.java": "package com.y;\nimport com.x.Store;\n",
      "j/src/com/z/All.kt": "package com.z\nimport com.x.*\n",
      "include/list.h": "int x;\n",
      "c/main.c": '#include "list.h"\n#include <stdio.h>\n#include <../../src/trim.c>\n',
      "c/src/trim.c": "static int y;\n",
      "lib/store.rb": "class Store; end\n",
      "lib/use.rb": 'require_relative "store"\n',
      "app/Model/Issue.php": "<?php\nnamespace App\\Model;\nclass Issue {}\n",
      "app/use.php": "<?php\nuse App\\Model\\Issue;\n",
      "mod/util.lua": "return {}\n",
      "main.lua": 'local u = require("mod.util")\n',
      "sh/lib.sh": "x() { :; }\n",
      "sh/run.sh": 'source "$here/lib.sh"\n',
    };
    expect(await importers(files, "store/store.go")).toEqual(["main.go:4"]);
    expect(await importers({}, "src/store.rs")).toEqual([
      "src/api/mod.rs:1",
      "src/lib.rs:1",
      "src/lib.rs:2",
      "src/whole.rs:1",
    ]);
    expect(await importers({}, "src/api/mod.rs")).toEqual(["src/whole.rs:1"]);
    expect(await importers({}, "j/src/com/x/Store.java")).toEqual([
      "j/src/com/y/Use.java:2",
      "j/src/com/z/All.kt:2",
    ]);
    expect(await importers({}, "include/list.h")).toEqual(["c/main.c:1"]);
    expect(await importers({}, "c/src/trim.c")).toEqual(["c/main.c:3"]);
    expect(await importers({}, "lib/store.rb")).toEqual(["lib/use.rb:1"]);
    expect(await importers({}, "app/Model/Issue.php")).toEqual(["app/use.php:2"]);
    expect(await importers({}, "mod/util.lua")).toEqual(["main.lua:1"]);
    expect(await importers({}, "sh/lib.sh")).toEqual(["sh/run.sh:1"]);
  });
});

test("Go: of a block of imports, only the line that names the module", async () => {
  writeTree(place.root, {
    "go.mod": "module app\n",
    "store/store.go": "package store\n",
    "main.go": 'package main\n\nimport (\n\t"fmt"\n\tst "app/store"\n)\n',
  });
  await project.index.refresh();
  const found = await importersOf(project, await ModuleFiles.of(project), ["store/store.go"]);
  expect(found).toEqual([{ file: "main.go", line: 5, statement: 'st "app/store"' }]);
});

describe("a path in the middle of code depends on a file without an import", () => {
  async function inline(files: Record<string, string>, target: string): Promise<string[]> {
    writeTree(place.root, files);
    await project.index.refresh();
    const found = await importersOf(project, await ModuleFiles.of(project), [target]);
    return found.map(({ file, line, inline }) => `${file}:${inline ? `${inline.join(",")} inline` : line}`);
  }

  test("Rust: from the crate, by super, through another module; not behind an import of the module itself", async () => {
    const files = {
      "Cargo.toml": '[package]\nname = "my-crate"\n',
      "src/lib.rs":
        "pub mod store;\nmod api;\nfn a() { store::open(); }\nmod tests { fn t() { super::store::open(); } }\n",
      "src/store.rs": "pub fn open() {}\nfn f() { crate::store::open(); }\n",
      "src/api.rs":
        'fn f(x: &crate::store::Issue) {\n  // crate::store::Issue\n  let s = "crate::store::x";\n  crate::store::open()\n}\n',
      "src/used.rs": "use crate::store;\nfn f() { store::open(); }\n",
      "src/other.rs": "fn f() { other::store::open(); }\n",
      "tests/it.rs": "fn f() { my_crate::store::open(); }\n",
    };
    expect(await inline(files, "src/store.rs")).toEqual([
      "src/api.rs:1,4 inline",
      "src/lib.rs:1",
      "src/lib.rs:4 inline",
      "src/used.rs:1",
      "tests/it.rs:1 inline",
    ]);
  });

  test("Java, Kotlin, C#, PHP: names with their package", async () => {
    const files = {
      "j/com/x/Store.java": "package com.x;\npublic class Store {}\n",
      "j/com/y/Use.java": "package com.y;\nimport com.x.Store;\nclass Use { Store s; com.x.Store t; }\n",
      "j/com/y/Full.kt": "package com.y\nclass Full { val s = com.x.Store() }\n",
      "cs/Old.cs": "namespace My.Space\n{\n  public class Store2 {}\n}\n",
      "cs/Use.cs": "class Use { global::My.Space.Store2 t; }\n",
      "app/Model/Issue.php": "<?php\nnamespace App\\Model;\nclass Issue {}\n",
      "app/use.php": "<?php\n$x = new \\App\\Model\\Issue();\n",
    };
    expect(await inline(files, "j/com/x/Store.java")).toEqual([
      "j/com/y/Full.kt:2 inline",
      "j/com/y/Use.java:2",
      "j/com/y/Use.java:3 inline",
    ]);
    expect(await inline({}, "cs/Old.cs")).toEqual(["cs/Use.cs:1 inline"]);
    expect(await inline({}, "app/Model/Issue.php")).toEqual(["app/use.php:2 inline"]);
  });

  test("PHP: names of the file's own namespace, and behind a namespace that it imports", async () => {
    const files = {
      "src/Mail.php": "<?php\nnamespace App\\Net;\nclass Mail {}\ntrait Sends {}\nfunction post() {}",
      "a.php":
        "<?php\nnamespace App\\Net;\nclass A extends Mail {\n  use Sends;\n  // Mail\n  const Mail = 1;\n}\npost();",
      "b.php": "<?php\nuse App\\Net as Q;\nnew Q\\Mail();\n$q = Q\\Mail::X;\nQ\\post();\nnew Mail();",
      "c.php": "<?php\nnamespace App;\n$m = new Net\\Mail();",
      "d.php": "<?php\nnamespace App\\Net;\nuse Lib\\Mail;\nnew Mail();\n$a->post();",
      "e.php": "<?php\nnamespace Other;\nnew Mail();\nMail::x();",
      "f.php":
        "<?php\nnamespace App\\Net;\nfunction f(?Mail $m): Mail { return f(Mail: 1); }\n$a->Mail; A::Mail;",
    };
    expect(await inline(files, "src/Mail.php")).toEqual([
      "a.php:3,4,8 inline",
      "b.php:3,4,5 inline",
      "c.php:3 inline",
      "f.php:3 inline",
    ]);
  });
});

describe("a reference is told from a namesake", () => {
  test("Python: imports, aliases, locals, keyword arguments, methods by self and by type", async () => {
    const files = {
      "pkg/__init__.py": "from .core import load\n",
      "pkg/core.py":
        "def load(path):\n    return path\n\nclass Store:\n    def get(self):\n        return self.fetch()\n    def fetch(self):\n        return load('x')\n",
      "use.py":
        "from pkg import load as read\nimport pkg.core as core\nread(1)\ncore.load(2)\ndef f(load):\n    load()\n    g(load=1)\n",
      "other.py": "def load():\n    pass\nload()\n",
      "typed.py": "from pkg.core import Store\ndef h(s: Store, t: dict):\n    s.fetch()\n    t.fetch()\n",
    };
    expect(await references(files, "pkg/core.py#load")).toEqual(["pkg/core.py:8", "use.py:3", "use.py:4"]);
    expect(await references({}, "Store.fetch")).toEqual(["pkg/core.py:6", "typed.py:3"]);
  });

  test("Go: the package's own files, and through its name elsewhere", async () => {
    const files = {
      "go.mod": "module x.y/z\n",
      "a/a.go": "package a\n\nfunc Load() {}\n",
      "a/b.go": "package a\n\nfunc use() { Load() }\n",
      "main.go": 'package main\n\nimport "x.y/z/a"\n\nfunc main() { a.Load(); b.Load() }\nfunc Load() {}\n',
    };
    expect(await references(files, "a/a.go#Load")).toEqual(["a/b.go:3", "main.go:5"]);
  });

  test("Java, C++ and Ruby: members without a receiver, by the type of a variable, else by name", async () => {
    const files = {
      "S.java":
        "package p;\nclass S {\n  void save() {}\n  void all() { save(); }\n  static void f(S s, Other o) { s.save(); o.save(); any().save(); }\n}\nclass Other { void save() {} }\n",
    };
    expect(await references(files, "S.save")).toEqual(["S.java:4", "S.java:5", "S.java:5?"]);
  });
});

test("callers are followed as deep as asked, each once, even in a circle", async () => {
  writeTree(place.root, {
    "a.ts": "export function a() { b(); }\nexport function b() { c(); }\nexport function c() { a(); }\n",
  });
  await project.index.refresh();
  const modules = await ModuleFiles.of(project);
  const names = async (depth: number) => {
    const answer = await askGraph(project, modules, { operation: "callers", target: "a", depth }, () => true);
    return answer && "nodes" in answer ? answer.nodes.map((n) => `${n.depth}${n.name}`) : [];
  };
  expect(await names(1)).toEqual(["1c"]);
  expect(await names(3)).toEqual(["1c", "2b", "3a"]);
});

describe("scripts and namespaces", () => {
  async function named(files: Record<string, string>, target: string): Promise<string[]> {
    writeTree(place.root, files);
    await project.index.refresh();
    const modules = await ModuleFiles.of(project);
    const found = await importersOf(project, modules, await modulesCalled(project, modules, target));
    return found.map(({ file, line }) => `${file}:${line}`);
  }

  test("Ruby: from the folder of the file, and when a name is first used", async () => {
    const files = {
      "lib/a/b.rb": "class B; end",
      "lib/c.rb": 'require_relative "a/b"\nautoload :B, "a/b"\nrequire "a/b"',
      "test/t.rb":
        'require File.expand_path("../lib/a/b", __dir__)\nrequire File.join(__dir__, "../lib/a/b")\n',
      "test/u.rb": 'require File.expand_path("../../lib/a/b", __FILE__)\nrequire File.join(ROOT, "x")',
    };
    const all = ["lib/c.rb:1", "lib/c.rb:2", "lib/c.rb:3", "test/t.rb:1", "test/t.rb:2", "test/u.rb:1"];
    expect(await named(files, "lib/a/b.rb")).toEqual(all);
    expect(await named(files, "a/b")).toEqual(all);
  });

  test("C#: by namespace, which other files may declare, and by the full name of a type", async () => {
    const files = {
      "Core/ILogger.cs": "namespace Shop.Core;\npublic interface ILogger { }",
      "Core/Other.cs": "namespace Shop.Core\n{\n  public class Tools { public class Inner { } }\n}",
      "Shop.Core.sln": "x",
      "Only/Store.cs": "namespace Shop\n{\n  namespace Only { public partial class Store { } }\n}",
      "a.cs": "using System;\nusing Shop.Core;\nusing Shop.Only;\nclass A { }",
      "b.cs": "global using C = global::Shop.Core;\nusing static Shop.Core.Tools;\nclass B { }",
      "c.cs": "namespace Shop.App\n{\n  using Core;\n  using I = Shop.Core.Tools.Inner;\n  class C { }\n}",
      "d.cs": "using Shop.Corel;\nusing Shop;\nclass D { }",
    };
    await named(files, "a.cs");
    const modules = await ModuleFiles.of(project);
    const asked = async (target: string) =>
      (await importersOf(project, modules, await modulesCalled(project, modules, target))).map(
        ({ file, line, isPossible }) => `${file}:${line}${isPossible ? "?" : ""}`,
      );
    expect(await asked("Core/ILogger.cs")).toEqual(["a.cs:2?", "b.cs:1?", "c.cs:3?"]);
    expect(await asked("Core/Other.cs")).toEqual(["a.cs:2?", "b.cs:1?", "b.cs:2", "c.cs:3?", "c.cs:4"]);
    expect(await asked("Shop.Core")).toEqual(["a.cs:2", "b.cs:1", "b.cs:2", "c.cs:3?", "c.cs:4"]);
    expect(await asked("Shop.Core.Tools")).toEqual(["a.cs:2?", "b.cs:1?", "b.cs:2", "c.cs:3?", "c.cs:4"]);
    expect(await asked("Only/Store.cs")).toEqual(["a.cs:3", "d.cs:2"]);
    const answer = await askGraph(
      project,
      modules,
      { operation: "imports", target: "a.cs", depth: 1 },
      () => true,
    );
    expect(
      answer && "nodes" in answer ? answer.nodes.map(({ file, kind }) => `${kind} ${file}`) : [],
    ).toEqual(["external a.cs", "file Core/ILogger.cs", "file Core/Other.cs", "file Only/Store.cs"]);
  });

  test("PHP: by namespace and name, wherever the file stands", async () => {
    const files = {
      "src/Store.php": "<?php\nnamespace App;\nclass Store {}",
      "a.php": "<?php\nuse App\\Store;",
      "b.php": "<?php\nuse App\\{Other, Store as Shop};",
      "c.php": "<?php\nuse Lib\\Store;",
      "d.php": "<?php\nrequire __DIR__ . '/src/Store.php';",
    };
    for (const target of ["src/Store.php", "App\\Store", "\\App\\Store"])
      expect(await named(files, target)).toEqual(["a.php:2", "b.php:2", "d.php:2"]);
  });

  test("Lua: by dots, and by a protected call", async () => {
    const files = {
      "lua/a/b.lua": "return {}",
      "u.lua": 'local b = require("a.b")\nlocal ok, c = pcall(require, "a.b")',
    };
    expect(await named(files, "a.b")).toEqual(["u.lua:1", "u.lua:2"]);
  });

  test("Python: by dots", async () => {
    const files = { "src/pkg/__init__.py": "", "src/pkg/mod.py": "x = 1", "use.py": "import pkg.mod" };
    expect(await named(files, "pkg.mod")).toEqual(["use.py:1"]);
  });

  test("Bash: folders above and below that of the script", async () => {
    const files = {
      "lib/tools.sh": "x=1",
      "bin/a.sh": `. "$(cd "$(dirname "\${BASH_SOURCE[0]}")/../lib" && pwd)/tools.sh"`,
      "bin/b.sh": '. "$(dirname "$(dirname "$0")")/lib/tools.sh"',
      "bin/c.sh": `. "\${0%/*}/../lib/tools.sh"`,
    };
    expect(await named(files, "lib/tools.sh")).toEqual(["bin/a.sh:1", "bin/b.sh:1", "bin/c.sh:1"]);
  });
});
