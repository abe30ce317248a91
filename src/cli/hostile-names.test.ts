import { afterAll, beforeAll, expect, test } from "vitest";
import type { Wield } from "../app/wield.ts";
import fc from "../testing/properties.ts";
import { type TestWield, testWield, yes } from "../testing/testing.ts";
import { builtinNames } from "../toolsets/toolsets.ts";

/** What hides or reorders characters in a name: overrides, isolates, zero-width, tags. */
const hiding = ["\u202e", "\u2066", "\u200b", "\u2060", "\ufeff", "\u{e0041}", "\u061c"];
const hidden = new RegExp(`[${hiding.join("")}]`, "u");
const names = hiding.map((character, at) => `n${at}${character}gpj.ts`);

let place: TestWield;
let alone: Wield;
let answered: Wield;
beforeAll(async () => {
  place = await testWield({});
  alone = await place.reopen();
  answered = await place.reopen({ asker: async (asks) => asks.map(() => yes) });
});
afterAll(() => place.close());

/** The example of a tool with each path in it replaced. */
function renamed(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, path));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (!["path", "file", "from", "to", "paths"].includes(key)) return [key, renamed(member, path)];
      const name = key === "to" ? `new-${path}` : path;
      return [
        key,
        Array.isArray(member) ? [name] : typeof member === "string" ? name : renamed(member, path),
      ];
    }),
  );
}

test.each(
  builtinNames.filter((name) => !/Browser|browse|web_|Weather|research|executeCode|ask_person/i.test(name)),
)("no result of %s shows a name of a file as what it is not", { timeout: 60_000 }, async (name) => {
  const tool = alone.tools.list().find((one) => one.name === name);
  const examples = tool?.examples.map(({ input }) => input) ?? [];
  if (examples.length === 0) return;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.constantFrom(...examples), async (path, example) => {
      place.write(path, "export const a = 1;\n");
      for (const wield of [alone, answered]) {
        const { text, result } = await wield.callAny(name, renamed(example, path));
        expect(text).not.toMatch(hidden);
        if (!result.ok) expect(result.error.message).not.toMatch(hidden);
      }
    }),
    { numRuns: 3 },
  );
});
