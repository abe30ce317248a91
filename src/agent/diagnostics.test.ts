import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ScriptedReply, scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const modules = resolve(import.meta.dirname, "../../node_modules");
let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const project = {
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] } }\n',
  "price.ts": "export function price(count: number): number {\n  return count * 2;\n}\n",
  "cart.ts": 'import { price } from "./price.ts";\n\nexport const total: number = price(3);\n',
  // Wrong from the start: never the agent's doing.
  "old.ts": 'export const old: number = "one";\n',
};

type Settings = NonNullable<NonNullable<Parameters<typeof testWield>[1]>["settings"]>;

const edit = (path: string, oldText: string, newText: string) => ({
  tool: "replace_in_file",
  input: { path, edits: [{ oldText, newText }], description: "x" },
});

/** Each list of calls is a step. What the model was told before each next one, and the checks that were run. */
async function run(
  steps: readonly NonNullable<ScriptedReply["calls"]>[],
  given: { packages?: readonly string[]; files?: object; trust?: boolean; settings?: Settings } = {},
) {
  const { packages = ["typescript", "@typescript"], files = {}, trust = true, settings = {} } = given;
  place = await testWield({ ...project, ...files });
  for (const name of packages) {
    const to = join(place.root, "node_modules", name);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(modules, name), to, { recursive: true });
  }
  if (trust) await place.trust();
  const wield = await place.reopen({ settings, approve: () => ({ approved: true }) });
  const checks: string[] = [];
  wield.on((event) => {
    if (event.type === "call-end" && event.record.tool === "check_code") checks.push(event.record.session);
  });
  const model = scriptedModel([...steps.map((calls) => ({ calls })), { say: "done" }]);
  const agent = await wield.agent({ model });
  expect(await agent.send("go")).toMatchObject({ stop: "done" });
  const told = model.requests.slice(1).map(({ prompt }) => JSON.stringify(prompt.at(-1)));
  return { told, checks, session: agent.session };
}

describe.skipIf(!hasBubblewrap)("diagnostics after changes", () => {
  test("tsc: only what is new, also in files that were not changed, once for all edits of a step", async () => {
    const { told, checks, session } = await run([
      [edit("price.ts", "count: number", "count: string"), edit("price.ts", "count * 2", "count.length * 2")],
      [edit("old.ts", '"one"', '"two"')],
      [edit("price.ts", "count: string", "count: number"), edit("price.ts", "count.length", "count")],
    ]);
    expect(told[0]).toContain("New findings after this change (1):");
    expect(told[0]).toMatch(/cart\.ts:3 tsc TS2345: Argument of type 'number'/);
    expect(told[0]).not.toContain("old.ts");
    for (const clean of told.slice(1, 3)) {
      expect(clean).not.toContain("New findings");
      expect(clean).toContain("Checked after this change (tsc): no new findings.");
    }
    expect(checks).toEqual([session, session, session]);
  });

  test("biome: in the changed file, without what it said before", async () => {
    const files = {
      "biome.json": '{ "linter": { "rules": { "recommended": true } } }\n',
      "loose.js": "export function f(a) {\n  debugger;\n  return a;\n}\n",
    };
    const { told } = await run([[edit("loose.js", "return a", "return a == 1")]], {
      files,
      packages: ["@biomejs"],
    });
    expect(told[0]).toMatch(/New findings after this change \(1\):\\nloose\.js:3 biome .*noDoubleEquals/);
    expect(told[0]).not.toContain("debugger");
  });

  test("where nothing checks the code, that is said once", async () => {
    const { told } = await run([[edit("price.ts", "* 2", "* 3")], [edit("price.ts", "* 3", "* 4")]], {
      packages: [],
    });
    expect(told[0]).toContain("nothing has checked them");
    expect(told[1]).not.toContain("nothing has checked them");
  });

  const broken = [[edit("price.ts", "count: number", "count: string")]];

  test("not in a folder that is not trusted", async () => {
    const { told, checks } = await run(broken, { trust: false });
    expect(told[0]).not.toContain("findings");
    expect(checks).toEqual([]);
  });

  test("not when the setting says so", async () => {
    const { checks } = await run(broken, { settings: { agent: { diagnostics: false } } });
    expect(checks).toEqual([]);
  });

  test("one that takes too long is told once, left out for some changes, and then tried again", async () => {
    const slowUntilFileIsThere = `
      const { existsSync, readFileSync } = require("node:fs");
      if (!existsSync("fast")) setTimeout(() => {}, 60_000);
      else if (readFileSync("n.ts", "utf8") === "4\\n") console.log("price.ts(1,1): error TS1: found");
    `;
    const files = { "node_modules/typescript/bin/tsc": slowUntilFileIsThere, "n.ts": "0\n" };
    const to = (n: number) => [edit("n.ts", `${n}`, `${n + 1}`)];
    const makeFast = { tool: "create_file", input: { path: "fast", content: "x", description: "x" } };
    const { told } = await run([to(0), [...to(1), makeFast], to(2), to(3)], {
      files,
      packages: [],
      settings: { agent: { diagnosticsSeconds: 2 } },
    });
    expect(told[0]).toContain("tsc took too long after this change");
    for (const later of told.slice(1)) expect(later).not.toContain("took too long");
    expect(told[1]).not.toContain("TS1");
    expect(told[2]).not.toContain("TS1");
    expect(told[3]).toContain("price.ts:1 tsc TS1: found");
  });
});
