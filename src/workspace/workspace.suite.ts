import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Failure } from "../failure/failure.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { openWorkspace, type WorkspaceOptions } from "./open-workspace.ts";
import type { Authorship, Workspace } from "./workspace.ts";

/** Files by path; a value that starts with `->` is a symlink, a path that ends with `/` a directory. */
export type Files = Record<string, string>;

/** A folder that goes away after the test, with `ws` in it and `outside` beside it. */
export function makeFolder(files: Files = {}): { folder: string; root: string; stateDir: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "wield-test-")));
  onTestFinished(() => removeFolder(folder));
  const root = join(folder, "ws");
  plant(root, files);
  return { folder, root, stateDir: join(folder, "state") };
}

export function plant(root: string, files: Files): void {
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const at = join(root, path);
    mkdirSync(path.endsWith("/") ? at : dirname(at), { recursive: true });
    if (path.endsWith("/")) continue;
    if (content.startsWith("->")) symlinkSync(content.slice(2), at);
    else writeFileSync(at, content);
  }
}

export async function makeWorkspace(
  files: Files = {},
  journal?: WorkspaceOptions["journal"],
): Promise<{ workspace: Workspace; root: string; folder: string; stateDir: string }> {
  const made = makeFolder(files);
  const workspace = await openWorkspace(made.root, {
    stateDir: made.stateDir,
    ...(journal ? { journal } : {}),
  });
  onTestFinished(() => workspace.close());
  return { workspace, ...made };
}

/** Everything below a folder as text: type, mode, and content or target. */
export function treeOf(root: string, below = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = below === "" ? name : `${below}/${name}`;
    const stats = lstatSync(join(root, path));
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) tree[path] = `link ${readlinkSync(join(root, path))}`;
    else if (stats.isDirectory()) Object.assign(tree, { [path]: `directory ${mode}` }, treeOf(root, path));
    else tree[path] = `file ${mode} ${readFileSync(join(root, path), "latin1")}`;
  }
  return tree;
}

/** Nothing is closed to root, so what must be closed is tried as nobody. */
export function asNobody(): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
}

export const by: Authorship = { callId: "call-1", tool: "test", description: "a test" };

export function bytes(text: string): Buffer {
  return Buffer.from(text);
}

export async function failureOf(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

export function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
