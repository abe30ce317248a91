// What only Bash has: files that are sourced by paths with expansions, quoted commands and variables that are added to.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code of Bash.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { sourcedModule } from "../../languages/bash-source.ts";
import { importersOf, unknownImports } from "../importers.ts";
import { type Files, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test.each([
  ['. "${LIB:-./lib}/tools.sh"', "*/tools.sh"],
  ["source $LIB/a/tools.sh arg", "*/a/tools.sh"],
  [". $(find_lib)/tools.sh", "*/tools.sh"],
  [". ${LIB}tools.sh", "*"],
  ['. "$1"', "*"],
  ['source "$(find_lib "$name" one)"', "*"],
  ['. "$(dirname "$0")/tools.sh"', "./tools.sh"],
  ['. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"/tools.sh', "./tools.sh"],
  ['. "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../tools.sh"', "./../tools.sh"],
  ["source ${BASH_SOURCE%/*}/tools.sh", "./tools.sh"],
  ["source ./tools.sh", "./tools.sh"],
  ["source 'my tools.sh'", "my tools.sh"],
])("%s reads %s", (statement, module) => expect(sourcedModule(statement)).toBe(module));

describe("a path of which only the end is known", () => {
  const files = {
    "lib/tools.sh": "greet() { :; }",
    "bin/run.sh": ['. "${LIB:-./lib}/tools.sh"', "greet"],
    "bin/plug.sh": ['. "$1"', '. "$(greet)"', "greet"],
  };

  test("leads to the one file that has it", async () => {
    expect(await sorted(files, "greet")).toEqual(["bin/plug.sh:2?", "bin/plug.sh:3?", "bin/run.sh:2"]);
    const modules = await openFiles(place, files);
    const [importer, ...others] = await importersOf(place.project, modules, ["lib/tools.sh"]);
    expect([importer?.file, importer?.isPossible, others]).toEqual(["bin/run.sh", undefined, []]);
    expect(await unknownImports(place.project, ["lib/tools.sh"])).toEqual([
      { file: "bin/plug.sh", line: 1 },
      { file: "bin/plug.sh", line: 2 },
    ]);
  });

  test("possibly leads to each of several", async () => {
    const several = { ...files, "bin/plug.sh": "", "old/tools.sh": "greet() { :; }" };
    expect(await sorted(several, "lib/tools.sh#greet")).toContain("bin/run.sh:2?");
    const modules = await openFiles(place, several);
    const importers = await importersOf(place.project, modules, ["lib/tools.sh"]);
    expect(importers.map(({ file, isPossible }) => [file, isPossible])).toEqual([["bin/run.sh", true]]);
  });
});

test("a command in quotes is a use", async () => {
  const files = { "a.sh": ["greet() { :; }", '"greet" a', "'greet' b", "echo 'greet'"] };
  expect(await sorted(files, "greet")).toEqual(["a.sh:2", "a.sh:3"]);
});

test("a variable is declared once: what adds to it or assigns it again uses it", async () => {
  const files = {
    "a.sh": ["ALL+=(z)", "ALL=(a)", "ALL+=(b)", "ALL=(c)", 'echo "${ALL[@]}"'],
    "b.sh": [". ./a.sh", "ALL+=(d)", 'echo "${ALL[@]}"'],
    "c.sh": ["ONLY+=(a)", "ONLY+=(b)"],
    "d.sh": ["LATE=1", "export LATE=2"],
  };
  const uses = ["a.sh:1", "a.sh:3", "a.sh:4", "a.sh:5", "b.sh:2", "b.sh:3"];
  expect(await sorted(files, "ALL")).toEqual(uses);
  expect(await sorted(files, "ONLY")).toEqual(["c.sh:2"]);
  expect(await sorted(files, "LATE")).toEqual(["d.sh:1"]);
});

test("a bare word is a function where a command stands, and else only possibly", async () => {
  const files = {
    "a.sh": [
      "greet() { :; }",
      "greet | greet && \\greet",
      'x=$(greet) y=`greet`; if "greet"; then X=1 greet; fi',
      "command greet; trap greet EXIT; export -f greet; find . -exec greet {} ;",
      "echo greet",
      "cat > greet",
      "./greet",
      "list=(greet)",
      "trap 'greet 1' EXIT",
    ],
  };
  expect(await sorted(files, "greet")).toEqual([
    ...["a.sh:2", "a.sh:2", "a.sh:2", "a.sh:3", "a.sh:3", "a.sh:3", "a.sh:3"],
    ...["a.sh:4", "a.sh:4", "a.sh:4", "a.sh:4"],
    ...["a.sh:5?", "a.sh:6?", "a.sh:7?", "a.sh:8?", "a.sh:9?"],
  ]);
});

test("words that take the name of a variable", async () => {
  const files = {
    "a.sh": [
      "NAME=1",
      "for NAME in a; do :; done",
      "mapfile -t NAME",
      "[[ $x == 1 && -v NAME ]]",
      "echo NAME",
    ],
  };
  expect(await sorted(files, "NAME")).toEqual(["a.sh:2", "a.sh:3", "a.sh:4", "a.sh:5?"]);
});
