import { afterEach, expect, test } from "vitest";
import { withRule } from "../approval/remembered-rules.ts";
import type { Rule } from "../approval/rules.ts";
import type { Store } from "../store/store.ts";
import { type TestWield, testWield, yes } from "../testing/testing.ts";
import { createRuntime } from "./runtime.ts";

let place: TestWield | undefined;
afterEach(() => place?.close());

const edits = [{ oldText: "one", newText: "1" }];
/** Inputs that can be prepared; other tools are called as in their first example. */
const inputs: Record<string, Record<string, unknown>> = {
  list_directory: { path: "src" },
  list_files: { path: "src" },
  read_file: { path: "src/a.ts" },
  read: { file: "src/a.ts" },
  batch_read: { reads: [{ file: "src/a.ts" }, { file: "package.json" }] },
  symbols: { file: "src/a.ts" },
  write_file: { path: "package.json", content: "{}" },
  delete_file: { path: "src", recursive: true },
  move_file: { from: "src", to: ".github" },
  edit_file: { path: "src/a.ts", content: "two\n", description: "d" },
  create_file: { path: ".github/workflows/new.yml", content: "x", description: "d" },
  replace_in_file: { path: "src/a.ts", edits, description: "d" },
  edit_files: {
    changes: [
      { path: "package.json", content: "{}" },
      { path: "src/a.ts", edits },
      { path: ".npmrc", content: "x" },
      { path: "odd (name) [1].txt", content: "x" },
    ],
    description: "d",
  },
  web_fetch: { url: "https://example.com/a?b=c", method: "POST", body: "x" },
  browseWeb: { url: "https://example.com/a" },
  agentBrowserNavigate: { url: "https://example.com/a" },
};

test("for every built-in tool: what is remembered lets the same call through, and is saved once", async () => {
  place = await testWield({
    "src/a.ts": "one\n",
    "package.json": "{ }\n",
    ".npmrc": "",
    "odd (name) [1].txt": "",
  });
  const { wield } = place;
  await wield.call("write_file", { path: "new.txt", content: "for undo" });
  // A store that cannot record that a call starts: everything is prepared and permitted, and nothing runs.
  const store = new Proxy(wield.store, {
    get: (target, name: keyof Store) =>
      name === "recordCall"
        ? () => Promise.reject(new Error("not now"))
        : (target[name] as (...given: unknown[]) => unknown).bind(target),
  });
  const ask: Rule = { decision: "ask" };
  let saved: Rule[] = [];
  const asked: string[] = [];
  const unoffered: string[] = [];
  const runtime = createRuntime({
    ...{ registry: wield.tools.registry, workspace: wield.workspace, store, session: "w_test" },
    policy: () => ({ user: [ask, ...saved], workspace: { rules: [], trusted: false }, session: [] }),
    asker: () => async (asks) =>
      asks.map(({ tool, remember }) => {
        asked.push(tool);
        if (!remember?.scopes.includes("user")) unoffered.push(tool);
        return remember ? { ...yes, remember: { rules: remember.rules, scope: "user" as const } } : yes;
      }),
    remember: async (rules) => {
      saved = rules.reduce(withRule, saved);
    },
    disabled: () => undefined,
    run: async (command) => (await import("../process/run.ts")).runCommand(command),
    emit: () => undefined,
  });
  for (const { name, examples } of wield.tools.registry.list()) {
    const input = inputs[name] ?? examples[0]?.input ?? {};
    const before = asked.length;
    await runtime.call({ tool: name, input });
    if (unoffered.includes(name)) continue;
    const rules = saved;
    const first = asked.slice(before);
    await runtime.call({ tool: name, input });
    expect([name, asked.slice(before)]).toEqual([name, first]);
    expect(saved).toEqual(rules);
  }
  // They can fetch but name no site here, or change files that are judged later: only the tool as a whole could be allowed, which is
  // more than was asked.
  expect(unoffered).toEqual([
    "background_processes",
    "agentBrowserInteract",
    "agentBrowserExtract",
    "agentBrowserClose",
  ]);
  expect(Object.keys(inputs).filter((name) => !asked.includes(name))).toEqual([]);
  expect(asked.length).toBeGreaterThan(45);
  expect(new Set(saved.map((rule) => JSON.stringify(rule))).size).toBe(saved.length);
});
