// Swift: names that conditions and patterns bind, and other names of types.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProject, type ProjectPlace } from "../../folder.suite.ts";
import { type Files, sortedUses } from "./sorted.suite.ts";

let place: ProjectPlace;
beforeEach(() => {
  place = openProject();
});
afterEach(() => place.close());

const sorted = (files: Files, symbol: string) => sortedUses(place, files, symbol);

test("a condition binds a name behind it, and only where it holds", async () => {
  const files = {
    "View.swift": [
      "class Store { func save() {} }",
      "class Other { func save() {} }",
      "class View {",
      "  var store: Store?",
      "  func run(_ maybe: Store?, any: Any) {",
      "    if let store = store { store.save() }",
      "    if let store { store.save() } else { store = Store() }",
      "    if let one = maybe, let two = self.store { one.save(); two.save() }",
      "    guard let store else { return }",
      "    store.save()",
      "    guard let three = any as? Store else { return }",
      "    three.save()",
      "  }",
      "  func other() { let copy = store; copy?.save() }",
      "}",
    ],
  };
  const lines = (...numbers: number[]) => numbers.map((line) => `View.swift:${line}`);
  expect(await sorted(files, "View.store")).toEqual([...lines(6, 7, 7, 8, 9, 14), "4 a local variable"]);
  expect(await sorted(files, "Store.save")).toEqual(lines(6, 7, 8, 8, 10, 12, 14));
});

test("a pattern binds names in its case", async () => {
  const files = {
    "View.swift": [
      "class View {",
      "  var store: Store",
      "  func run(_ kind: Kind) {",
      "    switch kind {",
      "    case .loaded(let store): store.save()",
      "    case let .both(store, other): store.save()",
      "    default: store.save()",
      "    }",
      "    if case .loaded(let store) = kind { store.save() } else { store.save() }",
      "    for case let store as Store in all { store.save() }",
      "    while let store = next() { store.save() }",
      "    do { try run(kind) } catch let store as Store { store.save() }",
      "  }",
      "}",
    ],
  };
  expect(await sorted(files, "View.store")).toEqual(["View.swift:7", "View.swift:9", "12 a local variable"]);
});

test("an override is reached through another name of its parent", async () => {
  const files = {
    "Store.swift": [
      "class Store { func save() {} }",
      "class Sub: Store { override func save() {} }",
      "typealias Shop = Store",
      "func run(_ shop: Shop) { shop.save() }",
    ],
  };
  expect(await sorted(files, "Store.save")).toEqual(["Store.swift:4"]);
  expect(await sorted(files, "Sub.save")).toEqual(["Store.swift:4?"]);
});
