import type { Workspace } from "../../workspace/workspace.ts";
import { inside } from "./project-files.ts";

/** What Node itself takes for tests when it is given no files. */
const isTest = (path: string) =>
  /(?:^|\/)(?:test|test-[^/]*|[^/]*[._-]test)\.[cm]?[jt]s$|(?:^|\/)test\/.*\.[cm]?[jt]s$/.test(path);

/** The tests below a directory: since version 21 Node fails when it is given a directory itself. */
export async function nodeTestFiles(
  workspace: Workspace,
  directory: string,
  path: string,
): Promise<string[]> {
  const found: string[] = [];
  const above = directory === "." ? 0 : directory.length + 1;
  for await (const entry of workspace.walk({ under: inside(directory, path) }))
    if (entry.type === "file" && isTest(entry.path)) found.push(entry.path.slice(above));
  return found;
}
