import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { removeFolder } from "../../testing/remove-folder.ts";
import { closeAfterEach, type Repository, repository } from "./repository.suite.ts";

closeAfterEach();

const source = (name: string) =>
  `def ${name}(request):\n    user = request.user\n    login(user)\n    return user\n`;

async function firstFile({ wield }: Repository, query: string): Promise<string | undefined> {
  const { result } = await wield.call("search_code", { query });
  if (!result.ok) throw new Error(result.error.message);
  return (result.value as { chunks: { file: string }[] }).chunks[0]?.file;
}

async function withTwoFiles(): Promise<Repository> {
  const test = await repository();
  await test.wield.call("write_file", { path: "first.py", content: source("begin") });
  await test.wield.call("write_file", { path: "other.py", content: source("proceed") });
  test.git("add", "first.py");
  test.git("commit", "--quiet", "--message=Added a file");
  test.git("add", "other.py");
  test.git("commit", "--quiet", "--message=Users stay signed in after a restart");
  return test;
}

test("a search prefers the file that was changed for what the question says", async () => {
  const test = await withTwoFiles();
  expect(await firstFile(test, "user is not signed in after restart")).toBe("other.py");
});

test("a repository whose settings could run programs is searched without its history", async () => {
  const test = await withTwoFiles();
  test.git("config", "core.fsmonitor", "touch ran");
  expect(await firstFile(test, "user is not signed in after restart")).toBe("first.py");
});

test("a git that waits for ever ends with Wield", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wield-history-"));
  const [home, root] = [join(folder, "home"), join(folder, "workspace")];
  for (const one of [home, root]) mkdirSync(one);
  writeFileSync(join(root, "a.ts"), "export const rocket = 1;\n");
  const person = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-q", "-m", "Rocket"],
  ])
    execFileSync("git", [...person, ...args], { cwd: root });
  execFileSync("mkfifo", [join(root, ".git", "shallow")]);
  const program = fileURLToPath(import.meta.resolve("../../cli/wield.ts"));
  const args = [program, "call", "search_code", '{"query":"rocket"}', "--workspace", root];
  // It would never end; the time limit of the test is the judge.
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, HOME: home },
  });
  expect(stdout).toContain("a.ts");
  removeFolder(folder);
});
