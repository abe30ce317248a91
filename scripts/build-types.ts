// The declarations that the package ships: of its entry points, and of everything those mention.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const home = resolve(import.meta.dirname, "..");

/** False where the compiler had something to say; it has printed that then. */
export function typesInto(folder: string): boolean {
  const emit = [
    "--noEmit",
    "false",
    // `npm run check` does that; here it would take as long again.
    "--noCheck",
    // Several threads, and a garbage collection at every turn, take twice the work for this little.
    "--singleThreaded",
    "--declaration",
    "--emitDeclarationOnly",
    "--rewriteRelativeImportExtensions",
  ];
  const { status } = spawnSync(
    join(home, "node_modules", ".bin", "tsc"),
    [...emit, "--rootDir", "src", "--outDir", folder, "-p", "tsconfig.build.json"],
    { stdio: "inherit", cwd: home, env: { GOGC: "400", ...process.env } },
  );
  if (status !== 0) return false;
  removeUnused(folder);
  return true;
}

/** The compiler writes one file for every source that it read; most of them no entry point mentions. */
function removeUnused(folder: string): void {
  const { include } = JSON.parse(readFileSync(join(home, "tsconfig.build.json"), "utf8"));
  const used = new Set<string>();
  const visit = (file: string) => {
    if (used.has(file)) return;
    used.add(file);
    const imports = readFileSync(file, "utf8").matchAll(/(?:from |import |import\()["'](\.[^"']+)\.ts["']/g);
    for (const [, path = ""] of imports) visit(resolve(dirname(file), `${path}.d.ts`));
  };
  for (const source of include as string[])
    visit(resolve(folder, source.replace(/^src\/(.*)\.ts$/, "$1.d.ts")));
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".ts") && !used.has(join(folder, file))) rmSync(join(folder, file));
}
