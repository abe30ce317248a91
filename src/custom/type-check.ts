import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../process/run.ts";
import { Scratch } from "../process/scratch.ts";
import { shipped } from "../workspace/shipped.ts";
import { isThere } from "../workspace/state-files.ts";

/** Node runs a tool file without looking at its types; the compiler of a workspace can. */
export interface TypeChecker {
  /** Absolute path of the compiler's JavaScript. */
  compiler: string;
  /** The workspace that the compiler belongs to. */
  root: string;
}

const checkMs = 60_000;
/**
 * Missing declarations of packages and of Node itself: they speak of what is installed, not of the tool, and what is really
 * missing is told when the file is loaded.
 */
const aboutInstallation = new Set(["TS2307", "TS2580", "TS2591", "TS2688", "TS7016"]);

/** What does not fit in these files, a line each: file, line, the compiler's words. */
export async function typeErrors(
  files: readonly string[],
  { compiler, root }: TypeChecker,
): Promise<string[]> {
  const library = libraryTypes();
  if (library === undefined) return [];
  const node = join(root, "node_modules/@types");
  const options = {
    ...{ target: "esnext", module: "nodenext", moduleResolution: "nodenext", strict: true, noEmit: true },
    ...{ skipLibCheck: true, allowImportingTsExtensions: true },
    ...(isThere(join(node, "node")) ? { typeRoots: [node], types: ["node"] } : { types: [] }),
    paths: { wield: [library], zod: [dirname(fileURLToPath(import.meta.resolve("zod")))] },
  };
  using scratch = new Scratch({ "tsconfig.json": JSON.stringify({ compilerOptions: options, files }) });
  const { stdout } = await runCommand({
    file: process.execPath,
    args: [compiler, "--pretty", "false", "-p", "tsconfig.json"],
    cwd: scratch.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: scratch.path },
    timeoutMs: checkMs,
  });
  return stdout.text.split("\n").flatMap((line) => {
    const [, path = "", at = "", code = "", message = ""] =
      /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/.exec(line) ?? [];
    const file = resolve(scratch.path, path);
    return files.includes(file) && !aboutInstallation.has(code) ? [`${file}:${at}: ${message}`] : [];
  });
}

/** The declarations of a package, or the sources of a checkout. */
function libraryTypes(): string | undefined {
  return ["types/custom/author.d.ts", "../src/custom/author.ts"]
    .map((inDist) => fileURLToPath(shipped("custom/author.ts", inDist)))
    .find(isThere);
}
