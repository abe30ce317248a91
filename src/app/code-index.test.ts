import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { indexFolder } from "../code/files/workspace-files.ts";
import { SyntaxStore } from "../code/syntax/syntax-store.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { CodeIndex, indexFolderOf } from "./code-index.ts";

test("what was parsed in one folder of a repository is there in the next one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wield-code-index-"));
  const stateDir = join(folder, "state");
  const parsed = join(folder, "shared", "parsed.db");
  const indexIn = async (name: string) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "greet.ts"), "export function greet() {}\n");
    const workspace = await openWorkspace(join(folder, name), { stateDir });
    return { workspace, index: new CodeIndex(workspace, stateDir, { parsed }) };
  };
  const first = await indexIn("first");
  expect((await (await first.index.open()).definitions("greet", undefined)).found).toHaveLength(1);
  first.index.close();
  const second = await indexIn("second");
  await second.index.open();
  // Before anything was asked there.
  const store = new SyntaxStore(indexFolder(indexFolderOf(stateDir, second.workspace.root)));
  expect(store.declaring("greet")).toHaveLength(1);
  store.close();
  second.index.close();
  for (const { workspace } of [first, second]) workspace.close();
  removeFolder(folder);
});
