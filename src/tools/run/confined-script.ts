import { limited, policies } from "../../sandbox/policy.ts";
import type { RunConfined } from "../git/run-confined.ts";
import { limitsFor } from "./asked-limits.ts";
import type { Execution } from "./execution.ts";
import { jobParts, projectEnvironment } from "./project-environment.ts";

const seconds = 300;

/** Runs a script on the workspace as tests run: confined, in the project's own environment, without network. */
export const confinedScript =
  (open: () => Promise<Execution>): RunConfined =>
  async (script, input, { workspace, run, signal, hiddenPaths }) => {
    const execution = await open();
    const environment = await projectEnvironment(workspace, ".", { env: execution.env, run });
    const result = await execution.sandbox().run(
      {
        workspace: workspace.root,
        command: ["/bin/bash", "-c", script],
        ...jobParts(environment, { command: ["/bin/bash"], mounts: [], env: {} }),
        input,
        hidden: await hiddenPaths(),
        signal,
      },
      limited(policies.format, limitsFor({ timeout: seconds, memory: undefined }, execution.limits)),
    );
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
