// Things of one name that are told apart by their kind, their type or their package.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import type { Kind } from "../../languages/language.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string, kind?: Kind) => sortedUses(place, files, symbol, kind);

test("a field and a method of one name: without a kind, the uses of both", async () => {
  const files = {
    "F.swift": [
      "class F { var size: Int { 1 } }",
      "extension F { func size(of x: Int) -> Int { x + size } }",
      "func r(f: F) { print(f.size, f.size(of: 1)) }",
    ],
    "Node.java": [
      "class Node {",
      "  Node parent;",
      "  Node parent() { return parent; }",
      "  Node top() { return parent().parent; }",
      "}",
    ],
    "tree.rs": [
      "pub struct Tree { leaf: u32 }",
      "impl Tree { pub fn leaf(&self) -> u32 { self.leaf } }",
      "fn show(tree: Tree) -> u32 { tree.leaf() }",
    ],
  };
  expect(await sorted(files, "F.size")).toEqual(["F.swift:2", "F.swift:3", "F.swift:3"]);
  expect(await sorted(files, "F.size", "field")).toEqual(["F.swift:2", "F.swift:3", "1 a method"]);
  expect(await sorted(files, "Node.parent")).toEqual(["Node.java:3", "Node.java:4", "Node.java:4"]);
  expect(await sorted(files, "Tree.leaf")).toEqual(["tree.rs:2", "tree.rs:3"]);
});

test("a field and a method of one name in several files: what is not called is no sure use of the method", async () => {
  const files = {
    "H.swift": "class H { var width: Int { 1 } }",
    "G.swift": [
      "extension H { func width(of x: Int) -> Int { x } }",
      "func r(h: H) { print(h.width, h.width(of: 1)) }",
    ],
  };
  expect(await sorted(files, "H.width", "method")).toEqual(["G.swift:2?", "G.swift:2"]);
});
