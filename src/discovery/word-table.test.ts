import { expect, test } from "vitest";
import { stem } from "./stem.ts";
import { likeness, Meaning, packTable, unpackTable, wordSize, wordTable } from "./word-table.ts";

function meaning(...words: string[]): Float32Array {
  const all = new Meaning();
  for (const word of words) all.add(wordTable().vectorOf(stem(word)), 1);
  return all.direction();
}

test("texts about the same things are alike, whatever their words", () => {
  const query = meaning("heatwave", "sunny", "tomorrow");
  expect(likeness(query, meaning("weather", "forecast"))).toBeGreaterThan(0.3);
  expect(likeness(query, meaning("weather", "forecast"))).toBeGreaterThan(
    likeness(query, meaning("invoice", "payment")),
  );
});

test("a text of unknown words is like nothing", () => {
  expect(likeness(meaning("zyxwv", "__proto__"), meaning("weather"))).toBe(0);
  expect(likeness(meaning(), meaning())).toBe(0);
});

test("common words have low ranks, unknown ones the highest", () => {
  const { rankOf } = wordTable();
  expect(rankOf(stem("people"))).toBeLessThan(rankOf(stem("chronograph")));
  expect(rankOf(stem("chronograph"))).toBeLessThanOrEqual(rankOf("zyxwv"));
});

test("what is packed is unpacked, each of length 1", () => {
  const vector = (value: number) => Float64Array.from({ length: wordSize }, (_, k) => (k === 3 ? value : 0));
  const table = unpackTable(
    packTable(
      new Map([
        ["first", vector(2)],
        ["second", vector(-0.5)],
      ]),
    ),
  );
  expect(table.vectorOf("first")?.[3]).toBeCloseTo(1);
  expect(table.vectorOf("second")?.[3]).toBeCloseTo(-1);
  expect([table.rankOf("first"), table.rankOf("second"), table.rankOf("third")]).toEqual([0, 1, 2]);
  expect(table.vectorOf("third")).toBeUndefined();
});
