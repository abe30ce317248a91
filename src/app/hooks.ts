import { hostPath } from "../process/host-programs.ts";
import type { CallHooks, FollowUp, HookedCall } from "../runtime/stages.ts";
import { globMatcher } from "../text/glob.ts";
import { newId } from "../text/ids.ts";
import type { ToolResult } from "../tool/result.ts";
import { loadsCodeOf } from "../workspace/loaded-code.ts";
import type { Change } from "../workspace/workspace.ts";
import type { ConfinedHookParts, HookEnd, HookRun } from "./confined-hook.ts";
import type { Settings } from "./settings.ts";

type Hook = Settings["hooks"]["beforeCall"][number];

interface HookParts extends ConfinedHookParts {
  env: Readonly<Record<string, string | undefined>>;
  /** Those of the person, and of the folder while it is trusted. */
  settings(): Promise<readonly OwnedHooks[]>;
  /** Told of what the hooks at the end of a run changed. */
  changed(callId: string, changes: readonly Change[]): void;
}

export interface OwnedHooks {
  hooks: Settings["hooks"];
  /** From the person's own settings: a folder's hooks never run outside the sandbox. */
  isPersons: boolean;
}

interface Said {
  /** What it printed, if its exit code is not 0. */
  refusal: string | undefined;
  changed: string[];
  changes: readonly Change[];
}

/** More of a command's output is left out. */
const mostText = 4_000;

/**
 * Commands of the person at certain moments. They run in the sandbox on the folder, unless the person's own settings say
 * `outside`, and get what happens as JSON on standard input. Before a call: any exit code but 0 refuses it, and what was
 * printed is the reason. After a call: with any exit code but 0, the model gets what was printed.
 */
export class Hooks implements CallHooks {
  readonly #parts: HookParts;

  constructor(parts: HookParts) {
    this.#parts = parts;
  }

  async before(
    call: HookedCall,
    signal: AbortSignal,
    followUp?: () => FollowUp | undefined,
  ): ReturnType<CallHooks["before"]> {
    const changes: Change[] = [];
    for (const hook of await this.#of("beforeCall", call.tool)) {
      const event = { event: "beforeCall", ...call };
      const said = await this.#run(hook, { event, ...call, signal, followUp });
      changes.push(...said.changes);
      if (said.refusal !== undefined) return { refusal: said.refusal, changes };
    }
    return { refusal: undefined, changes };
  }

  async after(
    call: HookedCall,
    result: ToolResult<unknown>,
    signal: AbortSignal,
    followUp?: () => FollowUp | undefined,
  ): ReturnType<CallHooks["after"]> {
    const told: string[] = [];
    const changes: Change[] = [];
    for (const hook of await this.#of("afterCall", call.tool)) {
      const event = { event: "afterCall", ...call, ...resultOf(result) };
      const { refusal, changed, changes: made } = await this.#run(hook, { event, ...call, signal, followUp });
      changes.push(...made);
      if (refusal !== undefined) told.push(`A hook in the person's settings says: ${refusal}`);
      if (changed.length > 0)
        told.push(`The hook ${JSON.stringify(hook.command)} changed files:\n${changed.join("\n")}`);
    }
    return { told, changes };
  }

  async endOfRun(run: { session: string; stop: string; message?: string }): Promise<void> {
    const { signal } = new AbortController();
    for (const { hooks, isPersons } of await this.#parts.settings())
      for (const hook of hooks.endOfRun) {
        const callId = newId("c");
        const event = { event: "endOfRun", ...run };
        const { session } = run;
        const { changes } = await this.#run(
          { ...hook, tools: [], isPersons },
          { event, session, callId, signal },
        );
        this.#parts.changed(callId, changes);
      }
  }

  /** What the settings ask for and hooks do not do, one line each; refused while it is so. */
  async problems(): Promise<string[]> {
    const all = (await this.#parts.settings()).flatMap(({ hooks, isPersons }) =>
      [...hooks.beforeCall, ...hooks.afterCall, ...hooks.endOfRun].map((hook) => ({ ...hook, isPersons })),
    );
    const found = await Promise.all(
      all
        .filter(({ outside }) => outside)
        .map(async (hook) => [ignoredOutside(hook) ?? (await this.#whyNot(hook))]),
    );
    return found.flat().filter((one) => one !== undefined);
  }

  async #of(event: "beforeCall" | "afterCall", tool: string): Promise<(Hook & { isPersons: boolean })[]> {
    return (await this.#parts.settings())
      .flatMap(({ hooks, isPersons }) => hooks[event].map((hook) => ({ ...hook, isPersons })))
      .filter(({ tools }) => tools.some((pattern) => globMatcher(pattern)(tool)));
  }

  async #run(
    hook: Hook & { isPersons: boolean },
    given: Omit<HookRun, "command" | "seconds">,
  ): Promise<Said> {
    const { command, seconds } = hook;
    const name = `the hook ${JSON.stringify(command)}`;
    try {
      const isOutside = hook.outside && hook.isPersons;
      const refused = isOutside ? await this.#whyNot(hook) : undefined;
      if (refused !== undefined) return { refusal: refused, changed: [], changes: [] };
      const ended = isOutside ? await this.#outside(hook, given) : await this.#inside(hook, given);
      const { exitCode, isTimeout, changed, changes } = ended;
      const said = (ended.stderr.trim() || ended.stdout.trim()).slice(0, mostText);
      const how = isTimeout ? `took longer than ${seconds} seconds` : `ended with ${exitCode}`;
      const isFine = exitCode === 0 && !isTimeout;
      return { refusal: isFine ? undefined : said || `${name} ${how}`, changed, changes };
    } catch (error) {
      const refusal = `${name} did not start: ${error instanceof Error ? error.message : String(error)}`;
      return { refusal, changed: [], changes: [] };
    }
  }

  async #inside({ command, seconds }: Hook, given: Omit<HookRun, "command" | "seconds">): Promise<HookEnd> {
    const { runConfinedHook } = await import("./confined-hook.ts");
    return runConfinedHook({ command, seconds, ...given }, this.#parts);
  }

  async #outside(
    { command, seconds }: Hook,
    { event, signal }: Pick<HookRun, "event" | "signal">,
  ): Promise<HookEnd> {
    const { workspace, env, run } = this.#parts;
    const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const { exitCode, ended, stdout, stderr } = await run({
      file: "/bin/sh",
      args: ["-c", command],
      cwd: workspace.root,
      env: { ...Object.fromEntries(set), PATH: hostPath(env["PATH"] ?? "") },
      input: JSON.stringify({ workspace: workspace.root, ...event }),
      timeoutMs: seconds * 1000,
      signal,
    });
    const isTimeout = ended === "timeout";
    return { exitCode, isTimeout, stdout: stdout.text, stderr: stderr.text, changed: [], changes: [] };
  }

  /** Why a hook of the person may not run outside. */
  async #whyNot({ command }: Pick<Hook, "command">): Promise<string | undefined> {
    const { workspace, env } = this.#parts;
    if (!(await loadsCodeOf(workspace, command, workspace.root, env["PATH"] ?? ""))) return undefined;
    return `the hook ${JSON.stringify(command)} was not run outside the sandbox: it runs or loads files of this folder, which an agent can write. Without "outside" it runs in the sandbox; or let it name only programs and files elsewhere.`;
  }
}

function ignoredOutside({ command, isPersons }: { command: string; isPersons: boolean }): string | undefined {
  if (isPersons) return undefined;
  return `.wield/settings.json: "outside" of the hook ${JSON.stringify(command)} is ignored, and it runs in the sandbox. Only your own settings can let a hook run outside.`;
}

function resultOf(result: ToolResult<unknown>): { ok: boolean; error?: string } {
  return result.ok ? { ok: true } : { ok: false, error: result.error.message };
}
