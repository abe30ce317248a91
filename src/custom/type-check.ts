import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { shipped } from "../workspace/shipped.ts";
import { isThere } from "../workspace/state-files.ts";

/** Node runs a tool file without looking at its types; the compiler of a workspace can. */
export interface TypeChecker {
  /** The workspace that the compiler belongs to, and its place below that. */
  root: string;
  compiler: string;
  /** Runs it where it can do no harm, since any run of code may have changed it, and gives back what it printed. */
  run(script: ConfinedScript): Promise<string>;
}

/** Inside, the workspace is `/ws` and the files lie below `/run/wield`. */
export interface ConfinedScript {
  /** Below the workspace. */
  script: string;
  args: readonly string[];
  files: Readonly<Record<string, string>>;
  mounts: readonly { from: string; to: string }[];
}

/**
 * Missing declarations of packages and of Node itself: they speak of what is installed, not of the tool, and what is really
 * missing is told when the file is loaded.
 */
const aboutInstallation = new Set(["TS2307", "TS2580", "TS2591", "TS2688", "TS7016"]);

/** What does not fit in these files, a line each: file, line, the compiler's words. */
export async function typeErrors(
  files: readonly string[],
  { compiler, root, run }: TypeChecker,
): Promise<string[]> {
  const library = libraryTypes();
  if (library === undefined) return [];
  const inside = new Map(files.map((file) => [insideOf(file, root), file]));
  const foreign = files.filter((file) => !isBelow(root, file)).map((file) => dirname(file));
  const mounts = [
    { from: dirname(dirname(library)), to: "/opt/wield" },
    { from: dirname(fileURLToPath(import.meta.resolve("zod"))), to: "/opt/zod" },
    ...[...new Set(foreign)].map((from) => ({ from, to: foreignTools })),
  ];
  const options = {
    ...{ target: "esnext", module: "nodenext", moduleResolution: "nodenext", strict: true, noEmit: true },
    ...{ skipLibCheck: true, allowImportingTsExtensions: true },
    ...(isThere(join(root, "node_modules/@types/node"))
      ? { typeRoots: ["/ws/node_modules/@types"], types: ["node"] }
      : { types: [] }),
    paths: { wield: [`/opt/wield/custom/${basename(library)}`], zod: ["/opt/zod"] },
  };
  const config = JSON.stringify({ compilerOptions: options, files: [...inside.keys()] });
  const printed = await run({
    script: compiler,
    args: ["--pretty", "false", "-p", "/run/wield/tsconfig.json"],
    files: { "tsconfig.json": config },
    mounts,
  });
  return printed.split("\n").flatMap((line) => {
    const [, path = "", at = "", code = "", message = ""] =
      /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/.exec(line) ?? [];
    const file = inside.get(resolve("/ws", path));
    return file !== undefined && !aboutInstallation.has(code) ? [`${file}:${at}: ${message}`] : [];
  });
}

/** Where the user's own tool files are shown. */
const foreignTools = "/opt/tools";

function insideOf(file: string, root: string): string {
  return isBelow(root, file) ? join("/ws", relative(root, file)) : join(foreignTools, basename(file));
}

function isBelow(root: string, file: string): boolean {
  return file.startsWith(`${root}/`);
}

/** The declarations of a package, or the sources of a checkout. */
function libraryTypes(): string | undefined {
  return ["types/custom/author.d.ts", "../src/custom/author.ts"]
    .map((inDist) => fileURLToPath(shipped("custom/author.ts", inDist)))
    .find(isThere);
}
