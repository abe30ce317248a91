// What only Ruby has: names with signs, names by symbols, classes that are made by a call.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { caveatOnCalls } from "../caveats.ts";
import { findExact } from "../definitions.ts";
import { planRenaming } from "../renaming.ts";
import { type Files, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

describe("names with signs", () => {
  const files = {
    "store.rb": [
      "class Store",
      "  def valid; end",
      "  def valid?; valid; end",
      "  def save!; valid?; end",
      "  def save; save!; end",
      "  def title; @title; end",
      "  def title=(text); @title = text; end",
      "  def fill; self.title = 1; self.title += title; self.title == 1; send(:title=, 2); end",
      "  def self.ready?; end",
      "end",
    ],
    "use.rb": [
      "def use(store)",
      "  store.valid? ? store.valid : Store.ready?",
      "  store.valid != 1 && store.save!",
      "  store.title = 2",
      "  store.title",
      "  [store].map(&:valid?)",
      "end",
    ],
  };
  const asked = {
    valid: ["store.rb:3", "use.rb:2?", "use.rb:3?"],
    "valid?": ["store.rb:4", "use.rb:2?", "use.rb:6?"],
    "save!": ["store.rb:5", "use.rb:3?"],
    save: [],
    "Store.ready?": ["use.rb:2"],
    "Store#valid?": ["store.rb:4", "use.rb:2?", "use.rb:6?"],
    "title=": ["store.rb:8", "store.rb:8", "store.rb:8", "use.rb:4?"],
    title: ["store.rb:8", "store.rb:8", "store.rb:8", "use.rb:5?", "2 a variable", "4 title="],
  };
  for (const [symbol, uses] of Object.entries(asked))
    test(symbol, async () => expect(await sorted(files, symbol)).toEqual(uses));

  test("a file without the name as a whole holds no use", async () => {
    const other = { "store.rb": ["class Store", "  def valid?; end", "end"], "use.rb": "x.valid" };
    expect(await sorted(other, "valid?")).toEqual([]);
  });

  test("a setter is renamed where it is called, too", async () => {
    const modules = await openFiles(place, {
      "store.rb": ["class Store", "  def title=(text); end", "  def fill; self.title = 1; end", "end"],
    });
    const plan = await planRenaming(
      place.project,
      modules,
      { symbol: "Store#title=", to: "label=" },
      () => true,
    );
    const [[file, places] = ["", []]] = plan.replacements;
    const source = await place.project.source(file);
    const texts = places.map(({ offset, length, text }) => [source.slice(offset, offset + length), text]);
    expect(texts).toEqual([
      ["title", "label"],
      ["title", "label"],
    ]);
  });
});

describe("names by symbols", () => {
  test("a symbol is a use where a method of the class itself is named, and else only possible", async () => {
    const files = {
      "task.rb": [
        "class Task",
        "  def run; end",
        "  def go(list)",
        "    send(:run)",
        "    list.each(&:run)",
        "    list.each(&method(:run))",
        "    list.send(:run)",
        "    call(run:)",
        "    { :run => 1, run: 2 }",
        "    %i[run stop]",
        "  end",
        "  before_save :run, if: :run",
        "  private :go, :run",
        "  alias start run",
        "  alias_method :begin, :run",
        "end",
      ],
    };
    expect(await sorted(files, "Task#run")).toEqual([
      "task.rb:4",
      "task.rb:5?",
      "task.rb:6",
      "task.rb:7?",
      "task.rb:8?",
      "task.rb:9?",
      "task.rb:9?",
      "task.rb:10?",
      "task.rb:12",
      "task.rb:12",
      "task.rb:13",
      "task.rb:14",
      "task.rb:15",
    ]);
  });

  test("the letter of an array of words is no name", async () => {
    const files = { "a.rb": ["class A", "  attr_reader :w", "  LIST = %w[a b]", "  def x; w; end", "end"] };
    expect(await sorted(files, "A#w")).toEqual(["a.rb:4"]);
  });
});

describe("what a call declares", () => {
  const files = {
    "made.rb": [
      "class Base",
      "  def run; end",
      "end",
      "class Made < Base",
      "  alias_method :start, :run",
      "  define_method(:stop) { start }",
      "end",
      "Point = Struct.new(:x, :y) do",
      "  def sum; x + y; end",
      "end",
      "Place = Data.define(:name)",
      "Task = Class.new(Base) do",
      "  def go; run; end",
      "end",
      "class Pair < Struct.new(:left)",
      "  def first; left; end",
      "end",
      "def use",
      "  Made.new.stop",
      "  point = Point.new(1, 2)",
      "  point.x + point.sum",
      "  Place.new('a').name",
      "  Task.new.run",
      "end",
    ],
  };
  const asked = {
    "Made#start": ["made.rb:6"],
    "Made#stop": ["made.rb:19"],
    "Point#x": ["made.rb:9", "made.rb:21"],
    "Point#sum": ["made.rb:21"],
    "Place#name": ["made.rb:22"],
    "Base#run": ["made.rb:5", "made.rb:13", "made.rb:23"],
    "Pair#left": ["made.rb:16"],
  };
  for (const [symbol, uses] of Object.entries(asked))
    test(symbol, async () => expect(await sorted(files, symbol)).toEqual(uses));
});

test("a variable of an object is no local of its name, and has the type of all that it is given", async () => {
  const files = {
    "a.rb": [
      "class Store",
      "  def save; end",
      "end",
      "class Other",
      "  def save; end",
      "end",
      "class Holder",
      "  def initialize",
      "    @store = Store.new",
      "    @any = Store.new",
      "  end",
      "  def change; @any = Other.new; end",
      "  def go",
      "    store = Other.new",
      "    @store.save",
      "    @any.save",
      "    store.save",
      "  end",
      "end",
    ],
  };
  expect(await sorted(files, "Store#save")).toEqual(["a.rb:15", "a.rb:16?", "1 Other.save"]);
  expect(await sorted(files, "Other#save")).toEqual(["a.rb:16?", "a.rb:17", "1 Store.save"]);
});

test("a value that is only given on a condition may not be the last one", async () => {
  const files = {
    "a.rb": [
      ...["class Store", "  def save; end", "end", "class Other", "  def save; end", "end"],
      ...["def f(x)", "  s = Store.new", "  s = Other.new if x", "  s.save", "end"],
    ],
  };
  expect(await sorted(files, "Store#save")).toEqual(["a.rb:10?"]);
  expect(await sorted(files, "Other#save")).toEqual(["a.rb:10?"]);
});

test("a name that blocks and symbols give is that of any type", async () => {
  const files = {
    "a.rb": [
      "class Order",
      "  def total(lines)",
      "    lines.sum(&:total)",
      "    lines.inject(:total)",
      "    send(:total)",
      "  end",
      "end",
      "class Line",
      "  def total; 1; end",
      "end",
    ],
  };
  expect(await sorted(files, "Order#total")).toEqual(["a.rb:3?", "a.rb:4?", "a.rb:5"]);
  expect(await sorted(files, "Line#total")).toEqual(["a.rb:3?", "a.rb:4?", "1 Order.total"]);
});

test("what a module declares as accessors are members, of the module itself, too", async () => {
  const files = {
    "a.rb": [
      "module App",
      "  class << self",
      "    attr_accessor :conf",
      "    def setup; self.conf ||= 1; end",
      "  end",
      "end",
      "module Mix",
      "  attr_accessor :size",
      "  def grow; self.size ||= size; end",
      "end",
      "class Uses",
      "  include Mix",
      "  def f; self.size = size; end",
      "end",
    ],
    "b.rb": ["App.conf", "App.conf = 1", "Other.conf", "App.setup", "Uses.new.size"],
    "c.rb": [
      "module A; module Tool; def self.go; end; end; end",
      "module B; module Tool; extend Help; end; end",
      "Tool.go",
    ],
  };
  expect(await sorted(files, "App.conf")).toEqual(["a.rb:4", "b.rb:1", "b.rb:2", "b.rb:3?"]);
  expect(await sorted(files, "App.setup")).toEqual(["b.rb:4"]);
  expect(await sorted(files, "Mix.size")).toEqual(["a.rb:9", "a.rb:9", "a.rb:13", "a.rb:13", "b.rb:5"]);
  expect(await sorted(files, "A.Tool.go")).toEqual(["c.rb:3?"]);
});

test("super alone calls what the method around overrides, and is told beside the uses by name", async () => {
  await openFiles(place, {
    "a.rb": [
      "class Base",
      "  def run; end",
      "  def stop; end",
      "end",
      "class Made < Base",
      "  # super",
      "  def run",
      "    super",
      "  end",
      "  def stop; 'super'; end",
      "end",
      "module Log",
      "  def save; log; super(1); end",
      "end",
      "class Store",
      "  prepend Log",
      "  def save(n); end",
      "end",
      "class Other < Unknown",
      "  def run; super; end",
      "end",
    ],
  });
  const caveat = async (symbol: string) =>
    caveatOnCalls(place.project, await findExact(place.project, symbol), () => true);
  const head = "Calls by super alone are not found by name:";
  expect(await caveat("Base.run")).toBe(`${head} a.rb:8 [Made.run].`);
  expect(await caveat("Store.save")).toBe(`${head} a.rb:13 [Log.save].`);
  expect(await caveat("Made.run")).toBeUndefined();
  expect(await caveat("Base.stop")).toBeUndefined();
});
