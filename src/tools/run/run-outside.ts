import type { Preview, ToolContext } from "../../tool/tool.ts";
import type { Execution } from "./execution.ts";
import { firstLine, withLiveOutput } from "./live-output.ts";
import type { RunOutput } from "./run-output.ts";

/** Code to run outside the sandbox: the same input as inside, and the reason that is shown to the person. */
export interface OutsideCode {
  language: "python" | "bash";
  code: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  timeout: number;
  why?: string | undefined;
}

const cannotBeUndone =
  "It ran outside the sandbox: what it changed, in the workspace or elsewhere, is not recorded and cannot be undone.";

/** What the person reads before they answer. */
export function outsidePreview({ why = "", timeout }: OutsideCode): Preview {
  return {
    summary: `Runs on your machine, outside the sandbox. The agent's reason: ${why}`,
    files: [],
    seen: new Map(),
    notes: [
      "It can do everything that you can do: read and change any file, use the network and your logins.",
      `What it changes is not recorded and cannot be undone. It is stopped after ${timeout} s.`,
    ],
  };
}

/** Runs it as the person's own terminal would, in the folder of the workspace. Only ever called with a grant for exactly this. */
export async function runOutside(
  { language, code, args, env, timeout }: OutsideCode,
  { outsideEnv, terminal }: Execution,
  { workspace, run, signal, callId, progress }: ToolContext,
): Promise<RunOutput> {
  const start = language === "bash" ? ["bash", "-c", code, "bash"] : ["python3", "-u", "-c", code];
  const [file = "", ...before] = start;
  const command = {
    ...{ file, args: [...before, ...args], cwd: workspace.root, timeoutMs: timeout * 1000, signal },
    maxBytes: 32 * 1024 * 1024,
  };
  const watched = await terminal?.({ ...command, callId, env });
  if (watched)
    return outputOf(
      { stdout: watched.output, stderr: "", exitCode: watched.exitCode, duration: watched.durationMs },
      watched.isTimeout ? "time" : null,
      timeout,
    );
  const ran = await withLiveOutput({ progress }, firstLine(code), (listener) =>
    run({ ...command, ...listener, env: { ...outsideEnv, ...env } }),
  );
  const { stdout, stderr, exitCode, durationMs: duration, ended } = ran;
  const limit = ended === "timeout" ? "time" : ended === "output-limit" ? "output" : null;
  return outputOf({ stdout: stdout.text, stderr: stderr.text, exitCode, duration }, limit, timeout);
}

function outputOf(
  ran: Pick<RunOutput, "stdout" | "stderr" | "duration"> & { exitCode: number | null },
  limit: "time" | "output" | null,
  timeout: number,
): RunOutput {
  return {
    ...ran,
    exitCode: ran.exitCode ?? killed,
    limit,
    notes: [...(limit === "time" ? [`It was stopped after ${timeout} s.`] : []), cannotBeUndone],
  };
}

/** 128 and SIGKILL. */
const killed = 137;
