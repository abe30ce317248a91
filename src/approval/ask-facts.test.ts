import { expect, test } from "vitest";
import type { Effect } from "../tool/effects.ts";
import { factsOf } from "./ask-facts.ts";

const created = (path: string): Effect => ({ kind: "write", path, replaces: false });
const deleted = (path: string): Effect => ({ kind: "delete", path });

test("protected names come first, each with when it runs", () => {
  const effects = [...Array.from({ length: 180 }, (_, at) => created(`f${at}.txt`)), created(".envrc")];
  const { warnings, counts } = factsOf([...effects, created("sub/.husky/pre-commit")], []);
  expect(warnings).toEqual([
    "creates .envrc, which runs when you enter this folder",
    "creates sub/.husky/pre-commit, which runs when you commit or push",
  ]);
  expect(counts).toEqual(["creates 182 files: 180 .txt, 1 .envrc, 1 pre-commit in sub/"]);
});

test("several files of one protected name are one line, with the first names", () => {
  const { warnings } = factsOf(
    Array.from({ length: 6 }, (_, at) => created(`.husky/h${at}`)),
    [],
  );
  expect(warnings).toEqual([
    "creates 6 files of .husky (.husky/h0, .husky/h1, .husky/h2, .husky/h3, …), which runs when you commit or push",
  ]);
});

test("a folder that goes is told with what is in it; a file is not", () => {
  expect(
    factsOf([deleted("src/old/a"), deleted("src/old/b/c"), deleted("src/old/b"), deleted("src/old")], []),
  ).toEqual({
    warnings: ["deletes the folder src/old with 3 entries"],
    counts: [],
  });
  expect(factsOf([deleted("src/old.txt")], []).warnings).toEqual([]);
});

test("a command outside is a warning, and one inside is none", () => {
  const run = (outside: boolean): Effect => ({ kind: "run", command: "x", network: "off", outside });
  expect(factsOf([run(true)], []).warnings).toEqual(["runs a command on your machine, outside the sandbox"]);
  expect(factsOf([run(false)], []).warnings).toEqual([]);
});

test("a protected name that is moved away is told, and hidden characters of names are shown", () => {
  const moved: Effect[] = [deleted(".envrc"), { kind: "write", path: "x", replaces: false, from: ".envrc" }];
  expect(factsOf(moved, []).warnings).toEqual(["moves .envrc to x, which runs when you enter this folder"]);
  expect(factsOf([created("a\u202e/.envrc")], []).warnings[0]).toContain("creates a\\u{202e}/.envrc");
});

test("many files are counted by what happens to them and by kind", () => {
  const effects = [
    ...Array.from({ length: 4 }, (_, at) => created(`src/a${at}.ts`)),
    { kind: "write", path: "README.md", replaces: true } as const,
    deleted("docs/x.md"),
  ];
  expect(factsOf(effects, []).counts).toEqual([
    "creates 4 files: 4 .ts in src/",
    "changes 1 file: 1 .md",
    "deletes 1 file: 1 .md in docs/",
  ]);
  expect(factsOf(effects.slice(0, 3), []).counts).toEqual([]);
});
