// What names mean in Rust.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { planRenaming } from "../renaming.ts";
import { type Files, nodesBelow, openFiles, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("a name in the braces of a text that a macro formats is a use", async () => {
  const files = {
    "src/main.rs": [
      "const LIMIT: usize = 4;",
      "const WIDTH: usize = 4;",
      "struct Store { name: String }",
      '#[error("bad {LIMIT}")]',
      "struct Bad;",
      "fn main() {",
      '  let name = "x";',
      '  println!("{LIMIT} {name:?} {{LIMIT}} {LIMIT:?} {{{LIMIT}}} LIMIT");',
      '  let s = format!("{:>WIDTH$} {0:.WIDTH$}", 3);',
      '  std::println!(r#"{LIMIT} raw "{LIMIT}""#);',
      '  write!(f, "{LIMIT}\\n{LIMIT}").unwrap();',
      '  assert_eq!(a, b, "{LIMIT}");',
      '  println!("{}", "{LIMIT}");',
      '  log::info!("{LIMIT}");',
      '  foo(vec![format!("{LIMIT}")]);',
      '  let text = "{LIMIT}";',
      "}",
    ],
  };
  expect(await sorted(files, "LIMIT")).toEqual([
    "src/main.rs:4?",
    ...Array(3).fill("src/main.rs:8"),
    ...Array(2).fill("src/main.rs:10"),
    ...Array(2).fill("src/main.rs:11"),
    "src/main.rs:12",
    "src/main.rs:13?",
    "src/main.rs:14?",
    "src/main.rs:15",
  ]);
  expect(await sorted(files, "WIDTH")).toEqual(["src/main.rs:9", "src/main.rs:9"]);
  expect(await sorted(files, "Store.name")).toEqual(["2 a local variable"]);
});

test("a question mark takes the value out of a result; what another type holds may be reached through it", async () => {
  const files = {
    "src/main.rs": [
      "trait Saver { fn save(&self); fn twice(&self) {} }",
      "struct Good;",
      "impl Saver for Good { fn save(&self) {} }",
      "struct Plain;",
      "impl Plain { fn save(&self) {} }",
      "fn good() -> Result<Good, ()> { Err(()) }",
      "fn boxed() -> Result<Box<dyn Saver>, ()> { Err(()) }",
      "fn main(x: Option<Plain>, m: OnceCell<Good>) {",
      "  good()?.save();",
      "  boxed()?.save();",
      "  x?.save();",
      "  m.save();",
      "  m.twice();",
      "}",
    ],
  };
  expect(await sorted(files, "Good.save")).toEqual([
    "src/main.rs:9",
    "src/main.rs:10?",
    "src/main.rs:12?",
    "1 Plain.save",
  ]);
  expect(await sorted(files, "Saver.save")).toEqual([
    "src/main.rs:9?",
    "src/main.rs:10",
    "src/main.rs:12?",
    "1 Plain.save",
  ]);
  expect(await sorted(files, "Plain.save")).toEqual([
    "src/main.rs:11",
    "1 Good.save",
    "1 OnceCell.save",
    "1 Saver.save",
  ]);
  expect(await sorted(files, "Saver.twice")).toEqual(["src/main.rs:13?"]);
});

test("an enumerator that comes with all others of its enum is meant by its bare name", async () => {
  const files = {
    "src/lib.rs": [
      "pub enum Color { Red, Green(u32) }",
      "pub enum Tone { Green, Dark }",
      "mod a { use crate::Color::*; fn f(c: crate::Color) { match c { Red => 1, Green(v) => v }; } }",
      "mod b { use crate::Tone::*; use crate::Color::*; fn f() { Dark; Green; } }",
    ],
  };
  expect(await sorted(files, "Color.Red")).toEqual(["src/lib.rs:3"]);
  expect(await sorted(files, "Tone.Dark")).toEqual(["src/lib.rs:4"]);
});

test("a method that only a type has itself is none of a trait's; a name in a text is renamed as it stands", async () => {
  const files = {
    "src/lib.rs": [
      "const LIMIT: u32 = 1;",
      "pub trait Saver { fn save(&self); }",
      "pub struct Good;",
      "impl<T> Saver for Good<T> where T: for<'a> Fn(&'a u8) { fn save(&self) {} }",
      "impl Good { pub fn save(&self) {} pub fn other(&self) {} }",
      'fn f() { println!("{LIMIT}"); }',
    ],
  };
  const modules = await openFiles(place, files);
  expect(await nodesBelow(place, modules, "implementations", "Saver.save")).toEqual(["Good.save"]);
  const { replacements, definitions } = await planRenaming(
    place.project,
    modules,
    { symbol: "Saver.save", to: "keep" },
    () => true,
  );
  expect(definitions.map(({ declaration }) => declaration.line)).toEqual([2, 4]);
  expect(replacements.get("src/lib.rs")).toHaveLength(2);
  const limit = await planRenaming(place.project, modules, { symbol: "LIMIT", to: "MOST" }, () => true);
  expect(limit.replacements.get("src/lib.rs")?.map(({ text }) => text)).toEqual(["MOST", "MOST"]);
});

test("modules at other paths, words of the language as names, types given to a trait by name", async () => {
  const files = {
    "src/lib.rs": [
      '#[path = "odd_file.rs"]',
      "mod odd;",
      "pub fn r#type() {}",
      "pub struct R { pub r#match: u32 }",
      "fn go(r: R) { odd::far(); r#type(); match r.r#match { _ => 1 }; let r#type = 1; r#type }",
      "pub trait Shape { type Out; }",
      "impl Shape for R { type Out = u32; }",
      "fn total<T>(t: T) where T: Shape<Out = u32> {}",
    ],
    "src/odd_file.rs": "pub fn far() {}\n",
  };
  expect(await sorted(files, "far")).toEqual(["src/lib.rs:5"]);
  expect(await sorted(files, "r#type")).toEqual(["src/lib.rs:5", "2 a keyword", "2 a local variable"]);
  expect(await sorted(files, "type")).toEqual(["src/lib.rs:5", "2 a keyword", "2 a local variable"]);
  expect(await sorted(files, "R.match")).toEqual(["src/lib.rs:5", "1 a keyword"]);
  expect(await sorted(files, "Shape.Out")).toEqual(["src/lib.rs:8?"]);
});
