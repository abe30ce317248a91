import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type PermissionMode, permissionModes } from "../approval/modes.ts";
import type { Rule } from "../approval/rules.ts";
import fc from "../testing/properties.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { defineChangeTool } from "../tool/change-tool.ts";
import { changeDefault } from "../tool/effects.ts";

/** One change of one file, as each way to make it would be told. */
interface Change {
  path: string;
  kind: "create" | "replace" | "delete";
}

interface Way {
  name: string;
  /** Undefined: this way cannot make such a change. */
  make(change: Change, place: TestWield): Promise<unknown> | undefined;
}

const shell = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

/** Every way in which a byte of the workspace can change, with nobody there to ask. */
const ways: readonly Way[] = [
  {
    name: "a file tool",
    make: ({ path, kind }, { wield }) =>
      kind === "delete"
        ? wield.call("delete_file", { path })
        : wield.call("write_file", { path, content: "new\n", createDirs: true }),
  },
  {
    name: "several edits",
    make: ({ path, kind }, { wield }) =>
      // Creating with edit_files asks, by its own default.
      kind === "create"
        ? undefined
        : wield.call("edit_files", {
            changes: [kind === "delete" ? { path, delete: true } : { path, content: "new\n" }],
            description: "d",
          }),
  },
  {
    name: "a run",
    make: ({ path, kind }, { wield }) =>
      wield.call("run_code", {
        language: "bash",
        code:
          kind === "delete"
            ? `rm ${shell(path)}`
            : `mkdir -p "$(dirname ${shell(path)})"; echo new > ${shell(path)}`,
      }),
  },
  {
    name: "the sandbox of the AI SDK",
    make: async ({ path, kind }, { wield }) => {
      const session = await wield.sandboxSession();
      const command =
        kind === "delete"
          ? `rm ${shell(path)}`
          : `mkdir -p "$(dirname ${shell(path)})"; echo new > ${shell(path)}`;
      return session.run({ command });
    },
  },
  { name: "a custom tool", make: (change, { wield }) => wield.callAny("change_it", change) },
  {
    name: "a formatter",
    make: ({ path, kind }, { wield }) =>
      kind === "replace" ? wield.call("format_code", { paths: [path] }) : undefined,
  },
  {
    name: "undo",
    make: async ({ path, kind }, { wield, reopen }) => {
      if (kind === "create") return undefined;
      // What is undone: the file was made, or its content was replaced, with a person's yes.
      const approving = await reopen({ approve: () => ({ approved: true }) });
      const made = kind === "delete" ? "old\n" : "old\n";
      await approving.call("delete_file", { path });
      await approving.call("write_file", {
        path,
        content: kind === "delete" ? made : "new\n",
        createDirs: true,
      });
      if (kind === "replace") await approving.call("write_file", { path, content: "old\n" });
      return wield.call("undo", {});
    },
  },
  {
    name: "held changes",
    make: async ({ path, kind }, { wield, reopen }) => {
      if (kind === "create") return undefined;
      const code = kind === "delete" ? `rm ${shell(path)}` : `echo new > ${shell(path)}`;
      const { result } = await (await reopen()).call("run_code", { language: "bash", code });
      const id = result.ok ? result.value.held?.id : undefined;
      if (id === undefined) throw new Error("nothing was held");
      return wield.call("apply_held_changes", { id });
    },
  },
];

const changeIt = defineChangeTool({
  name: "change_it",
  title: "Change",
  description: "Changes a file.",
  category: "Mine",
  input: z.object({ path: z.string(), kind: z.string() }),
  output: z.object({}),
  approval: (effects) => (effects.some((effect) => changeDefault(effect) === "ask") ? "ask" : "auto"),
  operations: ({ path, kind }) => [
    kind === "delete"
      ? { op: "delete" as const, path }
      : { op: "write" as const, path, bytes: Buffer.from("new\n"), createDirs: true },
  ],
  describe: () => "change",
  value: () => ({}),
});
const formatCommand = ["sh", "-c", 'for file; do echo new > "$file"; done', "format"];

const paths = ["src/a.ts", "b.txt", "package.json", ".envrc", ".github/workflows/ci.yml", "deep/er/c.md"];
const rules: readonly Rule[][] = [
  [],
  [{ decision: "allow", path: "src/**" }],
  [{ decision: "deny", path: "src/**" }],
  [{ decision: "ask", path: "**" }],
  [{ decision: "allow", path: "**" }],
  [{ decision: "allow", path: ".envrc" }],
];

/** Whether the change was made. */
async function made(
  way: Way,
  change: Change,
  mode: PermissionMode,
  policy: readonly Rule[],
): Promise<boolean | undefined> {
  const files = change.kind === "create" ? {} : { [change.path]: "old\n" };
  const place = await testWield({ ...files, "other.txt": "x\n" });
  try {
    const settings = { rules: [...policy], execution: { formatCommand } };
    const wield = await place.reopen({ mode, settings, customTools: [changeIt] });
    const outcome = await way.make(change, { ...place, wield });
    if (outcome === undefined) return undefined;
    const there = readdirSync(place.root, { recursive: true, encoding: "utf8" }).includes(join(change.path));
    if (change.kind === "delete") return !there;
    return there && place.read(change.path) === "new\n";
  } finally {
    await place.close();
  }
}

test("the same change gets the same judgement, whoever makes it", { timeout: 600_000 }, async () => {
  const change = fc.record({
    path: fc.constantFrom(...paths),
    kind: fc.constantFrom<Change["kind"]>("create", "replace", "delete"),
  });
  const circumstances = fc.tuple(change, fc.constantFrom(...permissionModes), fc.constantFrom(...rules));
  await fc.assert(
    fc.asyncProperty(circumstances, async ([one, mode, policy]) => {
      const results = new Map<string, boolean>();
      for (const way of ways) {
        const result = await made(way, one, mode, policy);
        if (result !== undefined) results.set(way.name, result);
      }
      expect(new Set(results.values()).size, JSON.stringify([...results])).toBe(1);
    }),
    { numRuns: 16 },
  );
});
