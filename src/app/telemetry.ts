import { basename } from "node:path";
import type { Watched } from "../code/filling.ts";
import { expanded } from "../mcp/server-config.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { withoutPassword } from "../text/without-password.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { Settings } from "./settings.ts";

/** What the person's settings switch on; nothing of it is loaded otherwise. */
export async function openTelemetry(
  { endpoint, headers, content }: Settings["telemetry"],
  env: Readonly<Record<string, string | undefined>>,
  currentCall: () => string | undefined,
): Promise<Telemetry | undefined> {
  if (endpoint === undefined) return undefined;
  const { startTelemetry } = await import("../telemetry/telemetry.ts");
  return startTelemetry({ endpoint, content, headers: expanded(headers, env), currentCall });
}

/** Sends a request without spans. */
export async function checkCollector(
  { endpoint = "", headers }: Settings["telemetry"],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { Collector } = await import("../telemetry/collector.ts");
  const collector = new Collector({ endpoint, headers: expanded(headers, env) });
  try {
    await collector.send("v1/traces", Buffer.from('{"resourceSpans":[]}'));
    return `${withoutPassword(endpoint)} takes traces`;
  } finally {
    collector.close();
  }
}

/** A span for each run in the sandbox. */
export function watchedSandbox(execution: Execution, telemetry: Telemetry): Execution {
  return {
    ...execution,
    sandbox: () => {
      const sandbox = execution.sandbox();
      return {
        describe: () => sandbox.describe(),
        run: (job, policy) =>
          telemetry.timed(
            "sandbox run",
            // Where it is installed can name a person.
            {
              "process.executable.name": basename(job.command[0] ?? ""),
              "wield.sandbox.network": policy.network.mode,
            },
            () => sandbox.run(job, policy),
            ({ exitCode, limit }) => ({
              "process.exit.code": exitCode,
              "wield.sandbox.limit": limit ?? undefined,
            }),
          ),
      };
    },
  };
}

/** A span for indexing that somebody waits for. */
export function indexing(telemetry: Telemetry): Watched {
  return (files, work) => telemetry.timed("index", { "wield.index.files": files }, work);
}
