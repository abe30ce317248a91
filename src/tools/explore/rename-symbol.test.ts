import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { scriptedPerson, type TestWield, testWield, yes } from "../../testing/testing.ts";

let place: TestWield;
afterEach(() => place.close());

const files = {
  "repo.ts": "export interface Repo {\n  find(id: string): string;\n}\n",
  "sql.ts":
    'import type { Repo } from "./repo";\nexport class SqlRepo implements Repo {\n  find(id: string) {\n    return id; // find it\n  }\n}\n',
  "use.ts": [
    'import type { Repo } from "./repo";',
    'import { SqlRepo } from "./sql";',
    "export function use(repo: Repo, sql: SqlRepo, other: any, list: string[]) {",
    '  other.find("c");',
    '  list.find((one) => one === "x");',
    '  return repo.find("a") + sql.find("b");',
    "}",
  ].join("\n"),
  "README.md": "Call find.\n",
};
const text = (path: string) => readFileSync(join(place.root, path), "utf8");

test("the symbol, what overrides it and every sure use change as one; possible uses are listed; undo takes all back", async () => {
  const person = scriptedPerson(yes, yes);
  place = await testWield(files, { asker: person.asker });
  const { result, text: said } = await place.wield.callAny("rename_symbol", {
    symbol: "Repo.find",
    to: "lookUp",
  });
  expect(result.ok, said).toBe(true);
  expect(text("repo.ts")).toContain("  lookUp(id: string): string;");
  expect(text("sql.ts")).toContain("  lookUp(id: string) {\n    return id; // find it");
  expect(text("use.ts")).toContain('return repo.lookUp("a") + sql.lookUp("b");');
  expect(text("use.ts")).toContain('other.find("c");');
  expect(text("use.ts")).toContain("list.find(");
  expect(said).toContain("Renamed Repo.find to lookUp: 4 places in 3 files.");
  expect(said).toContain("1 possible uses not changed, decide on each:\n  use.ts:4 (unknown receiver)");
  expect(said).toContain("The old name also occurs in: README.md");
  const { changeId } = (result as unknown as { value: { changeId: string } }).value;
  await place.wield.callAny("undo", { changeId });
  for (const [path, before] of Object.entries(files)) expect(text(path)).toBe(before);
});

test("imports, aliases and shorthand keys stay right", async () => {
  place = await testWield(
    {
      "a.ts": "export function load() {}\nexport const all = { load };\n",
      "b.ts": 'import { load } from "./a";\nimport { load as other } from "./a";\nload();\nother();\n',
    },
    { asker: scriptedPerson(yes).asker },
  );
  await place.wield.callAny("rename_symbol", { symbol: "a.ts#load", to: "fetchAll" });
  expect(text("a.ts")).toBe("export function fetchAll() {}\nexport const all = { load: fetchAll };\n");
  expect(text("b.ts")).toBe(
    'import { fetchAll } from "./a";\nimport { fetchAll as other } from "./a";\nfetchAll();\nother();\n',
  );
});

test("a name that means two things, one that is taken, and one that is none are refused", async () => {
  place = await testWield({
    "a.ts": "export function one() {}\nexport function two() {}\n",
    "b.ts": "export function one() {}\n",
  });
  const error = async (input: Record<string, unknown>) => {
    const { result } = await place.wield.callAny("rename_symbol", input);
    return result.ok ? "" : `${result.error.code} ${result.error.message}`;
  };
  expect(await error({ symbol: "one", to: "three" })).toMatch(/^INVALID_INPUT .*a\.ts#one .*b\.ts#one/);
  expect(await error({ symbol: "a.ts#one", to: "two" })).toMatch(/^CONFLICT .*a\.ts:2/);
  expect(await error({ symbol: "a.ts#one", to: "not a name" })).toMatch(/^INVALID_INPUT/);
  expect(await error({ symbol: "nothing", to: "three" })).toMatch(/^FILE_NOT_FOUND/);
});

test("a field and a method of one name: the kind that an answer prints for each is accepted", async () => {
  place = await testWield({
    "Gson.java": "class Gson {\n  boolean htmlSafe;\n  boolean htmlSafe() { return htmlSafe; }\n}\n",
  });
  const target = "Gson.java#Gson.htmlSafe";
  const ask = async (kind?: string) => {
    const { result } = await place.wield.callAny("graph", {
      operation: "usages",
      target,
      ...(kind && { kind }),
    });
    return result.ok
      ? (result.value as { target?: { line: number }; candidates?: { kind: string }[] })
      : undefined;
  };
  const kinds = (await ask())?.candidates?.map(({ kind }) => kind) ?? [];
  expect(kinds.toSorted()).toEqual(["field", "method"]);
  expect((await ask("field"))?.target?.line).toBe(2);
  expect((await ask("method"))?.target?.line).toBe(3);
});
