import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { type TestWield, testWield, yes } from "../testing/testing.ts";
import { exploreTools } from "./explore/explore.ts";
import { expectGolden, type GoldenCall } from "./golden.suite.ts";
import { webTools } from "./web/web.ts";

/** Golden in explore/golden.test.ts and golden-services.test.ts, which has what these need: pages, registries, an agent. */
const elsewhere = new Set([
  ...Object.keys(exploreTools).filter((name) => name !== "rename_symbol"),
  ...["read_file", "list_directory", "list_files"],
  ...Object.keys(webTools),
  ...["read_research", "install_package", "explore", "task", "ask_person"],
]);

type Place = TestWield & { git(...args: string[]): void };
interface Golden {
  prepare?: (place: Place) => unknown;
  /** A call that has nothing to do or fails, a usual one, and one that does very much. */
  calls: [Input, Input, Input] | ((place: Place) => Promise<[Input, Input, Input]>);
}
/** As a function it changes something before the call. */
type Input = object | ((place: Place) => Promise<object> | object);

const code = "export function total(items: number[]) {\n\treturn items.length;\n}\n";
const long = Array.from({ length: 400 }, (_, i) => `export const value${i} = ${i};`).join("\n");
const many = Array.from({ length: 60 }, (_, i) => `src/f${String(i).padStart(2, "0")}.ts`);
const description = "count better";
const edit = { oldText: "    return items.length;", newText: "    return items.length + 1;" };
const wrong = { oldText: "\treturn item.lenght;", newText: "x" };
const modules = resolve(import.meta.dirname, "../../node_modules");
const wordy = "A document about sales.\n".repeat(400);

const goldens: Record<string, Golden> = {
  run_tests: {
    prepare: ({ write }) => {
      write("package.json", '{"type":"module","scripts":{"test":"node --test"}}');
      write(".node-version", process.version);
      const head = 'import assert from "node:assert"; import { test } from "node:test";\n';
      write("good.test.js", `${head}test("adds", () => assert.equal(1 + 1, 2));\n`);
      const bad = Array.from(
        { length: 40 },
        (_, n) => `test("adds ${n} wrongly", () => assert.equal(${n} + 1, ${n}));`,
      );
      write("bad.test.js", `${head}${bad.join("\n")}\n`);
    },
    calls: [{ path: "good.test.js", filter: "none" }, { path: "good.test.js" }, { path: "." }],
  },
  format_code: {
    prepare: ({ write, root }) => {
      write("biome.json", "{}\n");
      write("fine.ts", "const fine = 1;\n");
      write("odd.ts", "const  odd = 1");
      mkdirSync(join(root, "node_modules"));
      cpSync(join(modules, "@biomejs"), join(root, "node_modules/@biomejs"), { recursive: true });
    },
    calls: [{ paths: ["fine.ts"], check: true }, { paths: ["odd.ts"] }, { check: true }],
  },
  executeCode: {
    calls: [
      { code: "raise SystemExit('no data')" },
      { code: "print(6 * 7)" },
      {
        code: "for n in range(3000): print('line', n)\nopen('table.csv', 'w').write('a,b')",
      },
    ],
  },
  requestSuggestions: {
    calls: async ({ wield }) => [
      { id: "d_none" },
      { id: await documentId(wield, "teh end") },
      { id: await documentId(wield, "teh end\n".repeat(30)) },
    ],
  },
  write_file: {
    calls: [
      { path: "no/such/a.ts", content: "" },
      { path: "new.ts", content: code },
      { path: "long.ts", content: long },
    ],
  },
  create_file: {
    calls: [
      { path: "src/a.ts", content: "", description },
      { path: "new.ts", content: code, description },
      { path: "long2.ts", content: long, description },
    ],
  },
  edit_file: {
    calls: [
      { path: "src/a.ts", content: code, description },
      { path: "src/a.ts", content: code.replace("length", "size"), description },
      { path: "long.ts", content: long.replaceAll("export ", ""), description },
    ],
  },
  replace_in_file: {
    calls: [
      { path: "src/a.ts", edits: [wrong], description },
      { path: "src/a.ts", edits: [edit], description },
      {
        path: "long.ts",
        edits: [{ oldText: "export const", newText: "const", expectedCount: 400 }],
        description,
      },
    ],
  },
  edit_files: {
    calls: [
      { changes: [{ path: "src/a.ts", edits: [wrong] }], description },
      {
        changes: [
          { path: "src/a.ts", edits: [edit] },
          { from: "b.txt", to: "docs/b.txt" },
        ],
        description,
      },
      { changes: many.map((path) => ({ path, content: "export const changed = true;\n" })), description },
    ],
  },
  apply_patch: {
    calls: [
      { patch: "*** Begin Patch\n*** Update File: src/a.ts\n-\treturn item.lenght;\n+x\n*** End Patch" },
      {
        patch:
          "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -2 +2 @@\n-\treturn items.length;\n+\treturn items.length + 1;\n",
      },
      { patch: many.map((path) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`).join("") },
    ],
  },
  edit_notebook: {
    calls: [
      { path: "n.ipynb", cell: 9, source: "x" },
      { path: "n.ipynb", cell: 0, source: "print(2)" },
      { path: "n.ipynb", action: "insert", cell: 0, source: `${"print(1)\n".repeat(80)}` },
    ],
  },
  delete_file: { calls: [{ path: "none.ts" }, { path: "b.txt" }, { path: "src", recursive: true }] },
  move_file: {
    calls: [
      { from: "none.ts", to: "x.ts" },
      { from: "b.txt", to: "docs/b.txt" },
      { from: "src", to: "source" },
    ],
  },
  rename_symbol: {
    calls: [
      { symbol: "totl", to: "sum" },
      { symbol: "total", to: "sum" },
      { symbol: "value1", to: "first" },
    ],
  },
  undo: {
    prepare: async ({ wield }) => {
      await wield.call("edit_files", {
        changes: many.map((path) => ({ path, content: "1\n" })),
        description,
      });
      await wield.call("write_file", { path: "b.txt", content: "1\n" });
    },
    calls: [{ changeId: "none" }, {}, {}],
  },
  redo: {
    prepare: async ({ wield }) => {
      await wield.call("write_file", { path: "b.txt", content: "1\n" });
      await wield.call("edit_files", {
        changes: many.map((path) => ({ path, content: "1\n" })),
        description,
      });
      await wield.call("undo", { steps: 2 });
    },
    calls: [{ changeId: "none" }, {}, {}],
  },
  git_status: {
    calls: [
      {},
      (place) => {
        history(place);
        place.write("b.txt", "changed\n");
        place.write("new.txt", "n\n");
        place.git("mv", "long.ts", "longer.ts");
        return {};
      },
      (place) => {
        for (const path of many) place.write(path, "changed\n");
        return {};
      },
    ],
  },
  git_diff: {
    prepare: (place) => {
      place.write("b.txt", "changed\n");
      for (const path of many) place.write(path, long);
    },
    calls: [{ path: "long.ts" }, { path: "b.txt" }, {}],
  },
  git_log: { prepare: history, calls: [{ path: "none.ts" }, { limit: 3 }, { limit: 500 }] },
  git_show: {
    prepare: history,
    calls: [{ revision: "none" }, {}, { revision: "HEAD~40" }],
  },
  git_blame: {
    prepare: history,
    calls: [{ path: "none.ts" }, { path: "b.txt" }, { path: "long.ts" }],
  },
  git_branch: {
    prepare: (place) => {
      for (let n = 0; n < 50; n++) place.git("branch", `topic-${n}`);
    },
    calls: [{ action: "switch", name: "none" }, { action: "create", name: "fix" }, {}],
  },
  git_stash: {
    calls: [
      { action: "pop" },
      (place) => {
        place.write("b.txt", "changed\n");
        return { action: "push", message: "half" };
      },
      (place) => {
        for (const path of many) place.write(path, "changed\n");
        return { action: "push" };
      },
    ],
  },
  git_restore: {
    prepare: (place) => {
      place.write("b.txt", "changed\n");
      for (const path of many) place.write(path, "changed\n");
    },
    calls: [{ paths: ["long.ts"] }, { paths: ["b.txt"] }, { paths: ["src"] }],
  },
  git_worktree: {
    calls: [{ action: "remove", path: "none" }, { action: "add", path: "trees/fix", branch: "fix" }, {}],
  },
  git_commit: {
    prepare: (place) => {
      history(place);
      place.write("b.txt", "more\n");
      for (const path of many) place.write(path, "changed\n");
    },
    calls: [
      { message: "fix: nothing", paths: ["long.ts"] },
      { message: "fix: b", paths: ["b.txt"] },
      { message: "Changed it all", paths: ["src"] },
    ],
  },
  git_push: {
    calls: [
      {},
      async (place) => {
        place.git("init", "--quiet", "--bare", "../remote.git");
        place.git("remote", "add", "origin", "../remote.git");
        return { setUpstream: true };
      },
      { branch: "none" },
    ],
  },
  pull_request: {
    calls: [
      {},
      (place) => {
        place.git("remote", "add", "origin", "https://git.example.com/owner/name.git");
        return { action: "create", title: "Count better" };
      },
      (place) => {
        place.git("remote", "set-url", "origin", "https://github.com/owner/name.git");
        return { action: "create", title: "Count better" };
      },
    ],
  },
  createDocument: {
    calls: [
      { title: "Sales", kind: "text", content: "" },
      { title: "Sales", kind: "text", content: "Good.\n" },
      { title: "Sales", kind: "text", content: wordy },
    ],
  },
  readDocument: {
    calls: async ({ wield }) => [
      { id: "d_0000000000" },
      { id: await documentId(wield, "Good.\n") },
      { id: await documentId(wield, wordy) },
    ],
  },
  updateDocument: {
    calls: async ({ wield }) => {
      const id = await documentId(wield, "Good.\n");
      return [
        { id, edits: [{ oldText: "Bad", newText: "x" }] },
        { id, edits: [{ oldText: "Good", newText: "Better" }] },
        { id, content: wordy },
      ];
    },
  },
  listDocuments: {
    prepare: async ({ wield }) => {
      for (let n = 0; n < 40; n++) await documentId(wield, `${n}`);
    },
    calls: [{ cursor: "x" }, {}, {}],
  },
  searchDocuments: {
    prepare: async ({ wield }) => {
      for (let n = 0; n < 40; n++) await documentId(wield, n === 7 ? "seven" : wordy);
    },
    calls: [{ query: "zebra" }, { query: "seven" }, { query: "sales" }],
  },
  createPlan: {
    calls: [
      { title: "Fix", steps: [] },
      { title: "Fix", steps: ["Read", "Edit", "Test"] },
      { title: "Fix", steps: many.slice(0, 50) },
    ],
  },
  updatePlan: {
    prepare: ({ wield }) => wield.call("createPlan", { title: "Fix", steps: ["Read", "Edit"] }),
    calls: [
      { stepId: "9", status: "done" },
      { stepId: "1", status: "done" },
      { add: { text: "Check every caller. ".repeat(20) } },
    ],
  },
  readPlan: {
    calls: [
      {},
      async ({ wield }) => {
        await wield.call("createPlan", { title: "Fix", steps: ["Read", "Edit"] });
        return {};
      },
      async ({ wield }) => {
        await wield.call("createPlan", { title: "Fix", steps: many.slice(0, 50) });
        return {};
      },
    ],
  },
  searchSkills: { calls: [{ query: "zebra" }, { query: "browser" }, { query: "explore code" }] },
  readSkill: { calls: [{ name: "zebra" }, { name: "agent-browser" }, { name: "explore-codebase" }] },
  searchTools: { calls: [{ query: "zebra" }, { query: "branch" }, { query: "git", limit: 20 }] },
  read_result: {
    calls: async ({ wield }) => {
      const { id } = await wield.call("read_file", { path: "long.ts" });
      return [{ id: "c_none" }, { id, startLine: 3, numLines: 2 }, { id }];
    },
  },
  run_code: {
    calls: [
      { language: "bash", code: "exit 3" },
      { language: "bash", code: "echo hello; echo new > new.txt" },
      { language: "bash", code: "seq 1 5000" },
    ],
  },
  background_processes: {
    calls: async ({ wield }) => {
      const begin = async (code: string) => {
        const { result } = await wield.call("run_code", { language: "bash", code, background: true });
        return result.ok ? (result.value.process ?? "none") : "none";
      };
      const [server, printer] = [await begin("echo ready; exec sleep 600"), await begin("seq 1 20000")];
      await vi.waitFor(
        () => expect(wield.processes.list().find(({ id }) => id === printer)?.state).toBe("ended"),
        60_000,
      );
      return [{ id: "p_none" }, { id: server }, { id: printer }];
    },
  },
  apply_held_changes: {
    calls: async ({ reopen }) => {
      // With nobody to ask, changes of existing files are held.
      const alone = await reopen();
      const held = async (command: string) => {
        const { result } = await alone.call("run_code", { language: "bash", code: command });
        return result.ok ? (result.value.held?.id ?? "none") : "none";
      };
      return [
        { id: "h_none" },
        { id: await held("echo changed > b.txt") },
        { id: await held("for f in src/*.ts; do echo changed > $f; done") },
      ];
    },
  },
};

const open: TestWield[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

test("every tool has its golden texts, here or elsewhere", async () => {
  const names = (await project()).wield.tools.list().map(({ name }) => name);
  expect(names.filter((name) => !(name in goldens) && !elsewhere.has(name))).toEqual([]);
});

/** To accept a change: `npx vitest run src/tools/golden.test.ts -u`, and read the diff as a model would. */
test.each(Object.entries(goldens))(
  "%s: nothing, a usual answer, very much",
  async (tool, { prepare, calls }) => {
    const place = await project();
    await prepare?.(place);
    const inputs = typeof calls === "function" ? await calls(place) : calls;
    const texts: GoldenCall[] = [];
    for (const given of inputs) {
      const input = typeof given === "function" ? await given(place) : given;
      const { text } = await place.wield.callAny(tool, input);
      texts.push({ input, text });
    }
    await expectGolden(tool, texts);
  },
);

async function project(): Promise<Place> {
  const cells = [
    { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: ["print(1)"] },
  ];
  const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }, null, 1);
  const files = { "src/a.ts": code, "b.txt": "b\n", "long.ts": long, "n.ipynb": `${notebook}\n` };
  const place = await testWield(
    { ...files, ...Object.fromEntries(many.map((path) => [path, "x\n"])) },
    {
      approve: () => yes,
      suggest: async ({ content }) =>
        content
          .trim()
          .split("\n")
          .map(() => ({ original: "teh", suggested: "the", reason: "spelling" })),
    },
  );
  open.push(place);
  const git = (...args: string[]) => {
    execFileSync("git", args, { cwd: place.root, env: place.env });
  };
  git("init", "--quiet", "--initial-branch=main");
  git("config", "--global", "user.name", "Test");
  git("config", "--global", "user.email", "test@example.com");
  git("add", ".");
  git("commit", "--quiet", "--message=feat: begin");
  return { ...place, git };
}

function history(place: Place): void {
  for (let n = 0; n < 40; n++) {
    place.write("b.txt", Array.from({ length: n + 1 }, (_, i) => `line ${i}\n`).join(""));
    place.git("commit", "--quiet", "--all", `--message=fix: step ${n}\n\nbecause ${n}`);
  }
}

async function documentId(wield: TestWield["wield"], content: string): Promise<string> {
  const { result } = await wield.call("createDocument", { title: "Sales", kind: "text", content });
  return result.ok ? result.value.id : "";
}
