import { execFileSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWield } from "../app/wield.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { commands } from "./commands.ts";
import { runCli } from "./run-cli.suite.ts";
import { type FaultCommand, faultCommands } from "./state-faults.suite.ts";

interface Told {
  command: string;
  code: number;
  out: string;
  err: string;
}

/** What a fault keeps from being used, and what the sentence says about it. */
const faults: Record<string, { hits: FaultCommand["needs"]; says: RegExp }> = {
  damaged: { hits: ["store"], says: /wield\.db is damaged\. Run `wield doctor --repair`/ },
  truncated: { hits: ["store"], says: /wield\.db is damaged\. Run `wield doctor --repair`/ },
  "journal-damaged": { hits: ["journal"], says: /journal\.db is damaged\. Run `wield doctor --repair`/ },
  "journal-truncated": { hits: ["journal"], says: /journal\.db is damaged\. Run `wield doctor --repair`/ },
  "read-only": { hits: ["store", "journal"], says: /\.db cannot be written: .*XDG_STATE_HOME/ },
  foreign: { hits: ["store", "journal"], says: /wield.*cannot be written: .*XDG_STATE_HOME/ },
};
const now = new Date().toISOString();
const session = {
  id: "a_kept",
  agent: "code",
  title: "A kept session",
  at: now,
  updated: now,
};

let folder = "";
let results: Record<string, Told[]> = {};
const envOf = (fault: string) => ({
  ...{ PATH: process.env["PATH"] ?? "", HOME: folder, WIELD_MODEL: "offline" },
  XDG_STATE_HOME: join(folder, fault),
});
const storeOf = (fault: string) => join(folder, fault, "wield/wield.db");
const journalOf = (fault: string) => {
  const journals = join(folder, fault, "wield/journals");
  return join(journals, readdirSync(journals)[0] ?? "", "journal.db");
};

function damage(file: string): void {
  writeFileSync(file, readFileSync(file).fill(0xa5, 16));
}
const isJson = (text: string) => {
  const lines = text.trim().split("\n");
  return [[text], lines].some((parts) => parts.every((part) => canParse(part)));
};
const canParse = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const withoutIds = (text: string) => text.replaceAll(/a_\w+/g, "a_…");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wield-faults-"));
  const root = join(folder, "ws");
  mkdirSync(root);
  writeFileSync(join(root, "a.ts"), "export const a = 1;\n");
  const wield = await createWield({ workspace: root, env: envOf("healthy") });
  await wield.store.appendEntry(
    { ...session, workspace: root },
    { seq: 1, at: now, data: { kind: "user", text: "hi" } },
  );
  for (const path of ["b.txt", "c.txt"]) await wield.call("write_file", { path, content: path });
  await wield.close();

  const places = ["damaged", "truncated", "journal-damaged", "journal-truncated", "foreign", "baseline"];
  for (const fault of places) cpSync(join(folder, "healthy"), join(folder, fault), { recursive: true });
  damage(storeOf("damaged"));
  truncateSync(storeOf("truncated"), 6_000);
  damage(journalOf("journal-damaged"));
  truncateSync(journalOf("journal-truncated"), 6_000);
  // An ordinary user cannot give files away, but finds folders of others.
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    for (const name of [".", ...readdirSync(join(folder, "foreign"), { recursive: true, encoding: "utf8" })])
      chownSync(join(folder, "foreign", name), 12_345, 12_345);

  const script = `
    set -e; cd "$1"; shift; mkdir full read-only
    mount -t tmpfs -o size=6m wield full; cp -a healthy/. full
    mount -t tmpfs -o size=6m wield read-only; cp -a healthy/. read-only; mount -o remount,ro read-only
    exec "$@"`;
  const told = execFileSync(
    "unshare",
    [
      ...["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script, "x", folder],
      ...[process.execPath, resolve(import.meta.dirname, "fixtures/every-command.ts"), folder],
      ...["baseline", ...Object.keys(faults), "full"],
    ],
    {
      env: { ...process.env, FOREIGN_STATE: isRoot ? join(folder, "foreign") : "/usr" },
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  results = JSON.parse(told) as typeof results;
});

afterAll(() => removeFolder(folder));

test("every command has its line in the table", () => {
  const covered = new Set(Object.values(faultCommands).map(({ args }) => args[0]));
  expect(commands.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
});

describe.each(Object.entries(faults))("a state that is %s", (fault, { hits, says }) => {
  test.each(Object.entries(faultCommands))("%s", (name, { needs, json }) => {
    const { code, out, err } = (results[fault] ?? []).find(({ command }) => command === name) as Told;
    const healthy = (results["baseline"] ?? []).find(({ command }) => command === name) as Told;
    const everything = `${out}\n${err}`;
    expect(everything).not.toMatch(/\n {4}at |file:\/\/|INTERNAL_ERROR/);
    if (json) expect(out).toSatisfy(isJson);
    if (!needs.some((need) => hits.includes(need))) {
      expect([code, withoutIds(err)]).toEqual([healthy.code, withoutIds(healthy.err)]);
      return;
    }
    expect(code).toBe(1);
    expect(everything).toMatch(says);
    const sentences = everything.match(/\S+\.db (?:is|cannot)/g) ?? [];
    expect(sentences).toEqual([...new Set(sentences)]);
  });
});

test("while the disk is full, what writes fails in one sentence, and nothing is lost", async () => {
  for (const { command, code, out, err } of results["full"] ?? []) {
    expect(`${out}\n${err}`, command).not.toMatch(/\n {4}at |file:\/\/|INTERNAL_ERROR/);
    if (faultCommands[command]?.json) expect(out, command).toSatisfy(isJson);
    if (["call write_file", "undo"].includes(command)) {
      expect(code, command).toBe(1);
      expect(`${out}\n${err}`, command).toMatch(/no space left on the disk for .*\.db.*wield clean/s);
    }
  }
});

test("no command writes to a state with a fault, and what was kept before the disk was full is there afterwards", () => {
  expect(results["changed"]).toEqual([]);
  const [sessions, changes] = results["kept"] as unknown as [string, string];
  expect(sessions).toContain(session.id);
  expect(changes).toContain("write c.txt");
});

test("cleaning works while the disk is full", () => {
  const { code, out, err } = results["cleaned"] as unknown as Told;
  expect(code, err).toBe(0);
  expect(out).toMatch(/Removed: .*sessions.*caches/);
});

test("a server fails in one sentence while the disk is full, and works when there is space again", () => {
  const { before, during, after, files } = results["server"] as unknown as Record<
    string,
    (string | number)[]
  >;
  expect(before).toEqual(["ok", 200]);
  expect(during?.[0]).toMatch(/no space left on the disk for .*wield clean/);
  expect(during?.[1]).toBe(200);
  expect(after).toEqual(["ok", 200]);
  expect(files).toEqual(["server-after.txt", "server-before.txt"]);
});

test.each(["damaged", "truncated", "journal-damaged", "journal-truncated"])(
  "doctor --repair sets what is %s aside and saves what can be read",
  async (fault) => {
    const place = { root: join(folder, "ws"), env: envOf(fault) };
    const file = fault.startsWith("journal") ? journalOf(fault) : storeOf(fault);
    const damaged = readFileSync(file);
    const { code, out } = await runCli(place, ["doctor", "--repair", "--json"]);
    expect(code).toBe(0);
    const { repaired, state } = JSON.parse(out) as {
      state: unknown[];
      repaired: { file: string; aside: string }[];
    };
    expect(state).toEqual([]);
    expect(repaired.map((each) => each.file)).toEqual([file]);
    expect(readFileSync(repaired[0]?.aside ?? "").equals(damaged)).toBe(true);
    const write = JSON.stringify({ path: `after-${fault}.txt`, content: "x" });
    const written = await runCli(place, ["call", "write_file", write]);
    expect(written.out).toContain("after-");
    expect(written.code, written.out).toBe(0);
    expect((await runCli(place, ["undo", "--yes"])).code).toBe(0);
    if (fault.startsWith("journal")) expect((await runCli(place, ["sessions"])).out).toContain(session.id);
    else expect((await runCli(place, ["changes"])).out).toContain("write c.txt");
  },
);
