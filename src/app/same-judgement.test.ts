import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type PermissionMode, permissionModes } from "../approval/modes.ts";
import type { Rule } from "../approval/rules.ts";
import fc from "../testing/properties.ts";
import { testWield } from "../testing/testing.ts";
import {
  type Change,
  changeIt,
  contentsOf,
  formatCommand,
  otherTools,
  type Way,
  ways,
} from "./same-judgement.suite.ts";

const paths = [
  ...["src/a.ts", "b.txt", "package.json", ".envrc", ".github/workflows/ci.yml", "deep/er/c.md"],
  ...["analysis.ipynb", "package-lock.json"],
];
const rules: readonly Rule[][] = [
  [],
  [{ decision: "allow", path: "src/**" }],
  [{ decision: "deny", path: "src/**" }],
  [{ decision: "ask", path: "**" }],
  [{ decision: "allow", path: "**" }],
  [{ decision: "allow", path: ".envrc" }],
  [{ decision: "deny", path: "**/*.json" }],
];

/** Whether the change was made; undefined where this way cannot make it. */
async function made(
  way: Way,
  change: Change,
  mode: PermissionMode,
  policy: readonly Rule[],
  userSettings: object = {},
): Promise<boolean | undefined> {
  const { old } = contentsOf(change.path);
  const files = change.kind === "create" ? {} : { [change.path]: old };
  const place = await testWield({ ...files, "other.txt": "x\n" });
  try {
    place.writeConfig("settings.json", JSON.stringify(userSettings));
    const settings = { rules: [...policy], execution: { formatCommand } };
    const options = { mode, settings, customTools: [changeIt] };
    const wield = await place.reopen(options);
    const outcome = way.make(change, { ...place, wield, options });
    if (outcome === "none") return undefined;
    const elsewhere = await outcome;
    const file = join(typeof elsewhere === "string" ? elsewhere : place.root, change.path);
    const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    if (change.kind === "delete") return !isThere;
    return isThere && (change.kind === "create" || readFileSync(file, "utf8") !== old);
  } finally {
    await place.close();
  }
}

test("every tool that can change files is in one of the ways", async () => {
  const place = await testWield({}, { customTools: [changeIt] });
  const changing = place.wield.tools.registry
    .list()
    .filter(({ can }) => can.includes("write") || can.includes("delete"))
    .map(({ name }) => name);
  const known = new Set([...ways.flatMap(({ tools }) => tools), ...Object.keys(otherTools)]);
  expect(changing.filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !changing.includes(name))).toEqual([]);
  await place.close();
});

test.each(ways)("where all is allowed, $name makes its change", { timeout: 300_000 }, async (way) => {
  const changes = paths.flatMap((path) =>
    (["replace", "create", "delete"] as const).map((kind): Change => ({ path, kind })),
  );
  for (const change of changes) {
    const isMade = await made(way, change, "auto", []);
    if (isMade === undefined) continue;
    expect(isMade, JSON.stringify(change)).toBe(true);
    return;
  }
  throw new Error("it makes no change");
});

const alsoWithoutUndo = ways.filter(({ name }) =>
  /^(a file tool|an edit|several edits|a patch|a move|a renamed symbol|a run|a process|a custom|a formatter|an MCP)/.test(
    name,
  ),
);
test.each(alsoWithoutUndo)("what cannot be undone asks in every mode, also by $name", async (way) => {
  const change: Change = { path: "src/a.ts", kind: "replace" };
  const journal = { bytesPerChange: 4 };
  const rule: Rule = { decision: "allow", path: "src/**" };
  expect(await made(way, change, "auto", [rule], { journal })).toBe(false);
});

test("the same change gets the same judgement, whoever makes it", { timeout: 900_000 }, async () => {
  const change = fc.record({
    path: fc.constantFrom(...paths),
    kind: fc.constantFrom<Change["kind"]>("create", "replace", "delete"),
  });
  const circumstances = fc.tuple(change, fc.constantFrom(...permissionModes), fc.constantFrom(...rules));
  await fc.assert(
    fc.asyncProperty(circumstances, async ([one, mode, policy]) => {
      const equal = new Map<string, boolean>();
      const stricter = new Map<string, boolean>();
      for (const way of ways) {
        const result = await made(way, one, mode, policy);
        if (result !== undefined) (way.isStricter?.(one) ? stricter : equal).set(way.name, result);
      }
      const told = JSON.stringify([...equal, ...stricter]);
      expect(new Set(equal.values()).size, told).toBe(1);
      if (equal.values().every((isMade) => !isMade)) expect([...stricter.values()], told).not.toContain(true);
    }),
    { numRuns: 10 },
  );
});
