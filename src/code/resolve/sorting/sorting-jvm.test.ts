// What names mean in Java, Kotlin and Scala.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { callsWithoutName } from "../caveats.ts";
import { findExact } from "../definitions.ts";
import { type Files, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

describe("Kotlin: blocks with a receiver", () => {
  const files = {
    "a.kt": [
      "class S { fun size() = 1 }",
      "class Html { fun body() = 1 }",
      "fun html(init: Html.() -> Unit) {}",
      "fun <T> build(init: T.() -> Unit) {}",
      "fun each(f: (Int) -> Unit) {}",
      "class T {",
      "  fun size() = 2",
      "  fun body() = 2",
      "  fun one(o: S) = with(o) { size() }",
      "  fun two(o: S) = o.apply { if (true) { size() } }",
      "  fun three(o: S) { S().run { this.size() } }",
      "  fun four() { html { body() } }",
      "  fun five(o: S) { each { size() } }",
      "  fun six(list: List<S>) { list.first().apply { size() } }",
      "  fun seven() { html { size() } }",
      "  fun eight() { build<S> { size() } }",
      "  fun nine(): T { size(); return this.apply { size() } }",
      "}",
    ],
  };

  test("a bare call is one of the receiver where its type has the member", async () => {
    expect(await sorted(files, "S.size")).toEqual([
      "a.kt:9",
      "a.kt:10",
      "a.kt:11",
      "a.kt:14?",
      "a.kt:16?",
      "4 T.size",
    ]);
    expect(await sorted(files, "T.size")).toEqual([
      "a.kt:13",
      "a.kt:14?",
      "a.kt:15",
      "a.kt:16?",
      "a.kt:17",
      "a.kt:17",
      "3 S.size",
    ]);
    expect(await sorted(files, "Html.body")).toEqual(["a.kt:12"]);
    expect(await sorted(files, "T.body")).toEqual(["1 Html.body"]);
  });
});

test("Java: what a class without a name inherits comes before what the class around declares", async () => {
  const files = {
    "P.java": "class P { int fld; P(int i) {} void go() {} }\n",
    "B.java": "class B { void own() {} }\n",
    "Q.java": [
      "class Q extends B {",
      "  int fld;",
      "  int go() { return 1; }",
      "  P make() {",
      "    return new P(go()) {",
      "      void own() {}",
      "      void w() {",
      "        go(); fld++;",
      "        this.go(); own(); this.own();",
      "      }",
      "    };",
      "  }",
      "  void out() { own(); go(); }",
      "}",
    ],
  };
  expect(await sorted(files, "P.go")).toEqual(["Q.java:8", "Q.java:9", "2 Q.go"]);
  expect(await sorted(files, "P.fld")).toEqual(["Q.java:8"]);
  expect(await sorted(files, "Q.go")).toEqual(["Q.java:5", "Q.java:13", "2 P.go"]);
  expect(await sorted(files, "Q.fld")).toEqual(["1 P.fld"]);
  expect(await sorted(files, "B.own")).toEqual(["Q.java:13", "2 Q.make.own"]);
});

test("Kotlin and Scala: the same", async () => {
  const files = {
    "a.kt": [
      "open class P { fun go() {} }",
      "class Q {",
      "  fun go() {}",
      "  val p = object : P() { fun w() { go() } }",
      "}",
    ],
    "b.scala": [
      "class R { def go() = 1 }",
      "class S {",
      "  def go() = 2",
      "  val r = new R { def w() = go() }",
      "}",
    ],
  };
  expect(await sorted(files, "P.go")).toEqual(["a.kt:4", "1 R.go"]);
  expect(await sorted(files, "Q.go")).toEqual(["1 P.go", "1 R.go"]);
  expect(await sorted(files, "R.go")).toEqual(["b.scala:4", "1 P.go"]);
  expect(await sorted(files, "S.go")).toEqual(["1 P.go", "1 R.go"]);
});

test("Java: variables of patterns and resources are no fields", async () => {
  const files = {
    "A.java": [
      "class A {",
      "  Object fld;",
      "  Object m(Object o) throws Exception {",
      "    if (o instanceof Integer fld && fld > 1) { use(fld); }",
      "    try (AutoCloseable fld = open()) { fld.close(); }",
      "    if (o instanceof Point(int fld, var y)) { use(fld); }",
      "    switch (o) {",
      "      case String fld -> use(fld);",
      "      case Point(int fld, int z) when fld > 1 -> use(fld);",
      "      default -> use(fld);",
      "    }",
      "    run(fld -> fld); run((fld, g) -> fld); run((int fld) -> fld);",
      "    return fld;",
      "  }",
      "  Object late(Object o) {",
      "    if (!(o instanceof Integer fld)) return null;",
      "    return fld;",
      "  }",
      "}",
    ],
  };
  expect((await sorted(files, "A.fld")).filter((use) => use.startsWith("A.java"))).toEqual([
    "A.java:10",
    "A.java:13",
  ]);
});

test("parameters that a type's head declares are members", async () => {
  const files = {
    "Pair.java": [
      "class Around { int left = 1;",
      "  record Pair(int left, String... right) {",
      "    Pair { left = 1; }",
      "    int sum() { return left; }",
      "  }",
      "  int around() { return left; }",
      "  int use(Pair pair) { return pair.left(); }",
      "}",
    ],
    "b.kt": "class Box(val inner: Int, plain: Int) { val twice = inner * plain }\nfun f(b: Box) = b.inner\n",
    "c.scala":
      "case class Two(one: Int, val two: Int) { def sum = one + two }\nobject U { def f(t: Two) = t.one }\n",
  };
  expect(await sorted(files, "Pair.left")).toEqual([
    "Pair.java:3",
    "Pair.java:4",
    "Pair.java:7",
    "1 Around.left",
  ]);
  expect((await sorted(files, "Around.left")).slice(0, 1)).toEqual(["Pair.java:6"]);
  expect(await sorted(files, "Box.inner")).toEqual(["b.kt:1", "b.kt:2"]);
  expect(await sorted(files, "Two.one")).toEqual(["c.scala:1", "c.scala:2"]);
});

test("a member of a type is none of a type inside of it", async () => {
  const files = {
    "x.java":
      "class Box { int x; int t() { return x; } static class Inner { int x; int i() { return x + 1; } } }\n",
    "use.java": "class U {\n int u(Box t) { return t.x; }\n int v(Box.Inner t) { return t.x; }\n}\n",
  };
  expect(await sorted(files, "Box.x")).toEqual(["use.java:2", "x.java:1", "2 Box.Inner.x"]);
});

test("Kotlin, Scala: members of a class without a name are no names of the function around", async () => {
  const files = {
    "a.kt": [
      "open class Base { open fun save() {}; open val name = 1 }",
      "class Store { fun save() {}; val name = 2 }",
      "fun f(store: Store) {",
      "  val o = object : Base() {",
      "    override fun save() { super.save() }",
      "    override val name = 3",
      "    fun go() { save(); name }",
      "  }",
      "  with(store) { save(); name }",
      "}",
      "fun save() {}",
      "fun g() { save(); run(object : Base() { override fun save() {} }) }",
    ],
    "b.scala": [
      "class Kept { def keep() = 1 }",
      "object Use {",
      "  def f() = { val o = new Kept { override def keep() = 2 }; keep() }",
      "  def keep() = 3",
      "}",
    ],
  };
  expect(await sorted(files, "Store.save")).toEqual(["a.kt:9", "1 Base.save", "1 a.kt#save", "1 f.save"]);
  expect(await sorted(files, "Store.name")).toEqual(["a.kt:9", "1 f.name"]);
  expect(await sorted(files, "a.kt#save")).toEqual(["a.kt:12", "1 Base.save", "1 Store.save", "1 f.save"]);
  expect(await sorted(files, "Use.keep")).toEqual(["b.scala:3"]);
});

test("Java: an enumerator that comes with all others of its enum is meant by its bare name", async () => {
  const files = {
    "a/Color.java": "package a;\npublic enum Color { RED }\n",
    "b/Use.java": "package b;\nimport static a.Color.*;\nclass Use { Object o = RED; }\n",
  };
  expect(await sorted(files, "Color.RED")).toEqual(["b/Use.java:3"]);
});

test("Java: a name in an annotation is that of its member", async () => {
  const files = {
    "a/Mark.java":
      "package a;\npublic @interface Mark { String name() default ``; int level() default 0; }\n",
    "a/Use.java": [
      "package a;",
      "class Use {",
      "  String name;",
      "  @Mark(name = NAME, level = 1) void f() {}",
      "  @Other(name = (1), level = 1) void g() { call(name = null); }",
      "}",
    ],
  };
  expect(await sorted(files, "Mark.level")).toEqual(["a/Use.java:4", "a/Use.java:5?"]);
  expect(await sorted(files, "Use.name")).toEqual([
    "a/Use.java:5",
    "1 Mark.name",
    "1 a key or argument name",
  ]);
});

test("Type.name is a member of the type, and nothing at the top of a file that is called so", async () => {
  const files = {
    "Store.kt": "class Store { fun save() = 1 }\nfun save() = 2\nfun f(s: Store) { s.save(); save() }\n",
  };
  expect(await sorted(files, "Store.save")).toEqual(["Store.kt:3", "1 Store.kt#save"]);
});

test("Scala: methods whose name is a sign are found behind their type, and calls by operators are told", async () => {
  await openFiles(place, {
    "a.scala": "class Vec { def +(o: Vec) = this\n def ::(o: Vec) = this\n def plain = 1 }\n",
  });
  for (const name of ["Vec.+", "+", "Vec.::", "::"]) {
    const found = await findExact(place.project, name);
    expect(found, name).toHaveLength(1);
    expect(callsWithoutName(found), name).toContain("a + b");
  }
  expect(callsWithoutName(await findExact(place.project, "Vec.plain"))).toBeUndefined();
});

test("Scala: patterns bind what begins with a small letter, and compare with what begins with a capital", async () => {
  const files = {
    "S.scala": [
      "case object Nothing2",
      "object Consts { val Max = 3 }",
      "class Store(val name: String, val other: Int)",
      "class M(val name: String) {",
      "  import Consts._",
      "  def f(x: Any) = x match {",
      "    case Nothing2 => 1",
      "    case Max => 2",
      "    case s: Store => s.name",
      "    case Some(name) => name",
      "    case Some((name, other)) => name",
      "    case name :: rest => name",
      "    case s @ Store(`name`, _) => name",
      "    case Store(other = name) => name",
      "    case _ => name",
      "  }",
      "  def g(l: List[Store]) = for { name <- name.list; if name != null } yield name",
      "  def h(l: List[Store]) = { l.map((name: Int) => name); l.map { (name, b) => name }; name }",
      "  val (left, right) = (1, 2)",
      "  def i = left",
      "}",
    ],
  };
  expect(await sorted(files, "Nothing2")).toEqual(["S.scala:7"]);
  expect(await sorted(files, "Consts.Max")).toEqual(["S.scala:8"]);
  expect(await sorted(files, "Store.name")).toContain("S.scala:9");
  expect(await sorted(files, "Store.other")).toEqual(["S.scala:14", "1 a local variable"]);
  expect((await sorted(files, "M.name")).filter((use) => use.startsWith("S"))).toEqual([
    "S.scala:13",
    "S.scala:13",
    "S.scala:15",
    "S.scala:17",
    "S.scala:18",
  ]);
  expect(await sorted(files, "M.left")).toEqual(["S.scala:20"]);
});

test("Kotlin: what is taken apart binds its names", async () => {
  const files = {
    "K.kt": [
      "class S(val name: String) {",
      "  fun f(l: List<Pair<S, Int>>) {",
      "    val (name, b) = l[0]",
      "    println(name)",
      "    l.forEach { (name, d) -> println(name) }",
      "  }",
      "  fun g() { for ((name, c) in name.all()) println(name) }",
      "}",
    ],
  };
  expect(await sorted(files, "S.name")).toEqual(["K.kt:7", "6 a local variable"]);
});

test("Java, Scala: this of a type further outside", async () => {
  const files = {
    "A.java":
      "class A { void save() {} class In { void save() { A.this.save(); this.save(); B.this.save(); } } }\n",
    "S.scala": "class C { def keep() = 1; class In { def keep() = C.this.keep() } }\n",
  };
  expect(await sorted(files, "A.save")).toEqual(["A.java:1", "A.java:1?", "1 A.In.save"]);
  expect(await sorted(files, "C.keep")).toEqual(["S.scala:1"]);
});
