// C#: other names of types, attributes, and members that are named like their type.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { findExact } from "../definitions.ts";
import { planRenaming } from "../renaming.ts";
import { type Files, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("a type under another name, in one file or in all", async () => {
  const files = {
    "Base.cs": [
      "namespace Lib.Model;",
      "public class Base { public void Area() {} public static int Count() { return 1; } }",
    ],
    "Use.cs": [
      "using BB = Lib.Model.Base;",
      "class Program {",
      "  void R(BB bb) { bb.Area(); }",
      "  int S() { new BB().Area(); return BB.Count(); }",
      "}",
    ],
    "Global.cs": "global using GB = global::Lib.Model.Base;",
    "Other.cs": "class Other { void R(GB gb) { gb.Area(); GB.Count(); } }",
    "Top.cs": ["using static Lib.Model.Base;", "Count();"],
  };
  expect(await sorted(files, "Base.Area")).toEqual(["Other.cs:1", "Use.cs:3", "Use.cs:4"]);
  expect(await sorted(files, "Base.Count")).toEqual(["Other.cs:1", "Top.cs:2", "Use.cs:4"]);
  expect(await sorted(files, "Base")).toEqual([
    "Other.cs:1",
    "Other.cs:1",
    "Use.cs:3",
    "Use.cs:4",
    "Use.cs:4",
  ]);
});

test("an attribute is written without the end of its type's name", async () => {
  const files = {
    "Mark.cs": [
      "namespace M;",
      "public class MarkAttribute : System.Attribute { public MarkAttribute(int x = 0) {} }",
      "[Mark]",
      "class U {",
      "  [Obsolete] [Mark(1)] void F([Mark] int x, string[] all) { var y = all[Mark]; G([Mark, 2]); }",
      '  [Obsolete("http://a{}")]',
      '  [Obsolete("{}"), M.Mark] // see below',
      "  [MarkAttribute] int Mark;",
      "}",
    ],
  };
  const uses = ["Mark.cs:3", "Mark.cs:5", "Mark.cs:5", "Mark.cs:7", "Mark.cs:8"];
  expect(await sorted(files, "MarkAttribute")).toEqual(uses);
  expect(await sorted(files, "U.Mark")).toEqual(["Mark.cs:5", "Mark.cs:5", "4 a mark of a declaration"]);
});

test("the short name of an attribute leads to it, and is renamed with it", async () => {
  const modules = await openFiles(place, {
    "Note.cs": [
      "class NoteAttribute : System.Attribute {}",
      "[Note] class U {}",
      "[NoteAttribute] class V {}",
    ],
  });
  expect((await findExact(place.project, "Note")).map((d) => d.declaration.name)).toEqual(["NoteAttribute"]);
  const renamed = async (to: string) => {
    const { replacements } = await planRenaming(
      place.project,
      modules,
      { symbol: "NoteAttribute", to },
      () => true,
    );
    return replacements.get("Note.cs")?.map(({ text, length }) => `${length} ${text}`);
  };
  expect(await renamed("SignAttribute")).toEqual(["13 SignAttribute", "4 Sign", "13 SignAttribute"]);
  expect(await renamed("Sign")).toEqual(["13 Sign", "4 Sign", "13 Sign"]);
});

test("a property that is named like its type", async () => {
  const files = {
    "Model.cs": [
      "class Base { public static int Zero; public int Id; }",
      "class Model {",
      "  public Base Base { get; set; }",
      "  Base Copy(Base other) { Base x = new Base(); return (Base)x; }",
      "  bool Is(object o) { List<Base> all; return o is Base b && Base == null; }",
      "  int Ids() => Base.Id;",
      "  int More() { int n = Base ? 1 : 2; for (var i=0;i<Base;i++) n++; return n; }",
      "}",
      "class Lower : Base {}",
    ],
  };
  const types = ["3", "4", "4", "4", "4", "4", "5", "5", "6?", "9"].map((line) => `Model.cs:${line}`);
  expect(await sorted(files, "Model.cs#Base")).toEqual([...types, "3 Model.Base"]);
  expect(await sorted(files, "Model.cs#Model.Base")).toEqual([
    "Model.cs:5",
    "Model.cs:6?",
    "Model.cs:7",
    "Model.cs:7",
    "9 a type",
  ]);
});

test("the parameters of a record are its properties", async () => {
  const files = {
    "Pt.cs": [
      "public record Pt(int X, int Y) { int Sum() => X + Y; }",
      "class Q { int G(Pt p) => p.X + new Pt(X: 1, Y: 2).Y; }",
      "record struct Size(int Width);",
      "class R { int G(Size s) => s.Width; }",
    ],
  };
  expect(await sorted(files, "Pt.X")).toEqual(["Pt.cs:1", "Pt.cs:2", "Pt.cs:2"]);
  expect(await sorted(files, "Size.Width")).toEqual(["Pt.cs:4"]);
});
