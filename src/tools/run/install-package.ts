import { z } from "zod";
import type { Job } from "../../sandbox/sandbox.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { applyRun } from "./applied-run.ts";
import type { Execution } from "./execution.ts";
import {
  npmArguments,
  npmPackage,
  packageEnvironment,
  packagePolicy,
  pipArguments,
  pipInstalled,
  pipPackage,
  requireInstalled,
} from "./packages.ts";
import { textOf } from "./project-files.ts";
import { projectPython } from "./project-python.ts";
import { npmTooling, pythonTooling } from "./toolchain.ts";

const input = z
  .object({
    manager: z.enum(["npm", "pip"]),
    packages: z
      .array(z.string())
      .max(50)
      .describe(
        "Names, with a version if wanted: zod@4.1.0, pandas==2.2.0; npm: none installs what package.json asks for",
      ),
    dev: z.boolean().default(false).describe("npm: as a development dependency"),
  })
  .superRefine(({ manager, packages }, issues) => {
    const schema = manager === "npm" ? npmPackage : pipPackage;
    if (manager === "pip" && packages.length === 0)
      issues.addIssue({ code: "custom", path: ["packages"], message: "pip needs the names of packages." });
    packages.forEach((name, n) => {
      const checked = schema.safeParse(name);
      if (!checked.success) {
        issues.addIssue({
          code: "custom",
          path: ["packages", n],
          message: checked.error.issues[0]?.message ?? "",
        });
      }
    });
  });
type Input = z.output<typeof input>;

export const installPackage = (execution: Execution) =>
  defineTool({
    name: "install_package",
    title: "Install package",
    description:
      "Install packages into the workspace with npm (node_modules, package.json) or pip (.venv, ready-made wheels only). Runs in the sandbox, which can reach the package registry and nothing else; install scripts are not run. A person is always asked.",
    category: "Code Execution",
    input,
    output: z.object({
      installed: z.array(z.object({ name: z.string(), version: z.string() })),
      changeId: z.string().nullable().describe("For undo"),
      refused: z.array(z.object({ path: z.string(), reason: z.string() })),
    }),
    timeoutMs: 600_000,
    can: ["run", "write", "delete"],
    approval: "ask",
    effects: (given) => [{ kind: "run", command: commandLine(given), network: "allowlist" }],
    preview: async (given) => {
      const hosts = (await execution.registry(given.manager)).hosts.join(", ");
      const notes = [`Reaches ${hosts} and nothing else.`, "Install scripts are not run."];
      return { summary: commandLine(given), files: [], seen: new Map(), notes };
    },
    execute: async (given, context) => {
      const startedAt = new Date();
      const registry = await execution.registry(given.manager);
      context.progress(commandLine(given));
      const result = await execution
        .sandbox()
        .run(await jobFor(given, execution, context), packagePolicy(registry, "capture"));
      requireInstalled(result, registry);
      // The person has agreed to this installation, package.json and all; what is forbidden stays forbidden.
      const what = { tool: "install_package", description: commandLine(given), approved: true };
      const { changes, refused } = await applyRun(result, startedAt, what, execution, context);
      const installed =
        given.manager === "pip"
          ? pipInstalled(result.stdout.text)
          : await npmInstalled(given.packages, context.workspace);
      return { installed, changeId: changes?.changeId ?? null, refused };
    },
    render: ({ installed, changeId, refused }, { packages }) =>
      [
        packages.length === 0
          ? "Installed what package.json asks for."
          : `Installed ${installed.map(({ name, version }) => `${name} ${version}`).join(", ") || "nothing new"}.`,
        ...(changeId === null ? [] : [`undo: change ${changeId}`]),
        ...refused.map(({ path, reason }) => `refused ${path}: ${reason}`),
      ].join("\n"),
    examples: [
      { title: "A development dependency", input: { manager: "npm", packages: ["vitest@5.1.0"], dev: true } },
      { title: "What package.json asks for", input: { manager: "npm", packages: [] } },
      { title: "Python", input: { manager: "pip", packages: ["pandas"] } },
    ],
  });

function commandLine({ manager, packages, dev }: Input): string {
  return [manager, "install", ...(dev && manager === "npm" ? ["--save-dev"] : []), ...packages].join(" ");
}

async function jobFor(
  { manager, packages, dev }: Input,
  execution: Execution,
  context: ToolContext,
): Promise<Job> {
  const { workspace, run, signal } = context;
  const npm = manager === "npm";
  const host = { env: execution.env, run };
  const { command, mounts } = npm
    ? npmTooling(host)
    : await pythonTooling(workspace, await projectPython(workspace, ".", host));
  const args = npm ? [...npmArguments, ...(dev ? ["--save-dev"] : [])] : pipArguments;
  const full = [...command, ...args, "--", ...packages] as const;
  return {
    workspace: workspace.root,
    command: npm ? full : ["/bin/bash", "-c", intoVenv, "pip", ...full],
    mounts,
    env: packageEnvironment(manager, await execution.registry(manager)),
    hidden: await context.hiddenPaths(),
    signal,
  };
}

/** A folder laid out like a virtual environment, which the sandbox and `python3 -m venv` both take up. */
const intoVenv = `
version=$("$1" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
target=.venv/lib/$version/site-packages
mkdir -p "$target"
PIP_TARGET=$PWD/$target exec "$@"
`;

async function npmInstalled(
  packages: readonly string[],
  workspace: Workspace,
): Promise<{ name: string; version: string }[]> {
  return Promise.all(
    packages.map(async (wanted) => {
      const name = wanted.replace(/(?<=.)@.*$/, "");
      const manifest = await textOf(workspace, `node_modules/${name}/package.json`);
      return { name, version: /"version":\s*"([^"]+)"/.exec(manifest)?.[1] ?? "unknown" };
    }),
  );
}
