// What only Python has: types in texts, fields that are assigned, names that other files give.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

const types = ["class Store:", "    def save(self): pass", "class Other:", "    def save(self): pass"];

describe("the value of a variable", () => {
  const body = (lines: string[]) => ({
    "a.py": [...types, "def f(flag, items):", ...lines.map((l) => `    ${l}`)],
  });

  test("the last one before its use counts, where it is always reached", async () => {
    const files = body(["s = Store()", "s = Other()", "s.save()", "s = Store()", "s.save()"]);
    expect(await sorted(files, "Store.save")).toEqual(["a.py:10", "1 Other.save"]);
  });

  test("a parameter may get another value", async () => {
    const files = { "a.py": [...types, "def f(s: Store):", "    s = Other()", "    s.save()"] };
    expect(await sorted(files, "Store.save")).toEqual(["1 Other.save"]);
    expect(await sorted(files, "Other.save")).toEqual(["a.py:7"]);
  });

  test("of values of several branches, none is sure", async () => {
    const files = body(["s = Other()", "if flag:", "    s = Store()", "s.save()"]);
    expect(await sorted(files, "Store.save")).toEqual(["a.py:9?"]);
    expect(await sorted(files, "Other.save")).toEqual(["a.py:9?"]);
    const chosen = body(["s = Store() if flag else Other()", "s.save()"]);
    expect(await sorted(chosen, "Other.save")).toEqual(["a.py:7?"]);
    expect(await sorted(chosen, "Store.save")).toEqual(["a.py:7?"]);
  });

  test("a loop brings a later value back", async () => {
    const files = body(["s = Other()", "for one in items:", "    s.save()", "    s = Store()"]);
    expect(await sorted(files, "Store.save")).toEqual(["a.py:8?"]);
    expect(await sorted(files, "Other.save")).toEqual(["a.py:8?"]);
  });

  test("nothing is no other value", async () => {
    const files = body(["s = None", "if flag:", "    s = Store()", "s.save()"]);
    expect(await sorted(files, "Store.save")).toEqual(["a.py:9"]);
  });

  test("at the top of a file, too", async () => {
    const files = {
      "a.py": [...types, "s = Store()", "s = Other()", "s.save()", "def f():", "    s.save()"],
    };
    expect(await sorted(files, "Store.save")).toEqual(["a.py:9?", "1 Other.save"]);
  });

  test("of several names, each has its own value", async () => {
    const files = body(["a, b = Store(), Other()", "b.save()"]);
    expect(await sorted(files, "Store.save")).toEqual(["a.py:7?"]);
    expect(await sorted(files, "Other.save")).toEqual(["a.py:7?"]);
  });
});

describe("fields that are assigned", () => {
  const holder = (init: string[], ...more: string[]) => ({
    "a.py": [
      ...types,
      "def make() -> Store: pass",
      "class Holder:",
      ...init.map((line) => `    ${line}`),
      ...more.map((line) => `    ${line}`),
      "    def go(self): self.store.save()",
    ],
  });
  const sure = [
    ["store: Store"],
    ["def __init__(self, store: Store):", "    self.store = store"],
    ["def __init__(self, store: 'Store'):", "    self.store: Store = store"],
    ["store = None", "def set(self):", "    self.store = Store()"],
    ["def set(self):", "    self.store = make()"],
  ];
  for (const lines of sure)
    test(lines.join(" "), async () => {
      const files = holder(lines);
      const at = files["a.py"].length;
      expect(await sorted(files, "Store.save")).toEqual([`a.py:${at}`]);
      expect(await sorted(files, "Other.save")).toEqual(["1 Store.save"]);
    });

  test("what is assigned elsewhere in the class, or in one below, may be another type", async () => {
    const init = ["def __init__(self):", "    self.store = Store()"];
    const files = holder(init, "def change(self, other):", "    self.store = other");
    expect(await sorted(files, "Other.save")).toEqual(["a.py:11?"]);
    const below = holder(init);
    below["a.py"].push("class Below(Holder):", "    def set(self): self.store = Other()");
    expect(await sorted(below, "Other.save")).toEqual(["a.py:9?"]);
    expect(await sorted(below, "Store.save")).toEqual(["a.py:9?"]);
  });
});

test("a parent that an import gives another name", async () => {
  const files = {
    "base.py": ["class Base:", "    def run(self): pass"],
    "use.py": [
      "from base import Base as B",
      "class C(B):",
      "    def go(self): self.run()",
      "def f(c: C): c.run()",
    ],
  };
  expect(await sorted(files, "Base.run")).toEqual(["use.py:3", "use.py:4"]);
});

test("a text that is read as a type is code, and gives a receiver its type", async () => {
  const files = {
    "store.py": types,
    "use.py": [
      "from typing import Annotated, Literal, Optional, TYPE_CHECKING, cast",
      "if TYPE_CHECKING:",
      "    from store import Store",
      'def f(a: "Store", b: Optional["Store"] = None, c: "dict[str, Store]" = 1) -> "Store | None":',
      "    a.save()",
      "    b.save()",
      'x: list["Store"] = cast("list[Store]", 1)',
      'y: Literal["Store"] | Annotated[int, "Store"] = "Store"',
    ],
  };
  expect(await sorted(files, "Store")).toEqual([
    "use.py:4",
    "use.py:4",
    "use.py:4",
    "use.py:4",
    "use.py:7",
    "use.py:7",
  ]);
  expect(await sorted(files, "Store.save")).toEqual(["use.py:5", "use.py:6"]);
});

describe("parents", () => {
  test("super() means the nearest parent that has the member, never the own class", async () => {
    const files = {
      "a.py": [
        "class Base:",
        "    def run(self): pass",
        "class Sub(Base):",
        "    def run(self): super().run()",
        "class Last(Sub):",
        "    def run(self): super(Last, self).run()",
        "class Mixin:",
        "    def run(self): super().run()",
        "class Both(Mixin, Base): pass",
      ],
    };
    expect(await sorted(files, "Base.run")).toEqual(["a.py:4", "a.py:8?", "1 Sub.run"]);
    expect(await sorted(files, "Sub.run")).toEqual(["a.py:6", "a.py:8?", "1 Base.run"]);
    expect(await sorted(files, "Last.run")).toEqual(["a.py:8?", "1 Base.run", "1 Sub.run"]);
  });

  test("a parent may have the name of its child", async () => {
    const files = {
      "p/__init__.py": "",
      "p/any.py": ["class Any:", "    def put(self): pass", "    def deep(self): pass"],
      "p/base.py": [
        "from p import any",
        "class Channel(any.Any):",
        "    def run(self): self.put()",
        "    def put(self): pass",
      ],
      "p/redis.py": [
        "from p import base",
        "class Channel(base.Channel):",
        "    def put(self): super().put()",
        "    def all(self): super().deep()",
        "    def one(self): self.put()",
      ],
      "p/other.py": ["class Channel:", "    def deep(self): pass"],
    };
    expect(await sorted(files, "p/base.py#Channel.put")).toEqual([
      "p/base.py:3",
      "p/redis.py:3?",
      "p/redis.py:5?",
    ]);
    expect(await sorted(files, "p/redis.py#Channel.put")).toEqual([
      "p/base.py:3?",
      "p/redis.py:5",
      "1 Channel.put",
    ]);
    expect(await sorted(files, "Any.put")).toEqual(["p/base.py:3?", "p/redis.py:3?", "p/redis.py:5?"]);
    expect(await sorted(files, "Any.deep")).toEqual(["p/redis.py:4?"]);
    expect(await sorted(files, "p/other.py#Channel.deep")).toEqual(["p/redis.py:4?"]);
  });

  test("what has the members of a protocol may be meant where that is the type", async () => {
    const files = {
      "a.py": [
        "class Runner(Protocol):",
        "    def run(self): ...",
        "class Task:",
        "    def run(self): pass",
        "def f(r: Runner): r.run()",
        "f(Task())",
      ],
    };
    expect(await sorted(files, "Task.run")).toEqual(["a.py:5?"]);
  });

  test("of a union, each may be meant", async () => {
    const files = {
      "a.py": [...types, "def f(s: Store | Other, t: Store | None):", "    s.save()", "    t.save()"],
    };
    expect(await sorted(files, "Store.save")).toEqual(["a.py:6?", "a.py:7"]);
    expect(await sorted(files, "Other.save")).toEqual(["a.py:6?", "1 Store.save"]);
  });
});

describe("names of functions", () => {
  const locals = {
    walrus: ["if (LIMIT := 3): pass", "print(LIMIT)"],
    "a rest": ["*LIMIT, a = 1, 2", "print(LIMIT)"],
    "a pair in a loop": ["for (LIMIT, b) in []: pass", "print(LIMIT)"],
    "a deeper pair": ["for i, (LIMIT, b) in []: pass", "print(LIMIT)"],
    "a pair of a comprehension": ["return {LIMIT: 1 for (a, LIMIT) in []}"],
    lambda: ["return lambda *LIMIT, **LIMITS: LIMIT"],
    with: ["with x as (LIMIT, b): pass", "print(LIMIT)"],
    match: ["match x:", "    case {'a': LIMIT}: print(LIMIT)", "    case A(b=[*LIMIT]): print(LIMIT)"],
  };
  for (const [what, lines] of Object.entries(locals))
    test(what, async () => {
      const files = { "a.py": ["LIMIT = 3", "def f(x):", ...lines.map((line) => `    ${line}`)] };
      const [found = "", ...more] = await sorted(files, "LIMIT");
      expect([found.replace(/^\d+ /, ""), ...more]).toEqual(["a local variable"]);
    });

  test("an import in a function is its own", async () => {
    const files = {
      "a.py": ["LIMIT = 3", "def f():", "    from b import LIMIT", "    print(LIMIT)", "print(LIMIT)"],
      "b.py": "LIMIT = 4",
    };
    expect(await sorted(files, "a.py#LIMIT")).toEqual(["a.py:5", "2 b.py#LIMIT"]);
    expect(await sorted(files, "b.py#LIMIT")).toEqual(["a.py:4", "1 a.py#LIMIT"]);
  });

  test("a default is read in the class around", async () => {
    const files = { "a.py": ["class A:", "    size = 3", "    def m(self, a=size):", "        return size"] };
    expect(await sorted(files, "A.size")).toEqual(["a.py:3", "1 a name from elsewhere"]);
  });
});

test("what a package passes on under another name is used by that name", async () => {
  const files = {
    "pkg/__init__.py": "from .store import Store as Shop",
    "pkg/store.py": ["class Store: pass"],
    "use.py": ["import pkg", "from pkg import Shop", "Shop()", "pkg.Shop()"],
    "chain.py": ["from use import Shop as Mart", "Mart()"],
    "far.py": ["from chain import Mart", "Mart()"],
    "other.py": ["from elsewhere import Shop", "Shop()"],
    "own.py": ["Shop = 1", "print(Shop)"],
  };
  expect(await sorted(files, "Store")).toEqual(["chain.py:2", "far.py:2", "use.py:3", "use.py:4"]);
});

test("a type under another name is not the one that is called so elsewhere", async () => {
  const files = {
    "a.py": [...types, "class Shop:", "    def save(self): pass"],
    "use.py": ["from a import Store as Shop", "def f(s: Shop): s.save()"],
  };
  expect(await sorted(files, "Store.save")).toEqual(["use.py:2"]);
  expect(await sorted(files, "Shop.save")).toEqual(["1 Store.save"]);
});

test("a field that a method assigns is declared there, once", async () => {
  const files = {
    "a.py": [
      "class Q:",
      "    kind = 1",
      "    def __init__(self, store):",
      "        self.store = store",
      "        self.kind = 2",
      "        store.open()",
      "    def set(self): self.store = self.store or 3",
      "class P(Q):",
      "    def go(self, q: Q, other): return self.store, q.store, other.store",
      "q = Q(store=1)",
      "store = 1",
    ],
  };
  expect(await sorted(files, "Q.store")).toEqual([
    ...["a.py:7", "a.py:7", "a.py:9", "a.py:9", "a.py:9?", "a.py:10?"],
    "3 a local variable",
  ]);
  expect(await sorted(files, "Q.kind")).toEqual(["a.py:5"]);
});
