import type { RunCommand } from "../process/process.ts";
import type { CallHooks, HookedCall } from "../runtime/stages.ts";
import { globMatcher } from "../text/glob.ts";
import type { ToolResult } from "../tool/result.ts";
import type { Settings } from "./settings.ts";

type Hook = Settings["hooks"]["beforeCall"][number];

interface HookParts {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Those of the person, and of the folder while it is trusted. */
  settings(): Promise<readonly Settings["hooks"][]>;
  run: RunCommand;
}

/** More of a command's output is left out. */
const mostText = 4_000;

/**
 * Commands of the person at certain moments. They run in the folder with the person's own environment, outside the sandbox, and
 * get what happens as JSON on standard input. Before a call: any exit code but 0 refuses it, and what was printed is the reason.
 * After a call: with any exit code but 0, the model gets what was printed.
 */
export class Hooks implements CallHooks {
  readonly #parts: HookParts;

  constructor(parts: HookParts) {
    this.#parts = parts;
  }

  async before(call: HookedCall, signal: AbortSignal): Promise<string | undefined> {
    for (const hook of await this.#of("beforeCall", call.tool)) {
      const refused = await this.#run(hook, { event: "beforeCall", ...call }, signal);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  async after(call: HookedCall, result: ToolResult<unknown>, signal: AbortSignal): Promise<string[]> {
    const told: string[] = [];
    for (const hook of await this.#of("afterCall", call.tool)) {
      const said = await this.#run(hook, { event: "afterCall", ...call, ...resultOf(result) }, signal);
      if (said !== undefined) told.push(`A hook in the person's settings says: ${said}`);
    }
    return told;
  }

  async endOfRun(run: { session: string; stop: string; message?: string }): Promise<void> {
    const { signal } = new AbortController();
    for (const { endOfRun } of await this.#parts.settings())
      for (const hook of endOfRun) await this.#run(hook, { event: "endOfRun", ...run }, signal);
  }

  async #of(event: "beforeCall" | "afterCall", tool: string): Promise<Hook[]> {
    return (await this.#parts.settings())
      .flatMap((hooks) => hooks[event])
      .filter(({ tools }) => tools.some((pattern) => globMatcher(pattern)(tool)));
  }

  /** What it printed, if its exit code is not 0. */
  async #run(
    { command, seconds }: Pick<Hook, "command" | "seconds">,
    event: object,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { root, env, run } = this.#parts;
    const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    try {
      const { exitCode, ended, stdout, stderr } = await run({
        file: "/bin/sh",
        args: ["-c", command],
        cwd: root,
        env: Object.fromEntries(given),
        input: JSON.stringify({ workspace: root, ...event }),
        timeoutMs: seconds * 1000,
        signal,
      });
      if (exitCode === 0) return undefined;
      const said = (stderr.text.trim() || stdout.text.trim()).slice(0, mostText);
      const how = ended === "timeout" ? `took longer than ${seconds} seconds` : `ended with ${exitCode}`;
      return said === "" ? `the hook ${JSON.stringify(command)} ${how}` : said;
    } catch (error) {
      return `the hook ${JSON.stringify(command)} did not start: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

function resultOf(result: ToolResult<unknown>): { ok: boolean; error?: string } {
  return result.ok ? { ok: true } : { ok: false, error: result.error.message };
}
