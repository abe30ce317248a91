import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInThisContext } from "node:vm";
import { allowsPath, escapeGlob, restrictsPath } from "../approval/path-pattern.ts";
import { Failure } from "../failure/failure.ts";
import { drawn, type Target } from "../testing/fuzz-target.suite.ts";
import fc from "../testing/properties.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { testWield } from "../testing/testing.ts";
import { globMatcher, isBoundedGlob } from "../text/glob.ts";
import { parsePatch } from "../tools/files/parse-patch.ts";
import { brokenPatch, contents } from "../tools/files/patches.suite.ts";
import { hostilePath, hostileTree, plantTree } from "../workspace/hostile-paths.suite.ts";
import { plant, treeOf } from "../workspace/workspace.suite.ts";

const secret = "what lies outside 5b1e";
/** Work that takes milliseconds on an idle machine. */
const longestWorkMs = 10_000;

/** A workspace in which all is approved, beside folders that no call may read or change. */
async function besideSecrets() {
  const place = await testWield({}, { approve: () => ({ approved: true }) });
  const folder = dirname(place.root);
  plant(folder, { "outside/secret.txt": secret, "ws-evil/secret.txt": secret, "secret.txt": secret });
  const outside = () =>
    JSON.stringify([
      readdirSync("/"),
      readdirSync(folder),
      readFileSync(join(folder, "secret.txt"), "utf8"),
      ...["outside", "ws-evil"].map((name) => treeOf(join(folder, name))),
    ]);
  const before = outside();
  const call = async (tool: string, input: Record<string, unknown>) => {
    const { result, text } = await place.wield.callAny(tool, input);
    const faults: string[] = [];
    const told = `${tool} ${JSON.stringify(input).slice(0, 2_000)}`;
    if (text.includes(secret)) faults.push(`${told} shows a file from outside`);
    if (outside() !== before) faults.push(`${told} changed something outside`);
    if (!result.ok && result.error.code === "INTERNAL_ERROR") faults.push(`${told}: ${result.error.message}`);
    return { ok: result.ok, faults };
  };
  const empty = () => {
    for (const name of readdirSync(place.root)) removeFolder(join(place.root, name));
  };
  return { ...place, folder, call, empty };
}

export async function paths(): Promise<Target> {
  const { root, folder, call, empty, close } = await besideSecrets();
  const path = hostilePath(folder);
  const one = fc.oneof(
    ...["read_file", "list_directory", "list_files", "tree", "symbols"].map((tool) =>
      fc.record({ tool: fc.constant(tool), input: fc.record({ path }) }),
    ),
    fc.record({
      tool: fc.constant("write_file"),
      input: fc.record({ path, content: fc.constantFrom("", "new"), createDirs: fc.boolean() }),
    }),
    fc.record({
      tool: fc.constant("move_file"),
      input: fc.record({ from: path, to: path, overwrite: fc.boolean() }),
    }),
    fc.record({
      tool: fc.constant("grep"),
      input: fc.record({ path, pattern: fc.constantFrom("lies", "inside") }),
    }),
    fc.record({
      tool: fc.constant("find_files"),
      input: fc.record({ path, pattern: fc.constantFrom("*", "secret*", "../*") }),
    }),
  );
  const scene = fc.record({
    tree: hostileTree(folder),
    calls: fc.array(one, { minLength: 1, maxLength: 6 }),
  });
  return {
    attempt: async (number) => {
      const { tree, calls } = drawn(scene, number);
      empty();
      plantTree(root, tree);
      const faults: string[] = [];
      for (const { tool, input } of calls) faults.push(...(await call(tool, input)).faults);
      return faults;
    },
    close,
  };
}

export async function patches(): Promise<Target> {
  const { root, folder, call, empty, close } = await besideSecrets();
  const scene = fc.record({
    before: contents,
    patch: brokenPatch("f", fc.oneof(fc.constantFrom("f", "g", "d/h", "out/x"), hostilePath(folder))),
  });
  return {
    attempt: async (number) => {
      const { before, patch } = drawn(scene, number);
      const text = before.join("\n");
      const faults = inTimeOrFailing("parsing", () => void parsePatch(patch));
      if (faults.length > 0) return faults;
      empty();
      plant(root, { f: text, out: "->../outside" });
      const known = JSON.stringify(treeOf(root));
      const applied = await call("apply_patch", { patch });
      if (applied.ok) {
        const undone = JSON.stringify(treeOf(root)) === known ? undefined : await call("undo", {});
        faults.push(...(undone?.faults ?? []));
      }
      if (JSON.stringify(treeOf(root)) !== known)
        faults.push(`${applied.ok ? "undo left" : "a patch that failed left"} other files behind`);
      return [...applied.faults, ...faults].map(
        (what) => `${what}\n${JSON.stringify(patch).slice(0, 2_000)}`,
      );
    },
    close,
  };
}

const globPart = fc.constantFrom(
  ...[
    "*",
    "**",
    "**/",
    "?",
    "[a-z]",
    "[!a]",
    "[",
    "]",
    "{a,b}",
    "{",
    "}",
    ",",
    "!",
    "!(a)",
    "@(a|b)",
    "+(a)",
    "*(a)",
  ],
  ...[
    "(",
    "|",
    ")",
    "\\",
    "/",
    "a",
    "b",
    "ab",
    "aa",
    ".",
    ".env",
    "\n",
    "\u2028",
    "é",
    "e\u0301",
    "{1..9}",
    "[[:alpha:]]",
  ],
);
const glob = fc.array(globPart, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
const pathName = fc.oneof(
  fc.array(
    fc.constantFrom("a", "b", ".env", "A", "\n", "\u2028", "é", "(", ")", "[", "]", "{", "*", "\\", "!"),
    { minLength: 1, maxLength: 6 },
  ),
  fc.nat(250).map((times) => ["x", ..."a".repeat(times)]),
);
const plainPath = fc
  .array(
    pathName.map((parts) => parts.join("")),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) => all.join("/"));

export async function globs(): Promise<Target> {
  const scene = fc.record({ pattern: glob, files: fc.array(plainPath, { minLength: 2, maxLength: 6 }) });
  return {
    attempt: async (number) => {
      const { pattern, files } = drawn(scene, number);
      const told = `${JSON.stringify(pattern)} on ${JSON.stringify(files).slice(0, 2_000)}`;
      const wrong: string[] = [];
      const late = inTimeOrFailing(`matching ${told}`, () => {
        if (isBoundedGlob(pattern)) {
          const [allows, restricts] = [allowsPath(pattern), restrictsPath(pattern)];
          files.map(globMatcher(pattern, { anyCase: true }));
          const wide = files.filter((file) => allows(file) && !restricts(file));
          if (wide.length > 0 && !pattern.startsWith("!"))
            wrong.push(`allowed, but not restricted by ${told}`);
        }
        const [first = "", ...others] = files;
        const isFirst = allowsPath(escapeGlob(first));
        if (!isFirst(first)) wrong.push(`${JSON.stringify(first)} does not match its own pattern`);
        if (others.some((other) => other !== first && isFirst(other)))
          wrong.push(`the pattern of ${JSON.stringify(first)} matches another of ${told}`);
      });
      return [...late, ...wrong];
    },
    close: async () => undefined,
  };
}

/** A `Failure` is an answer. A script with a limit is the one way to end a regular expression that never would. */
function inTimeOrFailing(what: string, work: () => void): string[] {
  const scope = globalThis as { fuzzedWork?: () => void };
  scope.fuzzedWork = work;
  try {
    runInThisContext("fuzzedWork()", { timeout: longestWorkMs });
    return [];
  } catch (error) {
    return error instanceof Failure
      ? []
      : [`${what}: ${error instanceof Error ? (error.stack ?? error.message) : error}`];
  } finally {
    delete scope.fuzzedWork;
  }
}
