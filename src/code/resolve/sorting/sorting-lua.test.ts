// What only Lua has: types that are tables, and modules whose members are given again.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { type Files, nodesBelow, openFiles, placesBelow, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

describe("a table with a parent", () => {
  const files = {
    "base.lua": [
      "local Base = {}",
      "Base.__index = Base",
      "function Base:go() end",
      "function Base:stop() end",
      "return Base",
    ],
    "below.lua": [
      'local Base = require("base")',
      "local Ant = setmetatable({}, { __index = Base })",
      "function Ant:go() return self:stop() end",
      "local Bee = {}",
      "setmetatable(Bee, { __index = Base })",
      "function Bee.go() end",
      "local Cat = Base:extend()",
      'local Dog = class("Dog", Base)',
      "Eel = class(Base)",
      "local Fox = Object.extend(Base)",
      "local Gnu = setmetatable({}, Base)",
      "local Hen = {}",
      "Hen.__index = Base",
      "local Ibis = class { __includes = Base }",
      "local M = setmetatable({}, { __index = Base })",
      "function make() local Jay = setmetatable({}, Base) return Jay end",
    ],
  };

  test("inherits from it", async () => {
    const modules = await openFiles(place, files);
    const names = await nodesBelow(place, modules, "inheritors", "Base");
    expect(names).toEqual(["Ant", "Bee", "Cat", "Dog", "Eel", "Fox", "Gnu", "Hen", "Ibis"]);
    const overrides = await placesBelow(place, modules, "implementations", "base.lua#Base.go");
    expect(overrides).toEqual(["below.lua:3", "below.lua:6"]);
  });

  test("has its members", async () => {
    expect(await sorted(files, "Base.stop")).toEqual(["below.lua:3"]);
  });
});

test("another function that is given to a module is a use of the module's", async () => {
  const files = {
    "geo.lua": ["local M = {}", "function M.area() end", "function M.width() end", "return M"],
    "use.lua": [
      'local geo = require("geo")',
      "geo.area = function() end",
      "function geo.area() end",
      "local function replace() geo.area = function() end end",
      'require("geo").area = function() end',
      "local m = {}",
      "m.area = function() end",
    ],
    "plain.js": ["export function area() {}"],
    "use.js": ["const plain = require('./plain');", "plain.area = function () {};"],
  };
  expect(await sorted(files, "geo.lua#M.area")).toEqual([
    "use.lua:2",
    "use.lua:3",
    "use.lua:4",
    "use.lua:5",
    "1 JavaScript code",
  ]);
  expect(await sorted(files, "plain.js#area")).toEqual(["use.js:2", "4 Lua code"]);
});

test("a function that a method gives to self belongs to its table", async () => {
  const files = {
    "a.lua": [
      "local M = {}",
      "function M:open() self.close = function() end; self.close() end",
      "local function make() local self = {}; self.go = function() end; self.go(); return self end",
      "return M",
    ],
  };
  expect(await sorted(files, "M.close")).toEqual(["a.lua:2"]);
  expect(await sorted(files, "go")).toEqual(["a.lua:3?"]);
});

test("of several values of a variable, none is sure; of several names, each has its own value", async () => {
  const type = (name: string) => [
    `local ${name} = {}`,
    `function ${name}.new() return setmetatable({}, ${name}) end`,
    `function ${name}:save() end`,
  ];
  const files = {
    "a.lua": [
      ...type("Store"),
      ...type("Other"),
      "local function f(x)",
      "  local s = Store.new()",
      "  s:save()",
      "  if x then s = Other.new() end",
      "  s:save()",
      "  local a, b = Store.new(), Other.new()",
      "  b:save()",
      "end",
    ],
  };
  expect(await sorted(files, "Store.save")).toEqual(["a.lua:9", "a.lua:11?", "a.lua:13?"]);
  expect(await sorted(files, "Other.save")).toEqual(["a.lua:11?", "a.lua:13?", "1 Store.save"]);
});
