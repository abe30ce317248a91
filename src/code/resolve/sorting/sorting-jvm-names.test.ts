// Names under which Kotlin and Java know what the other one declares.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("Kotlin reads and writes what methods of Java get and set", async () => {
  const files = {
    "a/Store.java": [
      "package a;",
      "public class Store {",
      "  private String name;",
      "  private boolean isOpen;",
      "  public String getName() { return name; }",
      "  public void setName(String n) { this.name = n; }",
      "  public boolean isOpen() { return isOpen; }",
      "  public void setOpen(boolean b) {}",
      "  public String getURL() { return null; }",
      "}",
    ],
    "b/use.kt": [
      "package b",
      "import a.Store",
      "class Box(val name: String)",
      "fun f(store: Store, box: Box, any: Any) {",
      "  println(store.name + box.name)",
      '  store.name = "x"',
      "  store.isOpen = store.isOpen",
      "  println(store.url)",
      "  with(store) { name }",
      "  any.name",
      "  val name = 1; println(name)",
      "}",
    ],
  };
  expect(await sorted(files, "Store.getName")).toEqual(["b/use.kt:5?", "b/use.kt:9?", "b/use.kt:10?"]);
  expect(await sorted(files, "Store.setName")).toEqual(["b/use.kt:6?"]);
  expect(await sorted(files, "Store.setOpen")).toEqual(["b/use.kt:7?"]);
  expect(await sorted(files, "Store.getURL")).toEqual(["b/use.kt:8?"]);
  expect((await sorted(files, "a/Store.java#Store.isOpen")).filter((use) => /^b/.test(use))).toEqual([
    "b/use.kt:7",
    "b/use.kt:7",
  ]);
  expect(await sorted(files, "Store.name")).toEqual([
    "a/Store.java:5",
    "a/Store.java:6",
    "b/use.kt:5?",
    "b/use.kt:6?",
    "b/use.kt:9?",
    "b/use.kt:10?",
    "1 Box.name",
    "2 a local variable",
  ]);
});

test("Java calls what properties, names for Java and the top of a file in Kotlin are there", async () => {
  const files = {
    "a/K.kt": [
      "package a",
      "class Box(var title: String, val isFull: Boolean) {",
      "  private val hidden = 1",
      '  @JvmName("renamed") fun original() {}',
      "  companion object { fun create() = Box() }",
      "}",
      "fun load() = 1",
      "var top = 3",
      "fun Box.extend() {}",
    ],
    "a/N.kt": '@file:JvmName("Tools")\npackage a\nfun help() = 1\n',
    "b/Use.java": [
      "package b;",
      "import a.Box;",
      "import a.KKt;",
      "import a.Tools;",
      "class Use {",
      "  void f(Box box) {",
      "    box.getTitle();",
      "    box.setTitle(null);",
      "    box.isFull();",
      "    box.renamed();",
      "    box.getHidden();",
      "    Box.Companion.create();",
      "    KKt.load();",
      "    a.KKt.load();",
      "    KKt.setTop(KKt.getTop());",
      "    KKt.extend(box);",
      "    Tools.help();",
      "    other.KKt.load();",
      "  }",
      "}",
    ],
  };
  expect(await sorted(files, "Box.title")).toEqual(["b/Use.java:7?", "b/Use.java:8?"]);
  expect(await sorted(files, "Box.isFull")).toEqual(["b/Use.java:9"]);
  expect(await sorted(files, "Box.original")).toEqual(["b/Use.java:10?"]);
  expect(await sorted(files, "Box.hidden")).toEqual([]);
  expect(await sorted(files, "Box.create")).toEqual(["b/Use.java:12"]);
  expect((await sorted(files, "a/K.kt#load")).slice(0, 2)).toEqual(["b/Use.java:13", "b/Use.java:14"]);
  expect(await sorted(files, "a/K.kt#top")).toEqual(["b/Use.java:15?", "b/Use.java:15?"]);
  expect(await sorted(files, "Box.extend")).toEqual(["b/Use.java:16"]);
  expect(await sorted(files, "help")).toEqual(["b/Use.java:17"]);
});

test("what extends a type is imported by its bare name", async () => {
  const files = {
    "a/S.kt":
      "package a\nclass Store\nfun Store.merge(b: Store) = 1\nval Store.label get() = 1\nfun merge() {}\n",
    "b/use.kt": [
      "package b",
      "import a.Store",
      "import a.merge",
      "import a.label as tag",
      "fun f(s: Store) { s.merge(s); s.tag; merge() }",
    ],
  };
  const imports = (files: Files, symbol: string) => sortedUses(place, files, symbol, undefined, true);
  expect(await sorted(files, "Store.merge")).toEqual(["b/use.kt:5", "1 a/S.kt#merge"]);
  expect(await imports(files, "Store.merge")).toEqual(["b/use.kt:3", "b/use.kt:5", "1 a/S.kt#merge"]);
  expect(new Set(await imports(files, "Store.label"))).toEqual(new Set(["b/use.kt:4", "b/use.kt:5"]));
});

test("Kotlin, Scala: a name between two values is a member of the first", async () => {
  const files = {
    "K.kt": [
      "class A { infix fun add(b: A): A = this; val store = 1 }",
      "class B {",
      "  infix fun add(b: B): B = this",
      "  fun f(a: A, c: A, b: B): Any {",
      "    a add c; b add b",
      "    val y = a add c add c",
      "    val z = 1 + a add c",
      "    if (a == c) a add c else b add b",
      "    A() add c",
      "    this add b",
      "    return a `add` c",
      "  }",
      "}",
      "infix fun A.merge(b: A) = 1",
      "fun merge(a: A) {}",
      "fun g(a: A, store: Int) {",
      "  a merge a",
      "  merge(a)",
      "  if (true) store else 1",
      '  val p = "a" to "b"',
      "}",
      "infix fun String.to(b: String) = 1",
    ],
    "S.scala": [
      "class C { def put(b: C): C = this; def all(b: List[C]) = this }",
      "class D { def put(b: D): D = this }",
      "object U {",
      "  def f(a: C, b: D, l: List[C]) = {",
      "    a put a; b put b",
      "    a all List(a)",
      "    l map (q => q put a)",
      "    for (z <- l) yield a put z",
      "  }",
      "}",
    ],
  };
  expect(await sorted(files, "A.add")).toEqual([
    "K.kt:5",
    "K.kt:6",
    "K.kt:6?",
    "K.kt:7?",
    "K.kt:8?",
    "K.kt:9?",
    "K.kt:11",
    "3 B.add",
  ]);
  expect(await sorted(files, "A.merge")).toEqual(["K.kt:17", "1 K.kt#merge"]);
  expect(await sorted(files, "K.kt#merge")).toEqual(["K.kt:18", "1 A.merge"]);
  expect(await sorted(files, "A.store")).toEqual(["2 a local variable"]);
  expect(await sorted(files, "String.to")).toEqual(["K.kt:20?"]);
  expect(await sorted(files, "C.put")).toEqual(["S.scala:5", "S.scala:7?", "S.scala:8", "1 D.put"]);
  expect(await sorted(files, "C.all")).toEqual(["S.scala:6"]);
});
