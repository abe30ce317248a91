import { expect, test } from "vitest";
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
