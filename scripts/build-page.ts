// Builds the browser page into dist/ui, unless it is there already and no source of it is newer.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Rolldown } from "vite";
import { packageFolder } from "./notices.ts";

const home = resolve(import.meta.dirname, "..");
const built = join(home, "dist", "ui");
/** Says when the page was built, and from which packages. */
const stamp = ".built";

/**
 * Puts a fresh page into a folder: the one in dist/ where that is still good, else a new one. Returns a file of each
 * package that it contains code or fonts of.
 */
export async function pageInto(folder: string): Promise<string[]> {
  if (isFresh()) cpSync(built, folder, { recursive: true, preserveTimestamps: true });
  else writeFileSync(join(folder, stamp), `${(await buildInto(folder)).join("\n")}\n`);
  const packages = readFileSync(join(folder, stamp), "utf8").trim().split("\n");
  return packages.map((name) => join(home, name, "package.json"));
}

/** Returns the folders of the packages in it, below the checkout. */
async function buildInto(folder: string): Promise<string[]> {
  const { build } = await import("vite");
  const root = join(home, "ui");
  const before = process.env["NODE_ENV"];
  // Tests set another NODE_ENV, with which React would use its slow development build.
  process.env["NODE_ENV"] = "production";
  try {
    const config = { root, configFile: join(root, "vite.config.ts"), logLevel: "warn" as const };
    const results = [await build({ ...config, build: { outDir: folder } })].flat();
    const files = results.flatMap((result) => ("output" in result ? result.output.flatMap(sourcesOf) : []));
    const packages = files.flatMap((file) => packageFolder(resolve(root, file)) ?? []);
    return [...new Set(packages)].map((folder) => relative(home, folder)).sort();
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}

/** The files that a part of the page was made from. */
function sourcesOf(part: Rolldown.OutputChunk | Rolldown.OutputAsset): readonly string[] {
  return part.type === "chunk" ? part.moduleIds : part.originalFileNames;
}

/** For tests, which run the sources: a fresh page in dist/ui, built by one process while the others wait for it. */
export async function ensurePage(): Promise<void> {
  mkdirSync(join(home, "dist"), { recursive: true });
  while (!isFresh()) {
    if (!isFirst()) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    const staging = `${built}.${process.pid}`;
    const old = `${staging}.old`;
    try {
      await pageInto(staging);
      // A page that is being served is never half removed.
      if (existsSync(built)) renameSync(built, old);
      renameSync(staging, built);
    } finally {
      for (const folder of [staging, old]) rmSync(folder, { recursive: true, force: true });
      rmSync(building, { force: true });
    }
  }
}

const building = `${built}.building`;
/** After this time the process that was building must have died. */
const abandonedMs = 5 * 60_000;

function isFirst(): boolean {
  try {
    writeFileSync(building, "", { flag: "wx" });
    return true;
  } catch {
    const since = statSync(building, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > abandonedMs) rmSync(building, { force: true });
    return false;
  }
}

function isFresh(): boolean {
  const made = join(built, stamp);
  const { mtimeMs, size } = statSync(made, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
  // An empty one was made before it named the packages.
  if (size === 0) return false;
  const sources = readdirSync(join(home, "ui"), { recursive: true, encoding: "utf8" }).map((file) =>
    join(home, "ui", file),
  );
  // The page shares the Markdown parser.
  const shared = ["package-lock.json", "src/text/markdown-blocks.ts", "src/text/markdown-spans.ts"];
  return [...sources, ...shared.map((file) => join(home, file))].every(
    (file) => statSync(file).mtimeMs <= mtimeMs,
  );
}
