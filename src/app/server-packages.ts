import { basename, join } from "node:path";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import type { Mount } from "../sandbox/sandbox.ts";
import { sha256 } from "../text/digest.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { Host } from "../tools/run/host.ts";
import {
  npmArguments,
  npmPackage,
  type PackageManager,
  packageEnvironment,
  packagePolicy,
  pipArguments,
  pipPackage,
  requireInstalled,
} from "../tools/run/packages.ts";
import { npmTooling } from "../tools/run/toolchain.ts";
import { readIfThere } from "../workspace/state-files.ts";

/** A program that a package manager would fetch and run. */
export interface PackagedProgram {
  manager: PackageManager;
  packages: string[];
  /** What it is called among the programs of its packages; undefined: the program of the first package. */
  program: string | undefined;
  args: readonly string[];
}

interface Runner {
  manager: PackageManager;
  /** The words after its name that mean "run". */
  words: readonly string[];
}

const npm = (...words: string[]): Runner => ({ manager: "npm", words });
const pip = (...words: string[]): Runner => ({ manager: "pip", words });
const runners: Readonly<Record<string, readonly Runner[]>> = {
  npx: [npm()],
  pnpx: [npm()],
  bunx: [npm()],
  npm: [npm("exec"), npm("x")],
  pnpm: [npm("dlx")],
  yarn: [npm("dlx")],
  bun: [npm("x")],
  uvx: [pip()],
  uv: [pip("tool", "run")],
  pipx: [pip("run")],
};
const ignored = new Set(["-y", "--yes", "-q", "--quiet", "--prefer-offline"]);
const naming = new Set(["-p", "--package", "--from", "--with", "--spec"]);

/** What `npx -y NAME …` and its like run, or undefined for any other program. */
export function packagedProgram(command: string, given: readonly string[]): PackagedProgram | undefined {
  const runner = (Object.hasOwn(runners, basename(command)) ? runners[basename(command)] : undefined)?.find(
    ({ words }) => words.every((word, at) => given[at] === word),
  );
  if (!runner) return undefined;
  const { manager, words } = runner;
  const left = given.slice(words.length);
  const packages: string[] = [];
  for (;;) {
    const word = left.shift();
    const [option = "", value] = word?.startsWith("--") ? word.split(/=(.*)/s) : [word];
    if (word === undefined) throw refused(command, "it names no package");
    if (ignored.has(word) || word === "--") continue;
    if (naming.has(option)) packages.push(value ?? left.shift() ?? "");
    else if (word.startsWith("-")) throw refused(command, `the option ${word} is not known`);
    else {
      const named = packages.length > 0;
      const all = (named ? packages : [word]).map((one) => specOf(manager, one));
      const wrong = all.find((one) => !(manager === "npm" ? npmPackage : pipPackage).safeParse(one).success);
      if (wrong !== undefined) throw refused(command, `${JSON.stringify(wrong)} is no package of a registry`);
      const program = named ? word : manager === "pip" ? /^[\w.-]+/.exec(word)?.[0] : undefined;
      return { manager, packages: all, program, args: left };
    }
  }
}

/** uvx writes versions as npm does. */
function specOf(manager: PackageManager, spec: string): string {
  if (manager === "npm") return spec;
  return spec.replace(/@latest$/, "").replace(/^([\w.-]+(?:\[[^\]]*\])?)@/, "$1==");
}

function refused(command: string, why: string): Failure {
  return new Failure(
    "INVALID_INPUT",
    `${command} cannot be run in the sandbox: ${why}. Its packages are fetched first, so write: ${command} NAME, with arguments of the server after it.`,
  );
}

interface PackageParts extends Pick<Execution, "sandbox" | "registry" | "packages"> {
  host: Host;
  signal: AbortSignal;
}

/** The program as it is started inside, with its packages shown read-only. */
export interface StartedProgram {
  command: string[];
  mounts: readonly Mount[];
  env: Readonly<Record<string, string>>;
}

/**
 * Works with the packages of a server. They are fetched once, by a run that reaches the registry, runs no scripts and sees
 * neither the workspace nor what the server keeps. So the server itself needs no network, by which it could send what it read.
 */
export async function withServerPackages<T>(
  wanted: PackagedProgram,
  parts: PackageParts,
  work: (program: StartedProgram) => Promise<T>,
): Promise<T> {
  const { manager, packages } = wanted;
  const tooling = npmTooling(parts.host);
  const fetch = async (folder: string) => {
    const registry = await parts.registry(manager);
    const command: [string, ...string[]] =
      manager === "npm"
        ? [...tooling.command, ...npmArguments, "--prefix", "/ws", "--", ...packages]
        : ["/usr/bin/python3", ...pipArguments, "--target", "/ws", "--", ...packages];
    const result = await parts.sandbox().run(
      {
        workspace: folder,
        command,
        mounts: tooling.mounts,
        env: packageEnvironment(manager, registry),
        signal: parts.signal,
      },
      packagePolicy(registry, "direct"),
    );
    requireInstalled(result, registry);
  };
  const key = sha256([manager, process.arch, ...packages].join("\n")).slice(0, 32);
  return parts.packages.use(key, fetch, (folder) => {
    const inside = "/opt/packages";
    const mounts = [...tooling.mounts, { from: folder, to: inside }];
    return work(
      manager === "npm"
        ? {
            command: [`${inside}/node_modules/.bin/${wanted.program ?? binOf(folder, packages)}`],
            mounts,
            env: {},
          }
        : { command: [`${inside}/bin/${wanted.program}`], mounts, env: { PYTHONPATH: inside } },
    );
  });
}

const manifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]).optional() });

/** The program of a package that has one, or the one with the name of the package. */
function binOf(folder: string, [spec = ""]: readonly string[]): string {
  const name = spec.replace(/(?<=.)@.*$/, "");
  const own = name.split("/").at(-1) ?? "";
  const { bin } = manifest.parse(
    JSON.parse(readIfThere(join(folder, "node_modules", name, "package.json"))?.toString() ?? "{}"),
  );
  const names = typeof bin === "string" ? [own] : Object.keys(bin ?? {});
  const found = names.length === 1 ? names[0] : names.find((one) => one === own);
  if (found !== undefined && /^[\w.-]+$/.test(found)) return found;
  throw new Failure("INVALID_INPUT", `The package ${name} has no program to run.`);
}
