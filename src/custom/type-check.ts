import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { shipped } from "../workspace/shipped.ts";
import { isThere } from "../workspace/state-files.ts";

/** Node runs a tool file without checking its types; the workspace's compiler checks them. */
export interface TypeChecker {
  /** The workspace of the compiler, and its path in it. */
  root: string;
  compiler: string;
  /** Runs the compiler in the sandbox, since any run of code may have changed it, and returns its output. */
  run(script: ConfinedScript): Promise<string>;
}

/** In the sandbox, the workspace is `/ws` and the files are in `/run/wield`. */
export interface ConfinedScript {
  /** Below the workspace. */
  script: string;
  args: readonly string[];
  files: Readonly<Record<string, string>>;
  mounts: readonly { from: string; to: string }[];
}

/**
 * Missing declarations of packages and of Node: they depend on what is installed, not on the tool, and a package that is
 * really missing is reported when the file is loaded.
 */
const aboutInstallation = new Set(["TS2307", "TS2580", "TS2591", "TS2688", "TS7016"]);

/** Type errors in these files, one per line: file, line, message. */
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

/** Where the user's tool files are mounted. */
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
