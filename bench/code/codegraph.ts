// codegraph's `init` on a copy of a tree: it writes into the folder it indexes. Fetched into a scratch folder when wanted.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { time } from "./measuring.ts";

const release = "@colbymchenry/codegraph@1.6.1";

/** The program to start, undefined when it cannot be had here. */
export function fetchCodegraph(folder: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  spawnSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", release], {
    cwd: folder,
    stdio: "ignore",
  });
  const program = join(folder, "node_modules/@colbymchenry/codegraph/npm-shim.js");
  return existsSync(program) ? program : undefined;
}

/** Milliseconds, undefined when it failed. */
export async function codegraphInit(
  program: string,
  tree: string,
  scratch: string,
): Promise<number | undefined> {
  const copy = join(scratch, "codegraph-tree");
  rmSync(copy, { recursive: true, force: true });
  cpSync(tree, copy, { recursive: true });
  let status: number | null = null;
  const took = await time(() => {
    ({ status } = spawnSync(process.execPath, [program, "init", copy], {
      stdio: "ignore",
      env: { ...process.env, HOME: scratch, CI: "1" },
    }));
  });
  return status === 0 ? took : undefined;
}
