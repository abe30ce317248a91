import { expect, test } from "vitest";
import { placesOf } from "./occurrences.ts";
import { plainReferences } from "./plain-references.ts";

const placed = (source: string) =>
  plainReferences("a.ts", source, placesOf("name", source), 4).map(({ line, column }) => `${line}:${column}`);

test("lines and columns of places in a file that is not parsed", () => {
  expect(placed("name; name\n\n  name\nother\nname")).toEqual(["1:1", "1:7", "3:3", "5:1"]);
});

test("a file of one line is read once", () => {
  const places = placed("name ".repeat(200_000));
  expect(places).toHaveLength(200_000);
  expect(places.at(-1)).toBe("1:999996");
});
