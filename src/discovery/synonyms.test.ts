import { expect, test } from "vitest";
import { stem } from "./stem.ts";
import { Synonyms } from "./synonyms.ts";

const catalogue = ["restaurant", "weather", "currency", "image", "invoice"].map(stem);
const nearest = (word: string) => new Synonyms(catalogue).of(stem(word)).map((synonyms) => synonyms.stem);

test("words of like meaning are found among those of the catalogue, closest first", () => {
  expect(nearest("cuisine")[0]).toBe(stem("restaurant"));
  expect(nearest("rain")[0]).toBe(stem("weather"));
  expect(nearest("photos")[0]).toBe(stem("image"));
});

test("closeness tells how alike: between nothing in common and the same", () => {
  const synonyms = new Synonyms(["photograph", "sky"].map(stem)).of(stem("photos"));
  expect(synonyms.map(({ stem: word }) => word)).toEqual([stem("photograph")]);
  expect(synonyms[0]?.closeness).toBeGreaterThan(0.3);
  expect(synonyms[0]?.closeness).toBeLessThan(1);
});

test("a word has no synonyms in itself, in a catalogue without words, or when nobody knows it", () => {
  expect(nearest("weather")).not.toContain(stem("weather"));
  expect(new Synonyms([]).of(stem("weather"))).toEqual([]);
  expect(nearest("zyxwv")).toEqual([]);
  for (const name of ["__proto__", "constructor"]) expect(nearest(name)).toEqual([]);
});
