import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { defaultSettings } from "./default-settings.ts";
import { readUserSettings } from "./settings.ts";
import { settingsSchema } from "./settings-schema.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});
const start = async (...given: Parameters<typeof testWield>) => {
  place = await testWield(...given);
  return place;
};
let version = 0;
const overwrite = () => ({ path: "a.txt", content: `version ${version++}\n` });
const rules = (...given: object[]) => JSON.stringify({ rules: given });
const allow = { decision: "allow", tool: "write_file" };

describe("the user's settings file, edited while Wield runs", () => {
  test("a rule that allows, and one that denies, hold from the next call on", async () => {
    const { wield, writeConfig } = await start({ "a.txt": "old\n" });
    expect((await wield.call("write_file", overwrite())).result).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    writeConfig("settings.json", rules(allow));
    expect((await wield.call("write_file", overwrite())).result.ok).toBe(true);
    writeConfig("settings.json", rules({ decision: "deny", path: "a.txt" }));
    expect((await wield.call("read_file", { path: "a.txt" })).result).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(wield.tools.problems()).toEqual([]);
  });

  test("a broken file keeps what restricts, suspends what allows, and is told", async () => {
    const { wield, writeConfig } = await start({ "a.txt": "old\n", "b.txt": "" });
    writeConfig("settings.json", rules({ decision: "deny", path: "b.txt" }, { ...allow, path: "a.txt" }));
    expect((await wield.call("write_file", overwrite())).result.ok).toBe(true);
    writeConfig("settings.json", '{ "rules": [');
    expect((await wield.call("write_file", overwrite())).result).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    expect((await wield.call("read_file", { path: "b.txt" })).result.ok).toBe(false);
    expect(wield.tools.problems().join()).toMatch(/settings\.json is not valid JSON/);
    writeConfig("settings.json", rules(allow));
    expect((await wield.call("write_file", overwrite())).result.ok).toBe(true);
    expect(wield.tools.problems()).toEqual([]);
  });

  test("an answer that cannot be saved there counts for the call and the session", async () => {
    const { wield, writeConfig } = await start(
      { "a.txt": "old\n" },
      {
        approve: (ask) => ({ approved: true, remember: { rules: ask.remember?.rules ?? [], scope: "user" } }),
      },
    );
    writeConfig("settings.json", "{ broken");
    const { result, text } = await wield.call("write_file", overwrite());
    expect(result.ok).toBe(true);
    expect(text).toContain("could not be remembered");
  });
});

describe("the workspace's settings file, edited while Wield runs", () => {
  test("restricts from the next call on, and loosens only once it is trusted", async () => {
    const { wield, write, trust } = await start({ "a.txt": "old\n" });
    write(".wield/settings.json", rules({ decision: "deny", path: "a.txt" }));
    expect((await wield.call("read_file", { path: "a.txt" })).result.ok).toBe(false);
    write(".wield/settings.json", rules(allow));
    expect((await wield.call("read_file", { path: "a.txt" })).result.ok).toBe(true);
    expect((await wield.call("write_file", overwrite())).result.ok).toBe(false);
    await trust();
    expect((await wield.call("write_file", overwrite())).result.ok).toBe(true);
    write(".wield/settings.json", rules(allow, { decision: "allow" }));
    expect((await wield.call("write_file", overwrite())).result.ok).toBe(false);
  });

  test("one that cannot be read keeps what it restricted", async () => {
    const { wield, write } = await start({ "a.txt": "old\n" });
    write(".wield/settings.json", rules({ decision: "deny", path: "a.txt" }));
    expect((await wield.call("read_file", { path: "a.txt" })).result.ok).toBe(false);
    write(".wield/settings.json", "{");
    expect((await wield.call("read_file", { path: "a.txt" })).result.ok).toBe(false);
    expect(wield.tools.problems().join()).toMatch(/\.wield\/settings\.json is not valid JSON/);
  });
});

test("an empty file, and each group left empty, means the defaults", () => {
  expect(settingsSchema.parse({})).toEqual(defaultSettings);
  const groups = Object.entries(defaultSettings).filter(([, group]) => !Array.isArray(group));
  for (const [name] of groups) expect(settingsSchema.parse({ [name]: {} }), name).toEqual(defaultSettings);
});

test("two processes that remember rules at the same time lose none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wield-rules-"));
  const file = join(folder, "settings.json");
  const writer = join(import.meta.dirname, "fixtures/rule-writer.ts");
  await Promise.all(
    ["a", "b"].map((name) => promisify(execFile)(process.execPath, [writer, file, name, "25"])),
  );
  expect(readUserSettings(file).rules).toHaveLength(50);
  removeFolder(folder);
});

test("a skill that changes, or is added, while Wield runs ends the trust in the folder's rules and skills", async () => {
  const skill = (words: string) => `---\nname: deploy\ndescription: How to deploy\n---\n${words}\n`;
  const settings = { rules: [{ decision: "allow", tool: "delete_file", path: "*.txt" }] };
  const trusting = await testWield({
    ".wield/settings.json": JSON.stringify(settings),
    ".wield/skills/deploy/SKILL.md": skill("Ask first."),
    "a.txt": "a\n",
    "b.txt": "b\n",
    "c.txt": "c\n",
  });
  try {
    await trusting.trust();
    const wield = await trusting.reopen();
    const codeOf = async (path: string) => {
      const { result } = await wield.call("delete_file", { path });
      return result.ok ? "ok" : result.error.code;
    };
    const read = async () => (await wield.callAny("readSkill", { name: "deploy" })).text;
    expect(await read()).toContain("Ask first.");
    expect(await codeOf("a.txt")).toBe("ok");

    trusting.write(".wield/skills/deploy/SKILL.md", skill("Never ask."));
    expect(await read()).not.toContain("Never ask.");
    expect(await codeOf("b.txt")).toBe("APPROVAL_REQUIRED");
    expect(wield.settings.trusted).toBe(false);

    await trusting.trust();
    expect(await read()).toContain("Never ask.");
    expect(await codeOf("b.txt")).toBe("ok");
    trusting.write(".agents/skills/other/SKILL.md", skill("Delete all.").replace("deploy", "other"));
    expect(await codeOf("c.txt")).toBe("APPROVAL_REQUIRED");
    expect((await wield.callAny("readSkill", { name: "other" })).text).not.toContain("Delete all.");
  } finally {
    await trusting.close();
  }
});
