// Which files are code: scripts say it in their first line, others by their names.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test.each([
  ["lua", "run.lua", "function greet() end", "#!/usr/bin/env lua", "greet()"],
  ["lua with a version", "run.lua", "function greet() end", "#!/usr/bin/lua5.3", "greet()"],
  ["php", "run.php", "<?php\nfunction greet() {}", "#!/usr/bin/env php", "<?php greet();"],
  ["ruby", "run.rb", "def greet\nend", "#!/usr/bin/env ruby", "greet()"],
  ["python", "run.py", "def greet(): pass", "#!/usr/bin/env -S python3 -u", "from run import greet; greet()"],
  [
    "node",
    "run.js",
    "export function greet() {}",
    "#!/usr/bin/env node",
    "import { greet } from './run.js'; greet()",
  ],
  ["sh", "run.sh", "greet() { :; }", "#! /bin/sh -eu", ". ./run.sh; greet"],
  [
    "python, handed over by sh",
    "run.py",
    "def greet(): pass",
    "#!/bin/sh\n''''exec python3 -- \"$0\" # '''",
    "from run import greet; greet()",
  ],
])("a script without an extension is code: %s", async (_name, file, declaration, first, use) => {
  const line = `tool:${first.split("\n").length + 1}`;
  expect(await sorted({ [file]: declaration, tool: [first, use] }, `${file}#greet`)).toEqual([line]);
});

test("a script that hands itself over to a language that is not known is no code", async () => {
  const files = {
    "run.sh": "greet() { :; }",
    tool: ["#!/bin/sh", "# \\", 'exec tclsh "$0" "$@"', "greet"],
    again: ["#!/bin/sh", '[ "$1" ] || exec "$0" all', ". ./run.sh", "greet"],
  };
  expect(await sorted(files, "greet")).toEqual(["again:4"]);
});

test.each([
  ["config.ru", "run.rb", "def greet\nend", "greet()"],
  ["app.podspec", "run.rb", "def greet\nend", "greet()"],
  ["show.jbuilder", "run.rb", "def greet\nend", "greet()"],
  ["page.phpt", "run.php", "<?php\nfunction greet() {}", "<?php greet();"],
  ["all.bats", "run.sh", "greet() { :; }", ". ./run.sh; greet"],
  [".bash_aliases", "run.sh", "greet() { :; }", ". ./run.sh; greet"],
  ["SConstruct", "run.py", "def greet(): pass", "from run import greet; greet()"],
  ["wscript", "run.py", "def greet(): pass", "from run import greet; greet()"],
  ["app-1.rockspec", "run.lua", "function greet() end", "greet()"],
])("%s is code", async (file, other, declaration, use) => {
  expect(await sorted({ [other]: declaration, [file]: use }, `${other}#greet`)).toEqual([`${file}:1`]);
});

test.each([
  ["<?xml version='1.0'?><TS><source>greet</source></TS>"],
  ["\n<!DOCTYPE TS><TS><source>greet</source></TS>"],
  ["<!doctype html><html><script>greet()</script></html>"],
])("markup in a file that is named like code is none: %s", async (text) => {
  const files = {
    "run.ts": "export function greet() {}\ngreet();",
    "translation.ts": text,
    "page.php": "<!DOCTYPE html><?php function shown() {} shown(); ?>",
  };
  expect(await sorted(files, "greet")).toEqual(["run.ts:2"]);
  expect(await sorted(files, "shown")).toEqual(["page.php:1"]);
});
