import { limited, type NetworkPolicy, policies } from "../../sandbox/policy.ts";
import type { JobResult } from "../../sandbox/sandbox.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { RunConfined } from "../git/run-confined.ts";
import { limitsFor } from "./asked-limits.ts";
import type { Execution } from "./execution.ts";
import { jobParts, projectEnvironment } from "./project-environment.ts";

interface Script {
  shell: "/bin/sh" | "/bin/bash";
  script: string;
  input: string;
  seconds: number;
  network: NetworkPolicy;
}

/** Runs a script on the workspace in the project's own environment. What it changes is only in the result. */
export async function runScript(
  execution: Pick<Execution, "sandbox" | "env" | "limits">,
  { shell, script, input, seconds, network }: Script,
  { workspace, run, signal, hiddenPaths }: Pick<ToolContext, "workspace" | "run" | "signal" | "hiddenPaths">,
): Promise<JobResult> {
  const environment = await projectEnvironment(workspace, ".", { env: execution.env, run });
  return execution.sandbox().run(
    {
      workspace: workspace.root,
      command: [shell, "-c", script],
      ...jobParts(environment, { command: [shell], mounts: [], env: {} }),
      input,
      hidden: await hiddenPaths(),
      signal,
    },
    { ...limited(policies.format, limitsFor({ timeout: seconds }, execution.limits)), network },
  );
}

/** The same for a tool that only wants to know what a script of the repository says and would change. */
export const confinedScript =
  (open: () => Promise<Execution>): RunConfined =>
  async (script, input, context) => {
    const job = { shell: "/bin/bash", script, input, seconds: 300, network: { mode: "off" } } as const;
    const result = await runScript(await open(), job, context);
    return {
      exitCode: result.limit === null ? result.exitCode : 124,
      output: `${result.stdout.text}${result.stderr.text}${result.limit === null ? "" : `\n(ended by the limit on ${result.limit})`}`,
      changed: result.changes.entries.filter(({ kind }) => kind !== "directory").map(({ path }) => path),
      left: new Map(
        result.outbox.flatMap((entry) =>
          entry.kind === "file" ? [[entry.path, entry.bytes.toString()]] : [],
        ),
      ),
    };
  };
