import { describe, expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { leaksOf, otherNames, ruleForms, spellings } from "./hidden-names.suite.ts";

const oneOf = (names: object) => fc.constantFrom(...Object.keys(names));
const cases = fc.record({
  rule: oneOf(ruleForms),
  spelling: oneOf(spellings),
  others: fc.uniqueArray(oneOf(otherNames), { minLength: 1, maxLength: 4 }),
  isLink: fc.boolean(),
  isLate: fc.boolean(),
});

describe("what a rule denies is seen by no tool, whatever it is called", () => {
  test.each(Object.keys(otherNames).map((other, at) => [other, at % 2 === 1] as const))(
    "%s, of what the rule names by a link: %s",
    async (other, isLink) => {
      const names = { rule: "folder with all in it", spelling: "same", others: [other] };
      expect(await leaksOf({ ...names, isLink, isLate: false })).toEqual([]);
    },
  );

  test("in any combination", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (names) => {
        expect(await leaksOf(names)).toEqual([]);
      }),
      { numRuns: 3 },
    );
  });
});
