import {
  type AgentContext,
  type CreateTerminalResponse,
  methods,
  type TerminalOutputResponse,
  type WaitForTerminalExitResponse,
} from "@agentclientprotocol/sdk";
import type { RunInTerminal } from "../tools/run/terminal.ts";

const { terminal } = methods.client;

/**
 * Commands that the person lets run outside the sandbox run in a terminal of their editor, where they can watch and stop them.
 * `show` tells the client which call the terminal belongs to.
 */
export function editorTerminal(
  client: AgentContext,
  sessionId: string,
  show: (callId: string, terminalId: string) => void,
): RunInTerminal {
  return async ({ callId, file, args, cwd, env, timeoutMs, maxBytes, signal }) => {
    const started = performance.now();
    const created = await client
      .request<CreateTerminalResponse>(terminal.create, {
        ...{ sessionId, cwd, command: file, args: [...args], outputByteLimit: maxBytes },
        env: Object.entries(env).map(([name, value]) => ({ name, value })),
      })
      .catch(() => undefined);
    if (!created) return undefined;
    const asked = { sessionId, terminalId: created.terminalId };
    show(callId, created.terminalId);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const exit = client.request<WaitForTerminalExitResponse>(terminal.waitForExit, asked);
      const ended = await Promise.race([exit, aborted(AbortSignal.any([signal, timeout]))]);
      if (!ended) await client.request(terminal.kill, asked);
      signal.throwIfAborted();
      const { output } = await client.request<TerminalOutputResponse>(terminal.output, asked);
      return {
        output,
        exitCode: ended?.exitCode ?? null,
        isTimeout: !ended,
        durationMs: Math.round(performance.now() - started),
      };
    } finally {
      await client.request(terminal.release, asked).catch(() => undefined);
    }
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
