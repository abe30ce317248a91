// Types of one name in several packages, where the code says which one is meant.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

/** Lines of a file; those with a question mark are possible. */
const at = (file: string, ...lines: (number | string)[]) => lines.map((line) => `${file}:${line}`);

const dateOf = (space: string) => [
  `package p.${space};`,
  "public class Date {",
  "  public static int MAX = 1;",
  "  public static Date now() { return new Date(); }",
  "  public int year() { return 1; }",
  "}",
];

test("Java: a type by its whole name, in a file that imports another one", async () => {
  const files = {
    "p/a/Date.java": dateOf("a"),
    "p/b/Date.java": dateOf("b"),
    "p/Use.java": [
      "package p;",
      "import p.b.Date;",
      "class Use {",
      "  p.a.Date f = p.a.Date.now();",
      "  Date o = Date.now();",
      "  int g(p.a.Date d, Date e) {",
      "    return d.year() +",
      "      e.year() +",
      "      p.a.Date.MAX +",
      "      Date.MAX;",
      "  }",
      "  int h() { return f.year(); }",
      "  int i() { return o.year(); }",
      "  int j() { return new p.a.Date().year(); }",
      "  int k() { p.a.Date d = new p.a.Date(); return d.year(); }",
      "  int l() { p.a.Date d = make(); return d.year(); }",
      "  int m() { var d = new p.a.Date(); return d.year(); }",
      "  int n(java.util.List<p.a.Date> ds) { for (p.a.Date d : ds) d.year(); }",
      "  int q() { return ((p.a.Date) o).year(); }",
      "}",
    ],
  };
  const uses = (...lines: (number | string)[]) => at("p/Use.java", ...lines);
  expect(await sorted(files, "p/a/Date.java#Date.now")).toEqual([...uses(4), "1 p/b/Date.java#Date.now"]);
  expect(await sorted(files, "p/b/Date.java#Date.now")).toEqual([...uses(5), "1 p/a/Date.java#Date.now"]);
  expect(await sorted(files, "p/a/Date.java#Date.MAX")).toEqual([...uses(9), "1 p/b/Date.java#Date.MAX"]);
  expect(await sorted(files, "p/b/Date.java#Date.MAX")).toEqual([...uses(10), "1 p/a/Date.java#Date.MAX"]);
  expect(await sorted(files, "p/a/Date.java#Date.year")).toEqual([
    ...uses(7, 12, 14, 15, 16, 17, 18, "19?"),
    "2 p/b/Date.java#Date.year",
  ]);
  expect(await sorted(files, "p/b/Date.java#Date.year")).toEqual([
    ...uses(8, 13, "19?"),
    "7 p/a/Date.java#Date.year",
  ]);
});
const ktOf = (space: string) => [
  `package p.${space}`,
  "class Date {",
  "  fun year(): Int = 1",
  "  companion object {",
  "    fun now(): Date = Date()",
  "  }",
  "}",
];
test("Kotlin: the same, and one under another name", async () => {
  const files = {
    "p/a/Date.kt": ktOf("a"),
    "p/b/Date.kt": ktOf("b"),
    "p/Use.kt": [
      "package p",
      "import p.b.Date",
      "import p.a.Date as ADate",
      "val f = p.a.Date.now()",
      "val o = Date.now()",
      "fun f(d: p.a.Date) = d.year()",
      "fun g(d: Date) = d.year()",
      "fun h(d: ADate) = d.year()",
      "val i = ADate.now()",
      "fun j() = p.a.Date().year()",
      "fun k() = ADate().year()",
      "fun l() { val d = p.a.Date()",
      "  d.year() }",
      "fun m() { val d = ADate()",
      "  d.year() }",
      "fun n() { val d: p.a.Date = x()",
      "  d.year() }",
    ],
  };
  const uses = (...lines: (number | string)[]) => at("p/Use.kt", ...lines);
  expect(await sorted(files, "p/a/Date.kt#Date.now")).toEqual([...uses(4, 9), "1 p/b/Date.kt#Date.now"]);
  expect(await sorted(files, "p/b/Date.kt#Date.now")).toEqual([...uses(5), "2 p/a/Date.kt#Date.now"]);
  expect(await sorted(files, "p/a/Date.kt#Date.year")).toEqual([
    ...uses(6, 8, 10, "11?", "13?", 15, 17),
    "1 p/b/Date.kt#Date.year",
  ]);
  expect(await sorted(files, "p/b/Date.kt#Date.year")).toEqual([
    ...uses(7, "11?", "13?"),
    "5 p/a/Date.kt#Date.year",
  ]);
});
const rsOf = [
  "pub struct Date { pub day: u32 }",
  "impl Date {",
  "    pub fn now() -> Date { Date { day: 1 } }",
  "    pub fn year(&self) -> u32 { 1 }",
  "}",
];
test("Rust: a type behind the path of its module, and one under another name", async () => {
  const files = {
    "src/a.rs": rsOf,
    "src/b.rs": rsOf,
    "src/lib.rs": [
      "mod a;",
      "mod b;",
      "use crate::a::Date as ADate;",
      "use crate::b::Date;",
      "fn f(d: &ADate) -> u32 { d.year() }",
      "fn g(e: &Date) -> u32 { e.year() }",
      "fn h(d: &crate::a::Date) -> u32 { d.year() + d.day }",
      "fn i() { ADate::now(); }",
      "fn j() { Date::now(); }",
      "fn k() { crate::a::Date::now(); }",
      "fn l() { let d = ADate::now(); d.year(); }",
      "fn m() { let d = a::Date::now(); d.year(); }",
      "fn n(d: a::Date) { d.year(); }",
      "fn o(d: Option<a::Date>) { d.unwrap().year(); }",
      "fn q(d: ADate) { d.day; }",
      "fn r() { let d = Date::now(); d.year(); }",
      "fn s() { ADate { day: 1 }; }",
      "fn t() { Date { day: 1 }; }",
    ],
  };
  const uses = (...lines: (number | string)[]) => at("src/lib.rs", ...lines);
  expect(await sorted(files, "src/a.rs#Date.now")).toEqual([...uses(8, 10, 11, 12), "2 src/b.rs#Date.now"]);
  expect(await sorted(files, "src/b.rs#Date.now")).toEqual([...uses(9, 16), "4 src/a.rs#Date.now"]);
  expect(await sorted(files, "src/a.rs#Date.year")).toEqual([
    ...uses(5, 7, "11?", "12?", 13, "14?"),
    "2 src/b.rs#Date.year",
  ]);
  expect(await sorted(files, "src/b.rs#Date.year")).toEqual([
    ...uses(6, "11?", "12?", "14?", 16),
    "3 src/a.rs#Date.year",
  ]);
  expect(await sorted(files, "src/a.rs#Date.day")).toEqual([
    "src/a.rs:3",
    ...uses(7, 15, "17?"),
    "2 src/b.rs#Date.day",
  ]);
});
const csOf = (space: string) => [
  `namespace P.${space} {`,
  "  public class Date {",
  "    public static Date Now() { return new Date(); }",
  "    public int Year() { return 1; }",
  "  }",
  "}",
];
test("C#: a type by its whole name, and one under another name", async () => {
  const files = {
    "A/Date.cs": csOf("A"),
    "B/Date.cs": csOf("B"),
    "Use.cs": [
      "using P.B;",
      "using ADate = P.A.Date;",
      "class Use {",
      "  int f() { return new ADate().Year(); }",
      "  int g() { return new Date().Year(); }",
      "  int h(ADate d) { return d.Year(); }",
      "  int i(Date d) { return d.Year(); }",
      "  int j(P.A.Date d) { return d.Year(); }",
      "  void k() { ADate.Now(); }",
      "  void l() { Date.Now(); }",
      "  void m() { P.A.Date.Now(); }",
      "  int n() { var d = new ADate(); return d.Year(); }",
      "  int o() { var d = new P.A.Date(); return d.Year(); }",
      "  int q() { return new P.A.Date().Year(); }",
      "}",
    ],
  };
  const uses = (...lines: (number | string)[]) => at("Use.cs", ...lines);
  expect(await sorted(files, "A/Date.cs#Date.Now")).toEqual(uses(9, "10?", 11));
  expect(await sorted(files, "B/Date.cs#Date.Now")).toEqual([...uses("10?"), "2 P.A.Date.Now"]);
  expect(await sorted(files, "A/Date.cs#Date.Year")).toEqual(uses(4, "5?", 6, "7?", 8, 12, 13, 14));
  expect(await sorted(files, "B/Date.cs#Date.Year")).toEqual([...uses("5?", "7?"), "6 P.A.Date.Year"]);
});

test("scripts: a type behind the name of its module, and one under another name", async () => {
  const type = ["export class Day {", "  year() { return 1; }", "}"];
  const python = ["class Day:", "    def month(self):", "        return 1"];
  const files = {
    "a.ts": type,
    "b.ts": type,
    "c.ts": type,
    "use.ts": [
      'import * as a from "./a";',
      'import { Day } from "./b";',
      'import { Day as Other } from "./c";',
      "function f(d: a.Day) { d.year(); }",
      "function g(d: Day) { d.year(); }",
      "function h(d: Other) { d.year(); }",
      "new a.Day().year();",
      "const x = new a.Day();",
      "x.year();",
      'function i(d: import("./c").Day) { d.year(); }',
    ],
    "pk/__init__.py": "",
    "pk/a.py": python,
    "pk/b.py": python,
    "use.py": [
      "from pk import a",
      "from pk.b import Day",
      "def f(d: a.Day): d.month()",
      "def g(d: Day): d.month()",
      "a.Day().month()",
    ],
  };
  expect(await sorted(files, "a.ts#Day.year")).toEqual([
    ...at("use.ts", 4, 7, 9, "10?"),
    "1 b.ts#Day.year",
    "1 c.ts#Day.year",
  ]);
  expect(await sorted(files, "b.ts#Day.year")).toEqual([
    ...at("use.ts", 5, "10?"),
    "1 c.ts#Day.year",
    "3 a.ts#Day.year",
  ]);
  expect(await sorted(files, "pk/a.py#Day.month")).toEqual([...at("use.py", 3, 5), "1 pk/b.py#Day.month"]);
  expect(await sorted(files, "pk/b.py#Day.month")).toEqual([...at("use.py", 4), "2 pk/a.py#Day.month"]);
});

test("what another file returns or holds is what that file knows by the name", async () => {
  const files = {
    "p/a/Date.java": dateOf("a"),
    "p/b/Date.java": dateOf("b"),
    "p/Make.java": [
      "package p;",
      "import p.a.Date;",
      "class Make {",
      "  Date held;",
      "  static Date make() { return null; }",
      "}",
    ],
    "p/Use.java": [
      "package p;",
      "import p.b.Date;",
      "class Use extends Make {",
      "  void f() { Make.make().year(); }",
      "  void g() { var d = Make.make(); d.year(); }",
      "  void h(Date d) { d.year(); }",
      "  void i(java.sql.Date d) { d.year(); }",
      "}",
    ],
  };
  expect(await sorted(files, "p/a/Date.java#Date.year")).toEqual([
    ...at("p/Use.java", 4, 5, "7?"),
    "1 p/b/Date.java#Date.year",
  ]);
  expect(await sorted(files, "p/b/Date.java#Date.year")).toEqual([
    ...at("p/Use.java", 6, "7?"),
    "2 p/a/Date.java#Date.year",
  ]);
});

test("a type that inherits from another one of its name may be meant by that", async () => {
  const files = {
    "p/a/Date.java": [
      "package p.a;",
      "public class Date extends p.b.Date {",
      "  public int year() { return 2; }",
      "}",
    ],
    "p/b/Date.java": dateOf("b"),
    "p/Use.java": [
      "package p;",
      "import p.b.Date;",
      "class Use {",
      "  void f(p.a.Date d) { d.year(); }",
      "  void g(Date d) { d.year(); }",
      "}",
    ],
  };
  expect(await sorted(files, "p/a/Date.java#Date.year")).toEqual(at("p/Use.java", 4, "5?"));
  expect(await sorted(files, "p/b/Date.java#Date.year")).toEqual(at("p/Use.java", "4?", 5));
});

test("another name beside an own type of the name that it stands for; a type inside of another one", async () => {
  const files = {
    "src/a.rs": rsOf,
    "src/lib.rs": [
      "mod a;",
      "use crate::a::Date as ADate;",
      ...rsOf,
      "fn f(d: &ADate) { d.year(); }",
      "fn g(d: &Date) { d.year(); }",
    ],
    "A.cs": [
      "class Left {",
      "  public class Part { public void Go() {} }",
      "  void f(Left.Part p) { p.Go(); }",
      "}",
    ],
    "B.cs": "class Right { public class Part { public void Go() {} } }",
  };
  expect(await sorted(files, "src/a.rs#Date.year")).toEqual(["src/lib.rs:8", "1 src/lib.rs#Date.year"]);
  expect(await sorted(files, "src/lib.rs#Date.year")).toEqual(["src/lib.rs:9", "1 src/a.rs#Date.year"]);
  expect(await sorted(files, "A.cs#Left.Part.Go")).toEqual(["A.cs:3"]);
  expect(await sorted(files, "B.cs#Right.Part.Go")).toEqual(["1 Left.Part.Go"]);
});
