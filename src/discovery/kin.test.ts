import { expect, test } from "vitest";
import { Kin } from "./kin.ts";
import { stem } from "./stem.ts";

const catalogue = ["restaurant", "weather", "currency", "image", "invoice"].map(stem);
const nearest = (word: string) => new Kin(catalogue).of(stem(word)).map((kin) => kin.stem);

test("words of like meaning are found among those of the catalogue, closest first", () => {
  expect(nearest("cuisine")[0]).toBe(stem("restaurant"));
  expect(nearest("rain")[0]).toBe(stem("weather"));
  expect(nearest("photos")[0]).toBe(stem("image"));
});

test("closeness tells how alike: between nothing in common and the same", () => {
  const kin = new Kin(["photograph", "sky"].map(stem)).of(stem("photos"));
  expect(kin.map(({ stem: word }) => word)).toEqual([stem("photograph")]);
  expect(kin[0]?.closeness).toBeGreaterThan(0.3);
  expect(kin[0]?.closeness).toBeLessThan(1);
});

test("a word has no kin in itself, in a catalogue without words, or when nobody knows it", () => {
  expect(nearest("weather")).not.toContain(stem("weather"));
  expect(new Kin([]).of(stem("weather"))).toEqual([]);
  expect(nearest("zyxwv")).toEqual([]);
  for (const name of ["__proto__", "constructor"]) expect(nearest(name)).toEqual([]);
});
