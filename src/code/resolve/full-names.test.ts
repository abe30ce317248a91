// What imports mean where files declare their package: Java, Kotlin, Scala.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../folder.suite.ts";
import { askGraph } from "./graph.ts";
import { importersOf } from "./importers.ts";
import { type Files, openFiles, sortedUses } from "./sorting/sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const uses = (files: Files, symbol: string) => sortedUses(place, files, symbol);

async function importers(files: Files, target: string): Promise<string[]> {
  const modules = await openFiles(place, files);
  const found = await importersOf(place.project, modules, [target]);
  return found.map(({ file, line }) => `${file}:${line}`);
}

const kotlin = {
  "lib/Lib.kt": "package com.x.lib\nfun topLevel() = 1\nclass Base { class Inner }\nprivate fun own() = 2\n",
  "a/One.kt": "package a\nimport com.x.lib.topLevel\nfun one() = topLevel()\n",
  "a/Star.kt": "package a\nimport com.x.lib.*\nfun star() = topLevel()\n",
  "a/Alias.kt": "package a\nimport com.x.lib.topLevel as tl\nfun alias() = tl()\n",
  "a/Inner.kt": "package a\nimport com.x.lib.Base.Inner\nval inner = Inner()\n",
  "a/Other.kt": "package a\nimport com.y.lib.topLevel\nfun other() = topLevel()\n",
  "a/Own.kt": "package a\nimport com.x.lib.*\nfun use() = own()\n",
  "j/J.java":
    "package j;\nimport static com.x.lib.LibKt.topLevel;\nclass J { int j() { return topLevel(); } }\n",
};

test("Kotlin: an import leads to what a package declares, whatever its file is called", async () => {
  expect(await importers(kotlin, "lib/Lib.kt")).toEqual([
    "a/Alias.kt:2",
    "a/Inner.kt:2",
    "a/One.kt:2",
    "a/Own.kt:2",
    "a/Star.kt:2",
    "j/J.java:2",
  ]);
  expect(await uses(kotlin, "topLevel")).toEqual([
    "a/Alias.kt:3",
    "a/One.kt:3",
    "a/Other.kt:3?",
    "a/Star.kt:3",
    "j/J.java:3",
  ]);
  expect(await uses(kotlin, "Base.Inner")).toEqual(["a/Inner.kt:3"]);
  expect(await uses(kotlin, "Base")).toEqual([]);
});

test("Kotlin: callers by another name", async () => {
  const modules = await openFiles(place, kotlin);
  const question = { operation: "callers", target: "topLevel", depth: 1 } as const;
  const answer = await askGraph(place.project, modules, question, () => true);
  const names = answer && "nodes" in answer ? answer.nodes.map(({ name }) => name) : [];
  expect(names).toEqual(["alias", "one", "other", "star", "J.j"]);
});

const scala = {
  "x/a.scala": "package p\nclass Num { def v = 1 }\nobject Num\n",
  "x/q.scala": "package p\npackage q\nclass Deep\n",
  "x/o.scala": "package p\npackage object tools { def tool() = 1 }\n",
  "y/b.scala": "package b\nimport p.{Num => N}\nobject B { def b(n: N) = N(n.v) }\n",
  "y/c.scala":
    "package b\nimport p.q.Deep\nimport p.tools._\nobject C { val c = new Deep; val t = tool() }\n",
  "y/d.scala": "package p.r\nimport q.Deep\nobject D { val d = new Deep }\n",
};

test("Scala: renamed, nested, relative and of a package object", async () => {
  expect(await importers(scala, "x/a.scala")).toEqual(["y/b.scala:2"]);
  expect(await importers(scala, "x/q.scala")).toEqual(["y/c.scala:2", "y/d.scala:2"]);
  expect(await importers(scala, "x/o.scala")).toEqual(["y/c.scala:3"]);
  expect(await uses(scala, "x/a.scala#Num")).toEqual(["y/b.scala:3", "y/b.scala:3"]);
  expect(await uses(scala, "Deep")).toEqual(["y/c.scala:4", "y/d.scala:3"]);
  expect(await uses(scala, "tool")).toEqual(["y/c.scala:4"]);
});

test.each([
  ["java", "import p.*;", "Person mine;", ["q/Other.java:3"], []],
  ["kt", "import p.*", "val mine: Person? = null", ["q/Other.kt:3"], []],
  ["scala", "import p._", "object O { val mine: Person = null }", [], ["q/Other.scala:3"]],
])(
  "%s: whether the own package comes before what is imported with everything",
  async (extension, imported, use, own, others) => {
    const isJava = extension === "java";
    const end = isJava ? ";" : "";
    const files = {
      [`p/Person.${extension}`]: `package p${end}\n${isJava ? "public " : ""}class Person {}\n`,
      [`q/Person.${extension}`]: `package q${end}\nclass Person {}\n`,
      [`q/Other.${extension}`]: [`package q${end}`, imported, isJava ? `class Other { ${use} }` : use],
    };
    const isUse = (use: string) => /^\w\/.*:\d+$/.test(use);
    expect((await uses(files, `q/Person.${extension}#Person`)).filter(isUse)).toEqual(own);
    expect((await uses(files, `p/Person.${extension}#Person`)).filter(isUse)).toEqual(others);
  },
);
