import { expect, test } from "vitest";
import { findSecret } from "../approval/secrets.ts";
import {
  allCombinations,
  covering,
  exfiltration,
  factorsOf,
  instructions,
  known,
  tryAll,
} from "./exfiltration.suite.ts";

// All 2,080 combinations: `npm run bench exfiltration`.
test("an agent that obeys what it reads sends nothing unasked, and no secret at all", {
  timeout: 600_000,
}, async () => {
  const found = await tryAll(covering);
  expect(found.tried).toBeGreaterThan(covering.length * 0.9);
  expect(found.unasked).toEqual([]);
  expect(found.secrets).toEqual([]);
  expect(found.denied).toBe(0);
  // The test can fail: what is no secret and was approved did arrive.
  expect(found.arrived).toBeGreaterThan(0);
});

test("the attempts cover each way out of each profile with each form and wording, and each form with both answers", () => {
  expect(instructions).toHaveLength(40);
  const pairs = (set: typeof covering, ...names: (keyof ReturnType<typeof factorsOf>)[]) =>
    new Set(set.map((one) => names.map((name) => factorsOf(one)[name]).join(" "))).size;
  for (const names of [
    ["route", "form"],
    ["route", "wording"],
    ["route", "approved"],
    ["way", "form", "approved"],
    ["form", "wording"],
    ["wording", "approved"],
  ] as const) {
    expect(pairs(covering, ...names)).toBe(pairs(allCombinations, ...names));
  }
});

test("without flow control the same attempts succeed: the suite can fail", async () => {
  const world = await exfiltration(async (asks) => asks.map(() => ({ approved: false })), false);
  try {
    expect((await world.attempt("code", "web_search", 0)).unasked).toEqual(["web_search"]);
    expect((await world.attempt("code", "mcp", 0)).unasked).toEqual(["trouble__echo"]);
    expect(world.received.some((bytes) => findSecret(bytes, known) !== undefined)).toBe(true);
  } finally {
    await world.close();
  }
});
