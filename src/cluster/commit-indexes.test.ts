import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { indexFolderOf } from "../app/code-index.ts";
import { createWield, type Wield } from "../app/wield.ts";
import { testRepository } from "./cluster.suite.ts";
import { CommitIndexes } from "./commit-indexes.ts";
import { type Project, Repositories } from "./repositories.ts";

const repository = testRepository();
const env = { HOME: join(repository.folder, "home"), PATH: process.env["PATH"] };
const project: Project = { id: "p", name: "example", url: repository.url, ref: "main" };
const worker = join(repository.folder, "worker");
const repositories = new Repositories(worker, env);
/** Worktrees that were made for an index. */
let made = 0;
const checkOut = repositories.checkOut.bind(repositories);
repositories.checkOut = (of, commit, name) => {
  if (name.startsWith("passing.")) made++;
  return checkOut(of, commit, name);
};
let indexes = new CommitIndexes(worker, repositories);
let base = "";
const open: Wield[] = [];

beforeAll(async () => {
  const work = join(repository.folder, "work");
  writeFileSync(join(work, "greet.ts"), "export function greet() { return 'hello'; }\n");
  writeFileSync(join(work, "use.ts"), 'import { greet } from "./greet.ts";\nexport const used = greet();\n');
  mkdirSync(join(work, "one"));
  writeFileSync(join(work, "one", "inner.ts"), "export function inOne() {}\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: work, stdio: "pipe" });
  git("add", "--all");
  git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "code");
  git("push", "--quiet", repository.url, "main");
  base = await repositories.newest(project);
});
afterEach(async () => {
  for (const wield of open.splice(0)) await wield.close();
});
afterAll(async () => {
  await indexes.close();
  repository.remove();
});

/** A session on a worktree of its own, as a worker opens it. */
async function session(name: string): Promise<Wield> {
  const code = indexes.of(project, base);
  const wield = await createWield({
    ...{ workspace: await repositories.checkOut(project, base, name), env, mode: "auto", durable: false },
    sharedCode: code,
    around: async (opened) => {
      await code.lookAt(opened);
      return opened;
    },
  });
  open.push(wield);
  return wield;
}

const definition = async (wield: Wield, symbol: string) =>
  (await wield.call("find_definition", { symbol } as never)).text;
const suggestions = async (wield: Wield, symbol: string) =>
  (await wield.call("definition", { symbol } as never)).text;

test("the index of a commit is made by the first session that asks, and used by all others and the next worker", async () => {
  const [first, second] = [await session("a-1"), await session("b-1")];
  expect(made).toBe(0);
  const answers = await Promise.all([first, second].map((wield) => definition(wield, "greet")));
  for (const answer of answers) expect(answer).toContain("greet.ts");
  expect(made).toBe(1);
  expect((await first.call("search_code", { query: "hello" } as never)).text).toContain("greet.ts");
  // Neither has words of its own.
  for (const { workspace } of [first, second]) {
    const own = indexFolderOf(join(env.HOME, ".local/state/wield"), workspace.root);
    expect(readdirSync(own).filter((name) => name.startsWith("words"))).toEqual([]);
  }
  await indexes.close();
  indexes = new CommitIndexes(worker, repositories);
  expect(await definition(await session("c-1"), "used")).toContain("use.ts");
  expect(made).toBe(1);
  // The worktree that it was made from is gone.
  await expect
    .poll(() => repositories.worktrees().filter(({ name }) => name.startsWith("passing.")))
    .toEqual([]);
});

test("what one session changes before or after it asks is not found by another", async () => {
  const [first, second] = [await session("a-2"), await session("b-2")];
  const change = async (tool: string, input: object) => {
    const { text, result } = await first.call(tool as "create_file", input as never);
    expect([tool, result.ok, text]).toEqual([tool, true, text]);
  };
  await change("create_file", {
    path: "secret.ts",
    content: "export function onlyInFirst() {}\n",
    description: "d",
  });
  expect(await definition(first, "onlyInFirst")).toContain("secret.ts");
  await change("edit_file", {
    path: "greet.ts",
    content: "export function welcome() {}\n",
    description: "d",
  });
  await change("delete_file", { path: "use.ts" });
  expect(await definition(first, "welcome")).toContain("greet.ts");
  expect(await definition(first, "used")).not.toContain("use.ts");
  for (const name of ["onlyInFirst", "welcome"]) {
    expect(await definition(second, name)).not.toMatch(/secret\.ts|greet\.ts/);
    // Nor is it suggested for a name like it.
    const wrong = `${name.slice(0, 2)}x${name.slice(3)}`;
    expect(await suggestions(first, wrong)).toContain(name);
    expect(await suggestions(second, wrong)).not.toContain(name);
    expect((await second.call("search_code", { query: name } as never)).text).not.toContain(
      `function ${name}`,
    );
  }
  expect(await definition(second, "greet")).toContain("greet.ts");
  expect(await definition(second, "used")).toContain("use.ts");
  // A folder that was moved to another's place has other files, although they are as old.
  const third = await session("c-2");
  renameSync(join(third.workspace.root, "one"), join(third.workspace.root, "two"));
  expect(await definition(third, "inOne")).toContain("two/inner.ts");
  expect(await definition(second, "inOne")).toContain("one/inner.ts");
});

test("what the next commit has in common with the last one is not parsed again", async () => {
  const work = join(repository.folder, "work");
  writeFileSync(join(work, "later.ts"), "export function later() {}\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: work, stdio: "pipe" });
  git("add", "--all");
  git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "later");
  git("push", "--quiet", repository.url, "main");
  const before = base;
  base = await repositories.newest(project);
  const wield = await session("a-4");
  for (const name of ["later", "greet"]) expect(await definition(wield, name)).toContain(`${name}.ts`);
  const [of = ""] = readdirSync(join(worker, "code"));
  // Rows are numbered as they are parsed: those of the files before were copied with their numbers.
  const rows = (commit: string) => {
    using database = new DatabaseSync(join(worker, "code", of, commit, "syntax.db"), { readOnly: true });
    return database.prepare("SELECT id, key FROM syntax ORDER BY id").all();
  };
  await expect.poll(() => rows(base).length).toBe(rows(before).length + 1);
  expect(rows(base).slice(0, -1)).toEqual(rows(before));
  base = before;
});

test("an index that was left half made is made again", async () => {
  await indexes.close();
  indexes = new CommitIndexes(worker, repositories);
  const [of = ""] = readdirSync(join(worker, "code"));
  for (const name of readdirSync(join(worker, "code", of, base)))
    if (name.startsWith("syntax.db")) rmSync(join(worker, "code", of, base, name));
  const before = made;
  expect(await definition(await session("a-3"), "greet")).toContain("greet.ts");
  expect(made).toBe(before + 1);
});
