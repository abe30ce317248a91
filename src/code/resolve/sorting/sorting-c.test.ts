// C and C++: arguments of macros, members behind pointers and arrays, calls in a namespace, headers.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import type { Kind } from "../../languages/language.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("a macro that is not known may take the name of a member", async () => {
  const files = {
    "hook.h": "struct hook { int count; struct hook *next; };",
    "hook.c": [
      '#include "hook.h"',
      "int make(void *h) {",
      "  ADD_FIELD(hook, count, INTEGER);",
      "  ADD_FIELD(struct hook, count, 0, NULL);",
      "  return offsetof(struct hook, count) + own(count);",
      "}",
      "int own(int count) {",
      "  ADD_FIELD(hook, count, INTEGER);",
      "  CHECK(count);",
      "  return count;",
      "}",
      "int x = container_of(p, struct hook, next)->count;",
    ],
  };
  expect(await sorted(files, "hook.count")).toEqual([
    "hook.c:3?",
    "hook.c:4?",
    "hook.c:5",
    "hook.c:8?",
    "hook.c:12?",
    "1 a name from elsewhere",
    "3 a local variable",
  ]);
  expect(await sorted(files, "hook.next")).toEqual(["hook.c:12"]);
});

test("the text of a macro tells whether it takes a member, and its parameters are its own", async () => {
  const files = {
    "hook.c": [
      "struct hook { int count; int flags; };",
      "int total;",
      "#define FIELD(p, f) ((p)->f)",
      "#define TWICE(x) ((x) * 2)",
      "#define FLAGS flags",
      "#define ADD(total) (total)++",
      "#define RESET() (total = 0)",
      "int get(struct hook *h, int count) {",
      "  FIELD(h, count) = TWICE(count);",
      "  return h->FLAGS;",
      "}",
    ],
  };
  expect(await sorted(files, "hook.count")).toEqual(["hook.c:9?", "2 a local variable"]);
  expect(await sorted(files, "hook.flags")).toEqual(["hook.c:5?"]);
  expect(await sorted(files, "total")).toEqual(["hook.c:7", "2 a local variable"]);
});

test("the text of a macro tells the type whose member it takes", async () => {
  const files = {
    "list.c": [
      "struct pipe { int node; };",
      "struct other { int node; };",
      "#define INIT(list, type, field) \\",
      "  init_offset(list, offsetof(type, field))",
      "void run(int node) { INIT(&list, struct pipe, node); }",
    ],
  };
  expect(await sorted(files, "pipe.node")).toEqual(["list.c:5", "1 a local variable"]);
  expect(await sorted(files, "other.node")).toEqual(["1 a local variable", "1 pipe.node"]);
});

test("a macro as a statement declares nothing, with a type in it or without an end", async () => {
  const files = {
    "log.c": [
      "int total;",
      "void show(int a) {}",
      "void run(void) {",
      "  ENTER(struct store *s, total);",
      "  LOG(total)",
      "  TRACE(total)",
      "  show(total);",
      "  lock(total)",
      "  total = 1;",
      "}",
    ],
  };
  expect(await sorted(files, "show")).toEqual(["log.c:7"]);
  expect(await sorted(files, "total")).toEqual([4, 5, 6, 7, 8, 9].map((line) => `log.c:${line}`));
});

test("a signal or slot that a macro names", async () => {
  const files = {
    "view.h": "class View { public: void changed(int a); void paint(); };",
    "main.cpp": [
      '#include "view.h"',
      "void join(View* v) { connect(v, SIGNAL(changed(int)), v, SLOT(paint())); }",
    ],
  };
  expect(await sorted(files, "View.changed")).toEqual(["main.cpp:2?"]);
  expect(await sorted(files, "View.paint")).toEqual(["main.cpp:2?"]);
});

test("a member of an array's elements, of a nested structure and of what a field points to", async () => {
  const files = {
    "store.h": [
      "#include <memory>",
      "struct Item { int size; };",
      "struct Other { int size; };",
      "struct Store { Item items[4]; Item *list[MAX]; std::unique_ptr<Item> first; Other other; };",
    ],
    "store.cpp": [
      '#include "store.h"',
      "int get(Store *s) { return s->items[0].size + s->list[1]->size + s->first->size; }",
      "int not_it(Store *s) { return s->other.size; }",
    ],
  };
  expect(await sorted(files, "Item.size")).toEqual([
    "store.cpp:2",
    "store.cpp:2",
    "store.cpp:2",
    "1 Other.size",
  ]);
});

test("what a call gives is not that of another function with the name", async () => {
  const files = {
    "store.h": [
      "#include <utility>",
      "class Store { public: void save(); };",
      "class File { public: void save(); File* part(int a); };",
      "File move(File f);",
      "File open(int a);",
    ],
    "store.cpp": [
      '#include "store.h"',
      "void run(Store s, File f) {",
      "  auto a = std::move(s);",
      "  a.save();",
      "  std::move(s).save();",
      "  auto b = s.open(1);",
      "  b.save();",
      "  s.open(1).save();",
      "  auto c = open(1);",
      "  c.save();",
      "  auto d = f.part(1);",
      "  d->save();",
      "}",
    ],
  };
  expect(await sorted(files, "Store.save")).toEqual([
    "store.cpp:4?",
    "store.cpp:5?",
    "store.cpp:7?",
    "store.cpp:8?",
    "2 File.save",
  ]);
  expect(await sorted(files, "File.save")).toEqual([
    "store.cpp:4?",
    "store.cpp:5?",
    "store.cpp:7?",
    "store.cpp:8?",
    "store.cpp:10",
    "store.cpp:12",
  ]);
});

test("smart pointers have members of their own, and lead to what they hold or its parents", async () => {
  const files = {
    "store.h": [
      "#include <memory>",
      "class Base { public: virtual void save(); void reset(); };",
      "class Store : public Base { public: void save() override; };",
    ],
    "store.cpp": [
      '#include "store.h"',
      "void run(std::unique_ptr<Store> a, QScopedPointer<Store> b, Unknown<Store> c) {",
      "  a->save();",
      "  b->save();",
      "  c->save();",
      "  a->reset();",
      "  a.reset();",
      "}",
    ],
  };
  expect(await sorted(files, "Base.save")).toEqual(["store.cpp:3?", "store.cpp:4?", "store.cpp:5?"]);
  expect(await sorted(files, "Base.reset")).toEqual(["store.cpp:6", "1 unique_ptr.reset"]);
});

test("enumerators through a class that inherits them, and those of an enum that is used", async () => {
  const files = {
    "kind.h": [
      "class Base { public: enum Kind { OLD, NEW }; };",
      "class Derived : public Base {};",
      "enum class Color { Red, Green };",
    ],
    "kind.cpp": [
      '#include "kind.h"',
      "int a = Derived::OLD;",
      "int b = Base::OLD;",
      "using Short = Derived;",
      "int c = Short::OLD + Short::NEW;",
      "void paint(Color c) {",
      "  using enum Color;",
      "  c = Red;",
      "}",
    ],
  };
  expect(await sorted(files, "Kind.OLD")).toEqual(["kind.cpp:2", "kind.cpp:3", "kind.cpp:5"]);
  expect(await sorted(files, "Color.Red")).toEqual(["kind.cpp:8"]);
});

test("an override behind whose head a macro stands is a declaration", async () => {
  const files = {
    "view.h": [
      "class Base { public: virtual void paint() = 0; };",
      "class View : public Base {",
      "public:",
      "  void paint() VIEW_OVERRIDE",
      "  {",
      "  }",
      "};",
    ],
    "main.cpp": ['#include "view.h"', "void run(View* v) { v->paint(); }"],
  };
  expect(await sorted(files, "View.paint")).toEqual(["main.cpp:2"]);
  expect(await sorted(files, "Base.paint")).toEqual(["main.cpp:2?"]);
});

test.each([
  ["class Store;", "void use(Store *s) { s->run(1); }"],
  ["struct Store { void run(int a); };", ""],
  ["#include <vector>", "struct Store;"],
  ["void use(const Store& s);", "struct Store;"],
  ["std::vector<Store> all();", "struct Store;"],
])("a header is C++ by what only C++ has: %s", async (first, second) => {
  const files = {
    "store.h": [first, second],
    "store.cpp": ['#include "store.h"', "class Store { public: void run(int a); int n; };"],
  };
  await sorted(files, "store.cpp#Store");
  const file = place.project.words.file("store.h");
  expect(file?.language).toBe("C++");
});

test("a header stays C", async () => {
  const text = [
    "#include <stdio.h>",
    'const char *path = "a::b"; // class Store;',
    "struct store { int (*open)(int a); int flags PACKED(1); TAIL(store) list; };",
    "int read(const struct store *a, int b);",
  ];
  await sorted({ "store.h": text }, "store");
  expect(place.project.words.file("store.h")?.language).toBe("C");
});

test("an enum and a method of one name in one class", async () => {
  const files = {
    "value.h": "class Value { public: enum type { small, large }; void set(enum type t); int type(); };",
    "value.cpp": [
      '#include "value.h"',
      "int read(Value v) {",
      "  enum Value::type t = Value::small;",
      "  return v.type();",
      "}",
    ],
  };
  const ofKind = (kind: Kind) => sortedUses(place, files, "Value.type", kind);
  expect(await ofKind("enum")).toEqual(["value.cpp:3", "value.h:1", "1 a member"]);
  expect(await ofKind("method")).toEqual(["value.cpp:4", "2 a type"]);
});

test("a member reached through another name of its type", async () => {
  const files = {
    "base.h": [
      "namespace lib { class Base { public: virtual void draw(); void plain(); }; }",
      "using Short = lib::Base;",
      "typedef lib::Base Other;",
    ],
    "derived.h": [
      '#include "base.h"',
      "class Derived : public Short { public: void draw() override; void run() { plain(); Short::draw(); } };",
    ],
    "main.cpp": [
      '#include "derived.h"',
      "void run(Other* o, lib::Base* b, std::vector<Derived*> all) { o->plain(); b->draw(); all[0]->draw(); }",
    ],
  };
  expect(await sorted(files, "Base.plain")).toEqual(["derived.h:2", "main.cpp:2"]);
  expect(await sorted(files, "Base.draw")).toEqual(["derived.h:2", "main.cpp:2", "main.cpp:2?"]);
  expect(await sorted(files, "Derived.draw")).toEqual(["derived.h:2?", "main.cpp:2?", "main.cpp:2?"]);
});

test("a namespace may pass on what is in another one", async () => {
  const files = {
    "base.h": [
      "namespace app { namespace core { class Base {}; void open(); } using core::Base; }",
      "namespace lib { inline namespace v1 { void run(); } }",
    ],
    "main.cpp": ['#include "base.h"', "class D : public app::Base { void f() { lib::run(); std::run(); } };"],
  };
  expect(await sorted(files, "Base")).toEqual(["base.h:1", "main.cpp:2?"]);
  expect(await sorted(files, "run")).toEqual(["main.cpp:2?", "1 std::run"]);
});

test("SIGNAL and SLOT name members of what stands before them", async () => {
  const files = {
    "view.cpp": [
      "class Store { public: void changed(); };",
      "class View { public: void changed(); void show();",
      "  void join(Store* s, View* v) {",
      "    connect(s, SIGNAL(changed()), this, SLOT(show()));",
      "    connect(this, SIGNAL(changed()), SLOT(show()));",
      "    connect(this, SIGNAL(changed()), v, SLOT(show()));",
      "    connect(s->view(), SIGNAL(changed()), SLOT(show()));",
      "    connect(store, &Store::changed, this, &View::show);",
      "  }",
      "  Store* store;",
      "};",
    ],
  };
  expect(await sorted(files, "View.changed")).toEqual([
    "view.cpp:4?",
    "view.cpp:5",
    "view.cpp:6",
    "view.cpp:7?",
    "1 Store.changed",
  ]);
  expect(await sorted(files, "Store.changed")).toEqual([
    "view.cpp:4?",
    "view.cpp:7?",
    "view.cpp:8",
    "2 View.changed",
  ]);
  expect(await sorted(files, "View.show")).toEqual([
    "view.cpp:4",
    "view.cpp:5",
    "view.cpp:6?",
    "view.cpp:7",
    "view.cpp:8",
  ]);
  expect(await sorted(files, "View.store")).toEqual(["view.cpp:8"]);
});

test("what is initialized, cast or dereferenced, and variables of other files", async () => {
  const files = {
    "ops.h": [
      "struct ops { int (*open)(int); int flags; };",
      "struct other { int flags; };",
      "extern struct ops table;",
    ],
    "ops.c": [
      '#include "ops.h"',
      "static int my_open(int x) { return x; }",
      "struct ops table = { .open = my_open, .flags = 1 };",
      "static struct ops many[] = { { .open = my_open }, [1] = { .flags = 2 } };",
      "void set(struct ops *o, struct other *p) {",
      "  *o = (struct ops) { .flags = 3 };",
      "  struct other x = { .flags = 2 };",
      "  (*o).flags = ((struct ops *) p)->flags;",
      "  read(*o).flags = read((struct ops *) p)->flags;",
      "}",
    ],
    "use.c": ['#include "ops.h"', "void run(void) { table.flags = table.open(2); }"],
  };
  expect(await sorted(files, "ops.flags")).toEqual([
    "ops.c:3",
    "ops.c:4",
    "ops.c:6",
    "ops.c:8",
    "ops.c:8",
    "ops.c:9?",
    "ops.c:9?",
    "use.c:2",
    "1 other.flags",
  ]);
  expect(await sorted(files, "ops.open")).toEqual(["ops.c:3", "ops.c:4", "use.c:2"]);
  expect(await sorted(files, "my_open")).toEqual(["ops.c:3", "ops.c:4"]);
});

test("what a smart pointer that is dereferenced or a cast leads to", async () => {
  const files = {
    "store.h": ["#include <memory>", "class Store { public: void save(); };"],
    "store.cpp": [
      '#include "store.h"',
      "void run(std::unique_ptr<Store> a, Base* b) {",
      "  (*a).save();",
      "  static_cast<Store*>(b)->save();",
      "  auto c = dynamic_cast<const Store*>(b);",
      "  c->save();",
      "}",
    ],
  };
  expect(await sorted(files, "Store.save")).toEqual(["store.cpp:3", "store.cpp:4", "store.cpp:6"]);
});

test("an override is reached through another name of its parent, and what a pointer of that name leads to is known", async () => {
  const files = {
    "base.h": [
      "#include <memory>",
      "class Base { public: virtual void draw(); };",
      "class Derived : public Base { public: void draw() override; };",
      "typedef Base Other;",
      "using Held = std::shared_ptr<Derived>;",
    ],
    "main.cpp": ['#include "base.h"', "void run(Other* o, Held h) { o->draw(); h->draw(); }"],
  };
  expect(await sorted(files, "Derived.draw")).toEqual(["main.cpp:2?", "main.cpp:2"]);
  expect(await sorted(files, "Base.draw")).toEqual(["main.cpp:2", "main.cpp:2?"]);
});

test("an operator that is called by its name, and a value that is made of a type", async () => {
  const files = {
    "vector.h": "class Vector { public: Vector operator+(const Vector& o) const; int length(); };",
    "main.cpp": [
      '#include "vector.h"',
      "Vector Vector::operator+(const Vector& o) const { return o; }",
      "int add(Vector a, Vector b) { auto c = Vector(); return a.operator+(b).length() + c.length(); }",
    ],
  };
  expect(await sorted(files, "Vector.operator+")).toEqual(["main.cpp:3"]);
  expect(await sorted(files, "Vector.length")).toEqual(["main.cpp:3?", "main.cpp:3"]);
});

test("a variable that the grammar does not see has not the type of a field of its name", async () => {
  const files = {
    "format.cpp": [
      "struct Map { const char *expr; };",
      "struct Expr { int calc(); };",
      "int run(Elem *elem) {",
      "  Expr& expr(std::get<Expr>(elem->data));",
      "  return expr.calc();",
      "}",
    ],
  };
  expect(await sorted(files, "Expr.calc")).toEqual(["format.cpp:5?"]);
});

test("a field that is a value here and held by something there is a value behind a dot", async () => {
  const files = {
    "post.h": [
      "struct Amount { int negate(); };",
      "struct Post { Amount amount; };",
      "struct Draft { optional<Amount> amount; };",
    ],
    "use.cpp": ['#include "post.h"', "int run(Post *post) { return post->amount.negate(); }"],
  };
  expect(await sorted(files, "Amount.negate")).toEqual(["use.cpp:2"]);
});
