import { execFileSync } from "node:child_process";
import { afterEach } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";

const open: TestWield[] = [];

/** Closed after the test that opened it. */
export function closeAfterTest(test: TestWield): void {
  open.push(test);
}

/** For a test file: whatever its tests opened is closed. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const test of open.splice(0)) await test.close();
  });
}

export type Repository = TestWield & { git(...args: string[]): string };

/** A folder with a repository and one commit. */
export async function repository(options: Parameters<typeof testWield>[1] = {}): Promise<Repository> {
  const test = await testWield({ "a.txt": "one\n" }, options);
  open.push(test);
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: test.root, env: test.env, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "--global", "user.name", "Test");
  git("config", "--global", "user.email", "test@example.com");
  git("add", ".");
  git("commit", "--quiet", "--message=first");
  return { ...test, git };
}
