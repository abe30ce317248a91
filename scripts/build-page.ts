// Builds the browser page into dist/ui, unless it is there already and no source of it is newer.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";

const home = resolve(import.meta.dirname, "..");
const built = join(home, "dist", "ui");
const stamp = ".built";

/** Puts a fresh page into a folder: the one in dist/ where that is still good, else a new one. */
export async function pageInto(folder: string): Promise<void> {
  if (isFresh()) return cpSync(built, folder, { recursive: true, preserveTimestamps: true });
  const { build } = await import("vite");
  const root = join(home, "ui");
  const before = process.env["NODE_ENV"];
  // Tests have a NODE_ENV of their own, with which React would come in its slow form.
  process.env["NODE_ENV"] = "production";
  try {
    const config = { root, configFile: join(root, "vite.config.ts"), logLevel: "warn" as const };
    await build({ ...config, build: { outDir: folder } });
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
  writeFileSync(join(folder, stamp), "");
}

/** For tests, which run the sources: a fresh page in dist/ui. */
export async function ensurePage(): Promise<void> {
  if (isFresh()) return;
  const staging = `${built}.${process.pid}`;
  mkdirSync(join(home, "dist"), { recursive: true });
  await pageInto(staging);
  rmSync(built, { recursive: true, force: true });
  try {
    renameSync(staging, built);
  } catch {
    // Another process was faster; its page is as good.
    rmSync(staging, { recursive: true, force: true });
  }
}

function isFresh(): boolean {
  const made = join(built, stamp);
  if (!existsSync(made)) return false;
  const { mtimeMs } = statSync(made);
  const sources = readdirSync(join(home, "ui"), { recursive: true, encoding: "utf8" }).map((file) =>
    join(home, "ui", file),
  );
  // The page shares the Markdown parser.
  const shared = ["package-lock.json", "src/text/markdown-blocks.ts", "src/text/markdown-spans.ts"];
  return [...sources, ...shared.map((file) => join(home, file))].every(
    (file) => statSync(file).mtimeMs <= mtimeMs,
  );
}
