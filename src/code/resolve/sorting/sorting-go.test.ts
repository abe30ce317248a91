// What members mean in Go, where types are told apart by their package and interfaces are implemented without saying so.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { sameSignature } from "../../languages/go-signatures.ts";
import { type Files, nodesBelow, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("types of one name in several packages are told apart by the package before their name", async () => {
  const files = {
    "go.mod": "module ex.com/m\n",
    "st/a.go": [
      "package st",
      "type Saver interface { Save() error }",
      "type Good struct { Name string }",
      "func (g *Good) Save() error { return nil }",
      "func New() *Good { return nil }",
    ],
    "o/b.go": [
      "package o",
      'import "ex.com/m/st"',
      "type Saver struct{}",
      "func (s Saver) Save() error { return nil }",
      "type Good struct { Name string }",
      "func New() *Good { return nil }",
      "func f(s st.Saver, own Saver, g *st.Good) {",
      "  s.Save()",
      "  own.Save()",
      "  g.Save()",
      "  a := st.Good{Name: g.Name}",
      "  b := &Good{Name: a.Name}",
      "  c, d := st.New(), New()",
      "  e := New()",
      "  e.Name = b.Name",
      "  k := st.New()",
      "  k.Name = ``",
      "}",
    ],
  };
  expect(await sorted(files, "o/b.go#Saver.Save")).toEqual(["o/b.go:8?", "o/b.go:9", "1 Good.Save"]);
  expect(await sorted(files, "st/a.go#Good.Save")).toEqual(["o/b.go:8?", "o/b.go:10", "1 Saver.Save"]);
  expect(await sorted(files, "st/a.go#Saver.Save")).toEqual([
    "o/b.go:8",
    "1 Good.Save",
    "1 o/b.go#Saver.Save",
  ]);
  expect(await sorted(files, "st/a.go#Good.Name")).toEqual([
    "o/b.go:11",
    "o/b.go:11",
    "o/b.go:12",
    "o/b.go:17",
    "3 o/b.go#Good.Name",
  ]);
  expect(await sorted(files, "o/b.go#Good.Name")).toEqual([
    "o/b.go:12",
    "o/b.go:15",
    "o/b.go:15",
    "4 st/a.go#Good.Name",
  ]);
});

test("a call through an interface, also one that it embeds or that is not here, may be one of any type", async () => {
  const files = {
    "go.mod": "module ex.com/m\n",
    "a/a.go": [
      "package a",
      'import ("io"; "net/http"; "ex.com/out/lib")',
      "type Saver interface { Save() error }",
      "type Both interface { Saver; io.Reader }",
      "type Held struct { Both }",
      "type My struct{}",
      "func (m *My) Save() error { return nil }",
      "func (m *My) Read(p []byte) (int, error) { return 0, nil }",
      "type Client struct { Timeout int }",
      "func (c *Client) Do() {}",
      "func f(b Both, h Held, r io.Reader, l lib.Thing, c *http.Client, own *Client) {",
      "  b.Save()",
      "  b.Read(nil)",
      "  h.Save()",
      "  h.Read(nil)",
      "  r.Read(nil)",
      "  l.Do()",
      "  c.Do()",
      "  own.Do()",
      "  c.Timeout, own.Timeout = 1, http.Client{Timeout: 2}.Timeout",
      "  l.Timeout = Client{Timeout: 3}.Timeout",
      "}",
    ],
  };
  expect(await sorted(files, "My.Save")).toEqual(["a/a.go:12?", "a/a.go:14?"]);
  expect(await sorted(files, "Saver.Save")).toEqual(["a/a.go:12", "a/a.go:14"]);
  expect(await sorted(files, "My.Read")).toEqual(["a/a.go:13?", "a/a.go:15?", "a/a.go:16?"]);
  expect(await sorted(files, "Client.Do")).toEqual(["a/a.go:17?", "a/a.go:19", "1 http.Client.Do"]);
  expect(await sorted(files, "Client.Timeout")).toEqual([
    "a/a.go:20",
    "a/a.go:20?",
    "a/a.go:21",
    "a/a.go:21?",
    "1 lib.Thing.Timeout",
    "2 http.Client.Timeout",
  ]);
});

test("a type that another one embeds is known by its name alone: of which package it is, is not told there", async () => {
  const files = {
    "go.mod": "module ex.com/m\n",
    "st/a.go": "package st\ntype Good struct { Name string }\n",
    "o/b.go": [
      "package o",
      'import "ex.com/m/st"',
      "type Good struct { Name string }",
      "type Held struct { st.Good }",
      "func f(h Held) { h.Good.Name = h.Name }",
    ],
  };
  expect(await sorted(files, "st/a.go#Good.Name")).toEqual(["o/b.go:5?", "o/b.go:5"]);
  expect(await sorted(files, "o/b.go#Good.Name")).toEqual(["o/b.go:5?", "1 st/a.go#Good.Name"]);
});

test.each([
  ["Save() error", "func (g *Good) Save() error", "yes"],
  ["Save() error", "func (g *Good) Save(x int)", "no"],
  [
    "Save(ctx context.Context, x, y int) (n int, err error)",
    "func (g G) Save(c Context, a, b int) (int, error)",
    "yes",
  ],
  ["Write(p []byte) (n int, err error)", "func (w *W) Write(p []uint8) (int, error)", "yes"],
  ["Add(x interface{})", "func (q Q) Add(any)", "yes"],
  ["Get() T", "func (b *Box[T]) Get() int", "maybe"],
  ["Each(f func(a int, b string)) <-chan int", "func (q Q) Each(f func(int, string)) <-chan int", "maybe"],
  ["All(xs ...string)", "func (q Q) All(xs []string)", "no"],
  ["Put(x int)", "func (q Q) Put(x string)", "no"],
  ["Put(x *Foo)", "func (q Q) Put(x int)", "no"],
  ["Put(x Foo)", "func (q Q) Put(x *Foo)", "maybe"],
  ["Out() (<-chan int, error)", "func (q Q) Out() (c <-chan int, err error)", "yes"],
  ["Cut(a int, …", "func (q Q) Cut()", "maybe"],
] as const)("Go: %s and %s are the same: %s", (one, other, answer) => {
  expect(sameSignature(one, other)).toBe(answer);
});

test("what takes or returns something else implements no interface", async () => {
  const files = {
    "go.mod": "module ex.com/m\n",
    "a/a.go": [
      "package a",
      "type Saver interface { Save() error }",
      "type Good struct{}",
      "func (g *Good) Save() error { return nil }",
      "type Bad struct{}",
      "func (b *Bad) Save(x int) {}",
      "type Own struct { Good }",
      "func (o Own) Save() {}",
      "type Any[T any] struct{}",
      "func (a Any[T]) Save() T { panic(1) }",
      "func f(s Saver) { s.Save() }",
    ],
  };
  const modules = await openFiles(place, files);
  expect((await nodesBelow(place, modules, "implementations", "Saver")).sort()).toEqual(["? Any", "Good"]);
  expect((await nodesBelow(place, modules, "implementations", "Saver.Save")).sort()).toEqual([
    "? Any.Save",
    "Good.Save",
  ]);
  expect(await sorted(files, "Good.Save")).toEqual(["a/a.go:11?"]);
  expect(await sorted(files, "Bad.Save")).toEqual(["1 Saver.Save"]);
});
