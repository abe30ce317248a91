import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";

/** Every tool with every kind of bad input: the right code, a sentence that helps, the right exit code, nothing lost. */

let place: TestWield;
beforeAll(async () => {
  place = await testWield({
    "text.txt": "one\ntwo\n",
    "binary.bin": Buffer.from([0, 1, 2, 255]),
    "dir/inside.txt": "inside\n",
    "locked/file.txt": "locked\n",
  });
  symlinkSync("/etc", join(place.root, "outward"));
});
afterAll(() => place.close());

const wield = (args: string[], input?: string) => runCli(place, args, input);

async function callJson(
  tool: string,
  input: unknown,
): Promise<{ code: number; error: { code: string; message: string } }> {
  const { code, out } = await wield(["call", tool, JSON.stringify(input), "--json", "--yes"]);
  return { code, error: JSON.parse(out).error };
}

function snapshot(): string {
  return readdirSync(place.root, { recursive: true, encoding: "utf8" })
    .sort()
    .filter((path) => !path.startsWith("outward"))
    .map((path) => {
      const file = join(place.root, path);
      return `${path} ${statSync(file).isFile() ? readFileSync(file, "base64") : ""}`;
    })
    .join("\n");
}

/** A valid input for each tool, in which one field is then made bad. */
const edits = [{ oldText: "one", newText: "1" }];
const valid: Record<string, Record<string, unknown>> = {
  list_directory: { path: "dir" },
  list_files: { path: "dir" },
  read_file: { path: "text.txt" },
  write_file: { path: "text.txt", content: "x" },
  delete_file: { path: "text.txt" },
  move_file: { from: "text.txt", to: "moved.txt" },
  search_files: { pattern: "one", path: "dir" },
  find_files: { pattern: "*.txt", path: "dir" },
  find_definition: { symbol: "one" },
  find_importers: { modulePath: "text.txt" },
  search_code: { query: "one", path: "dir" },
  tree: { path: "dir" },
  symbols: { file: "text.txt" },
  definition: { symbol: "one" },
  references: { symbol: "one", path: "dir" },
  graph: { operation: "callers", target: "one" },
  search_types: { pattern: "One*" },
  rename_symbol: { symbol: "one", to: "two" },
  grep: { pattern: "one", path: "dir" },
  glob: { pattern: "*.txt", path: "dir" },
  read: { file: "text.txt" },
  batch_read: { reads: [{ file: "text.txt" }] },
  edit_file: { path: "text.txt", content: "x" },
  create_file: { path: "new.txt", content: "x" },
  replace_in_file: { path: "text.txt", edits },
  edit_files: { changes: [{ path: "text.txt", edits }] },
  apply_patch: { patch: "--- a/text.txt\n+++ b/text.txt\n@@ -1 +1 @@\n-one\n+two\n" },
  edit_notebook: { path: "text.ipynb", cell: 0 },
  undo: { changeId: "none" },
  redo: { changeId: "none" },
  git_status: {},
  git_diff: { path: "dir" },
  git_log: { limit: 3 },
  git_commit: { message: "m", paths: ["text.txt"] },
  git_push: { remote: "origin" },
  git_show: { revision: "HEAD" },
  git_blame: { path: "text.txt" },
  git_branch: { name: "main" },
  git_stash: { index: 0 },
  git_restore: { paths: ["text.txt"] },
  git_worktree: { branch: "main" },
  pull_request: { remote: "origin" },
  createDocument: { title: "t", kind: "text", content: "c" },
  updateDocument: { id: "none", content: "c" },
  readDocument: { id: "none" },
  listDocuments: {},
  searchDocuments: { query: "words" },
  requestSuggestions: { id: "none" },
  createPlan: { title: "t", steps: ["one"] },
  updatePlan: { stepId: "1", status: "done" },
  readPlan: {},
  readSkill: { name: "agent-browser" },
  searchSkills: { query: "words" },
  searchTools: { query: "words" },
  run_code: { language: "bash", code: "true" },
  background_processes: {},
  apply_held_changes: { id: "none" },
  run_tests: {},
  format_code: {},
  install_package: { manager: "npm", packages: ["zod"] },
  executeCode: { code: "print(1)" },
  read_result: { id: "none" },
  web_fetch: { url: "http://127.0.0.1/" },
  web_search: { query: "x" },
  browseWeb: { url: "http://127.0.0.1/" },
  agentBrowserNavigate: { url: "http://127.0.0.1/" },
  agentBrowserInteract: { action: "click", ref: "@e1" },
  agentBrowserExtract: {},
  agentBrowserClose: {},
  getWeather: { city: "x" },
};
const pathField: Record<string, string> = { move_file: "from", symbols: "file", read: "file" };
const onPaths = [
  "list_directory",
  "list_files",
  "read_file",
  "write_file",
  "delete_file",
  "move_file",
  "search_files",
  "find_files",
  "search_code",
  "tree",
  "symbols",
  "references",
  "grep",
  "glob",
  "read",
  "edit_file",
  "create_file",
  "replace_in_file",
];
const withPath = (tool: string, path: string) => ({ ...valid[tool], [pathField[tool] ?? "path"]: path });

test("the table names every built-in tool", () => {
  expect(Object.keys(valid).sort()).toEqual(
    place.wield.tools
      .list()
      .map((tool) => tool.name)
      .sort(),
  );
});

describe.each(Object.keys(valid))("%s", (tool) => {
  test("wrong JSON", async () => {
    const { code, err } = await wield(["call", tool, "{path: 1"]);
    expect(code).toBe(2);
    expect(err).toContain("not valid JSON");
  });

  test("not an object", async () => {
    expect((await wield(["call", tool, "[1]"])).code).toBe(2);
  });

  const required = Object.keys(valid[tool] ?? {}).filter(
    (field) =>
      ![
        ...["git_status", "git_diff", "git_log", "git_push", "git_show", "git_branch", "git_stash"],
        ...["git_worktree", "pull_request", "undo", "redo"],
      ].includes(tool) &&
      !(
        field === "path" &&
        [
          "list_directory",
          "list_files",
          "search_files",
          "find_files",
          "search_code",
          "tree",
          "references",
          "grep",
          "glob",
        ].includes(tool)
      ),
  );
  test.runIf(required.length > 0)("missing field", async () => {
    for (const field of required) {
      const { [field]: _, ...rest } = valid[tool] ?? {};
      const { code, error } = await callJson(tool, rest);
      if (tool === "git_commit" && field === "paths") continue;
      expect([field, code, error.code]).toEqual([field, 2, "INVALID_INPUT"]);
      expect(error.message).toContain(field);
    }
  });

  const fields = Object.keys(valid[tool] ?? {});
  test.runIf(fields.length > 0)("wrong type", async () => {
    for (const field of fields) {
      const { code, error } = await callJson(tool, { ...valid[tool], [field]: { not: "this" } });
      expect([field, code, error.code]).toEqual([field, 2, "INVALID_INPUT"]);
    }
  });
});

describe.each(onPaths)("%s refuses the path", (tool) => {
  test.each([
    ["absolute", "/etc/passwd", "INVALID_PATH"],
    ["leaving the root", "../outside.txt", "INVALID_PATH"],
    ["a link that leads out", "outward/passwd", "INVALID_PATH"],
    ["a name with a newline", "a\nb.txt", "INVALID_PATH"],
    ["a NUL", "a\0b", "INVALID_PATH"],
    ["a huge one", "x/".repeat(5000), "INVALID_PATH"],
  ])("%s", async (_name, path, expected) => {
    const before = snapshot();
    const { code, error } = await callJson(tool, withPath(tool, path));
    expect([code, error.code]).toEqual([1, expected]);
    expect(error.message.length).toBeGreaterThan(30);
    expect(error.message.length).toBeLessThan(1000);
    expect(snapshot()).toBe(before);
  });

  test.skipIf(tool === "write_file" || tool === "create_file")("missing file", async () => {
    const { code, error } = await callJson(tool, withPath(tool, "text.tx"));
    expect([code, error.code]).toEqual([1, "FILE_NOT_FOUND"]);
    expect(error.message).toContain("text.txt");
  });

  test.runIf(["read_file", "write_file", "edit_file", "create_file", "replace_in_file"].includes(tool))(
    "a directory instead of a file",
    async () => {
      const { code, error } = await callJson(tool, withPath(tool, "dir"));
      expect(code).toBe(1);
      expect(["INVALID_PATH", "CONFLICT"]).toContain(error.code);
      expect(error.message).toContain("directory");
    },
  );

  test.runIf(["list_directory", "list_files"].includes(tool))("a file instead of a directory", async () => {
    const { code, error } = await callJson(tool, withPath(tool, "text.txt"));
    expect([code, error.code]).toEqual([1, "INVALID_PATH"]);
  });
});

test("binary content asked for as text is NOT_TEXT and names base64", async () => {
  const { code, error } = await callJson("read_file", { path: "binary.bin" });
  expect([code, error.code]).toEqual([1, "NOT_TEXT"]);
  expect(error.message).toContain("base64");
});

test("content that is not base64 is refused", async () => {
  const { error } = await callJson("write_file", {
    path: "x.bin",
    content: "not base64!",
    encoding: "base64",
  });
  expect(error.code).toBe("INVALID_INPUT");
});

test("a huge input is taken, or refused clearly, and nothing is lost", async () => {
  const content = "x".repeat(20_000_000);
  const before = snapshot();
  const { code } = await wield(
    ["call", "write_file", "-", "--json"],
    JSON.stringify({ path: "huge.txt", content }),
  );
  expect(code).toBe(0);
  expect(statSync(join(place.root, "huge.txt")).size).toBe(content.length);
  const undone = await wield(["undo", "--yes"]);
  expect(undone.code).toBe(0);
  expect(snapshot()).toBe(before);
});

test("a pattern that is no regular expression is INVALID_INPUT in ripgrep's words", async () => {
  const { error } = await callJson("search_files", { pattern: "(" });
  expect(error.code).toBe("INVALID_INPUT");
  expect(error.message).toContain("unclosed group");
});

describe.skipIf(process.getuid?.() !== 0)("no permission", () => {
  const nobody = 65534;
  beforeAll(() => {
    const everything = [
      place.env["HOME"] ?? "",
      ...readdirSync(place.env["HOME"] ?? "", { recursive: true, encoding: "utf8" }).map((p) =>
        join(place.env["HOME"] ?? "", p),
      ),
    ];
    for (const path of everything) if (!path.includes("outward")) chownSync(path, nobody, nobody);
    mkdirSync(join(place.root, "locked"), { recursive: true });
    chownSync(join(place.root, "locked"), 0, 0);
    chmodSync(join(place.root, "locked"), 0o700);
  });

  test.each([
    "read_file",
    "edit_file",
    "delete_file",
    "move_file",
    "replace_in_file",
    "write_file",
    "create_file",
  ])("%s", async (tool) => {
    process.seteuid?.(nobody);
    try {
      const { code, error } = await callJson(tool, withPath(tool, "locked/file.txt"));
      expect([code, error.code]).toEqual([1, "PERMISSION_DENIED"]);
      expect(error.message).toContain("locked");
    } finally {
      process.seteuid?.(0);
    }
  });
});
