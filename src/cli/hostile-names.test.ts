import { execFileSync } from "node:child_process";
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

test("no name that code, a branch or a document has is shown as what it is not", {
  timeout: 60_000,
}, async () => {
  // Identifiers may hold joiners, which are not seen.
  const here = await testWield(
    { "code.ts": "export function na\u200dme(): number {\n  return 1;\n}\nexport class Oth\u200cer {}\n" },
    { asker: async (asks) => asks.map(() => yes) },
  );
  try {
    execFileSync("git", ["init", "-q", "-b", "ma\u202ein"], { cwd: here.root });
    const calls: [string, Record<string, unknown>][] = [
      ["symbols", { file: "code.ts" }],
      ["definition", { symbol: "na\u200dme" }],
      ["batch_read", { reads: ["code.ts#missing"] }],
      ["createDocument", { title: "No\u202ete", kind: "text", content: "x" }],
      ["listDocuments", {}],
      ["git_worktree", {}],
    ];
    for (const [tool, input] of calls) {
      const { text } = await here.wield.callAny(tool, input);
      expect(text, tool).toMatch(/\\u\{20/);
      expect(text, tool).not.toMatch(/\u200c|\u200d|\u202e/);
    }
  } finally {
    await here.close();
  }
});
