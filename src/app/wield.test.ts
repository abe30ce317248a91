import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";
import { createWield } from "./wield.ts";

let place: TestWield;
beforeEach(async () => {
  place = await testWield({ "a.txt": "hello\n" });
});
afterEach(() => place.close());

test("whether somebody can be asked is found out only by a call that needs approval", async () => {
  const { asker } = scriptedPerson(yes);
  let lookedUp = 0;
  const wield = await createWield({
    workspace: place.root,
    env: place.env,
    get asker() {
      lookedUp++;
      return asker;
    },
  });
  expect((await wield.call("read_file", { path: "a.txt" })).result.ok).toBe(true);
  expect(lookedUp).toBe(0);
  expect((await wield.call("write_file", { path: "a.txt", content: "two\n" })).result.ok).toBe(true);
  expect(lookedUp).toBeGreaterThan(0);
  await wield.close();
});

describe("a folder that holds Wield's own files is refused", () => {
  test.each(["", "state", "config"])("%j", async (folder) => {
    const home = place.env["HOME"] ?? "";
    mkdirSync(join(home, "config/wield"), { recursive: true });
    await expect(place.reopen({ workspace: join(home, folder) })).rejects.toThrow("Wield's own files");
  });

  test("also through a link", async () => {
    const link = join(place.root, "..", "link");
    symlinkSync(place.env["HOME"] ?? "", link);
    await expect(place.reopen({ workspace: link })).rejects.toThrow("Wield's own files");
  });
});

test.each(["config", "home"])(
  "a folder is refused where Wield's own files lie by a link: %s",
  async (which) => {
    const home = place.env["HOME"] ?? "";
    const real = join(home, "real");
    mkdirSync(join(real, "dotfiles"), { recursive: true });
    symlinkSync(real, join(home, "by-link"));
    const env =
      which === "home"
        ? { PATH: place.env["PATH"] ?? "", HOME: join(home, "by-link") }
        : { ...place.env, XDG_CONFIG_HOME: join(home, "by-link/dotfiles") };
    const workspace = which === "home" ? real : join(real, "dotfiles");
    await expect(place.reopen({ workspace, env })).rejects.toThrow("Wield's own files");
  },
);

test("a folder inside Wield's own files is refused", async () => {
  const tools = join(place.env["XDG_CONFIG_HOME"] ?? "", "wield/tools");
  mkdirSync(tools, { recursive: true });
  await expect(place.reopen({ workspace: tools })).rejects.toThrow("Wield's own files");
});

describe("rules of the user that name folders in full hold here", () => {
  const denied = async (rule: (root: string) => { path: string; workspace?: string }) => {
    place.write("secrets/key", "k\n");
    const rules = [{ decision: "deny", ...rule(place.root) }];
    place.writeConfig("settings.json", JSON.stringify({ rules }));
    const wield = await place.reopen();
    expect((await wield.call("read_file", { path: "a.txt" })).result.ok, "another file").toBe(
      rules[0]?.path.includes("secrets"),
    );
    return (await wield.call("read_file", { path: "secrets/key" })).result;
  };

  test.each<[string, (root: string) => { path: string; workspace?: string }]>([
    ["absolute", (root) => ({ path: `${root}/secrets` })],
    ["absolute with a wildcard", (root) => ({ path: `${root}/secrets/**` })],
    ["from home", () => ({ path: "~/workspace/secrets/**" })],
    ["a folder around", () => ({ path: "~/**" })],
    ["a folder around, by name", (root) => ({ path: join(root, "..") })],
    ["this workspace, with a slash at its end", (root) => ({ path: "secrets", workspace: `${root}/` })],
    ["this workspace, from home", () => ({ path: "secrets", workspace: "~/workspace" })],
  ])("%s", async (_name, rule) => {
    expect(await denied(rule)).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  });
});

test.each<[string, { path: string; workspace?: string }]>([
  ["a folder", { path: "~/workspace/secrets/**" }],
  ["a file", { path: "~/workspace/secrets/key" }],
  ["any of a kind", { path: "~/workspace/**/*key" }],
  ["a folder around", { path: "~/**" }],
  ["in this workspace", { path: "secrets", workspace: "~/workspace" }],
])("rules from a home that is a link hold: %s", async (_name, rule) => {
  place.write("secrets/key", "k\n");
  const home = place.env["HOME"] ?? "";
  symlinkSync(home, `${home}-link`);
  try {
    const env = { ...place.env, HOME: `${home}-link` };
    const wield = await place.reopen({ env, settings: { rules: [{ decision: "deny", ...rule }] } });
    const { result } = await wield.call("read_file", { path: "secrets/key" });
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  } finally {
    rmSync(`${home}-link`);
  }
});

test("a toolset holds its tools and no others", async () => {
  const wield = await place.reopen({ tools: "coding" });
  expect(wield.tools.list().map((tool) => tool.name)).toContain("edit_file");
  expect((await wield.call("list_directory", {})).result).toMatchObject({ error: { code: "UNKNOWN_TOOL" } });
});

test("a listener that is taken off hears nothing more", async () => {
  const heard: string[] = [];
  const off = place.wield.on((event) => heard.push(event.type));
  await place.wield.call("read_file", { path: "a.txt" });
  off();
  await place.wield.call("read_file", { path: "a.txt" });
  expect(heard).toEqual(["call-start", "call-end"]);
});
