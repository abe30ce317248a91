import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace, writeTree } from "../folder.suite.ts";
import { modulesCalled } from "./files-called.ts";
import { importersOf } from "./importers.ts";
import { ModuleFiles } from "./module-files.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

test("modules are known by the names that code gives them, wherever their files stand", async () => {
  writeTree(place.root, {
    "src/Things.kt": "package app.store\n\nclass Store\nfun load() = 1\n",
    "src/Named.kt": '@file:JvmName("Tools")\npackage app.store\n\nfun help() = 1\n',
    "src/package.scala": "package object base {\n  val one = 1\n}\n",
    "src/Use.java": "package b;\nimport app.store.ThingsKt;\nimport app.store.Tools;\nclass Use {}\n",
    "crates/app/Cargo.toml": '[package]\nname = "app"\n',
    "crates/app/src/lib.rs": "pub mod db;\n",
    "crates/app/src/db/mod.rs": "pub mod open;\n",
    "crates/app/src/db/open.rs": "pub struct Opener;\n",
  });
  await place.project.index.refresh();
  const modules = await ModuleFiles.of(place.project);
  const called = async (name: string) => (await modulesCalled(place.project, modules, name)).sort();
  expect(await called("app.store")).toEqual(["src/Named.kt", "src/Things.kt"]);
  expect(await called("app.store.Store")).toEqual(["src/Things.kt"]);
  expect(await called("app.store.load")).toEqual(["src/Things.kt"]);
  expect(await called("app.store.Tools")).toEqual(["src/Named.kt"]);
  expect(await called("base")).toEqual(["src/package.scala"]);
  expect(await called("app.nothing")).toEqual([]);
  expect(await called("crate::db::open")).toEqual(["crates/app/src/db/open.rs"]);
  expect(await called("crate::db::open::Opener")).toEqual(["crates/app/src/db/open.rs"]);
  expect(await called("db::open")).toEqual(["crates/app/src/db/open.rs"]);
  expect(await called("crate::nothing")).toEqual([]);
  const importers = async (file: string) =>
    (await importersOf(place.project, modules, [file])).map((one) => `${one.file}:${one.line}`);
  expect(await importers("src/Things.kt")).toEqual(["src/Use.java:2"]);
  expect(await importers("src/Named.kt")).toEqual(["src/Use.java:3"]);
});
