import { join } from "node:path";
import { decide, type Policy } from "../approval/decide.ts";
import { denialsOfReading, readingRules } from "../approval/reading.ts";
import { restrictsServer } from "../approval/rules.ts";
import type { ConfinedScript } from "../custom/type-check.ts";
import type { WieldEvent } from "../events/events.ts";
import { currentSession } from "../runtime/current-call.ts";
import { HeldChanges } from "../sandbox/held-changes.ts";
import type { LocalAddress } from "../sandbox/local-port.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { policies } from "../sandbox/policy.ts";
import type { Dial } from "../sandbox/proxy.ts";
import type { Job, Sandbox } from "../sandbox/sandbox.ts";
import type { CallTool } from "../sandbox/tool-server.ts";
import type { Store } from "../store/store.ts";
import { localOrigin } from "../text/local-origin.ts";
import { changeDefault, type Effect } from "../tool/effects.ts";
import { applyRun } from "../tools/run/applied-run.ts";
import { BackgroundProcesses } from "../tools/run/background.ts";
import type { Execution } from "../tools/run/execution.ts";
import { notesOncePerSession } from "../tools/run/notes-once.ts";
import type { RunInTerminal } from "../tools/run/terminal.ts";
import { wieldsNode } from "../tools/run/toolchain.ts";
import { publicGuard, systemDial, systemResolve } from "../web/guard.ts";
import { FolderCache } from "../workspace/folder-cache.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { toolchainVariables, variablesOf } from "./environment.ts";
import { registryOf } from "./package-registry.ts";
import type { Settings } from "./settings.ts";

/** Joins the sandbox with the policy and the person's settings, for the tools that run code. */
export function createExecution(parts: {
  settings: Settings["execution"];
  env: Readonly<Record<string, string | undefined>>;
  stateDir: string;
  policy: (session?: string) => Policy;
  call: CallTool;
  /** Where changes of runs in `root` wait for a person. */
  store: Store;
  root: string;
  /** The folder whose settings hold: the same, or the one that it is a worktree of. */
  project: string;
  /** The git directory of a worktree's repository: runs see it, and cannot change it. */
  gitDir: string | undefined;
  /** For commands that the person lets run outside the sandbox. */
  terminal: RunInTerminal | undefined;
  /** How long held changes can be answered. */
  approvalDays: () => number;
  /** The workspace as a session's runs may see it, for changes that come after their call. */
  workspaceFor: (session: string | undefined) => Workspace;
  /** The session that a person speaks with. */
  topSession: (session: string) => string;
  emit: (event: WieldEvent) => void;
}): Execution {
  const { settings, env, policy } = parts;
  let sandbox: Sandbox | undefined;
  const held = new HeldChanges(parts.store.held(parts.root), parts.store, parts.root, parts.approvalDays);
  const judge: Execution["judge"] = (tool, effect, session) =>
    decide(
      { tool, byDefault: changeDefault(effect), effects: [effect], alsoAs: fileToolsFor(effect) },
      policy(session),
    );
  const background = new BackgroundProcesses(
    async (result, { callId, session, command, started }) => {
      const context = {
        callId,
        workspace: parts.workspaceFor(session),
        ...(session !== undefined && { session }),
      };
      const what = { tool: "run_code", description: `background process: ${command}` };
      const applied = await applyRun(result, started, what, { judge, held }, context);
      const { changes } = applied;
      if (changes) {
        const paths = changes.files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
        parts.emit({ type: "files-change", callId, changeId: changes.changeId, paths });
      }
      return applied;
    },
    ({ id, session, command, state, exitCode }) =>
      parts.emit({ type: "process-change", id, session, command, state, exitCode }),
    parts.topSession,
    (session) => denialsOfReading("run_code", policy(session)),
  );
  return {
    background,
    sandbox: () => {
      // Rules name paths of the workspace, and a worktree's repository is outside it: where one hides a part, all of it is.
      const isShown = () => {
        const rules = readingRules("run_code", policy(currentSession()));
        return gitPaths.every((path) => rules?.(path) !== "deny");
      };
      sandbox ??= showing(parts.gitDir, isShown, openSandbox(dialPublic(policy)));
      return sandbox;
    },
    judge,
    held,
    env: variablesOf(env, toolchainVariables),
    outsideEnv: variablesOf(env, Object.keys(env)),
    terminal: parts.terminal,
    configured: { test: settings.testCommand, format: settings.formatCommand },
    limits: { ...settings.limits, ...settings.limitsByFolder[parts.project] },
    notesOnce: notesOncePerSession(),
    network: Array.isArray(settings.network)
      ? { mode: "allowlist", hosts: settings.network }
      : { mode: settings.network },
    hidesFiles: (session) => readingRules("run_code", policy(session)) !== undefined,
    localServers: (session) => localServers(policy(session)),
    registry: (manager) =>
      registryOf(manager, manager === "npm" ? settings.npmRegistry : settings.pipIndex, parts.stateDir, env),
    packages: new FolderCache(join(parts.stateDir, "packages/python"), settings.packageBytes),
    tools: settings.toolsInCode ? parts.call : undefined,
  };
}

/** The same sandbox, with one more folder to look at. */
function showing(folder: string | undefined, isShown: () => boolean, sandbox: Sandbox): Sandbox {
  if (folder === undefined) return sandbox;
  const withFolder = (job: Job): Job => ({
    ...job,
    mounts: [...(job.mounts ?? []), { from: folder, to: folder }],
  });
  return {
    describe: () => sandbox.describe(),
    run: (job, policy) => sandbox.run(isShown() ? withFolder(job) : job, policy),
  };
}

const gitPaths = [".git", ".git/config", ".git/HEAD", ".git/objects/pack", ".git/hooks", ".git/logs/HEAD"];

/**
 * Local origins that rules of the person name for every method. A run's requests are not seen one by one: a server of which
 * a rule restricts any part stays closed as a whole.
 */
function localServers(policy: Policy): ReturnType<Execution["localServers"]> {
  const named = [...policy.user, ...policy.session].flatMap(({ decision, method, url = "" }) => {
    const isWhole = decision === "allow" && method === undefined;
    const origin = isWhole ? localOrigin(url.replace(/[*].*$/, "")) : undefined;
    return origin !== undefined && url.startsWith(origin) ? [origin] : [];
  });
  const rules = [...policy.user, ...policy.workspace.rules, ...policy.session];
  const methods = ["GET", "POST", ...rules.flatMap(({ method }) => method ?? [])];
  const isAllowed = (origin: string) => {
    const effects = methods.map((method) => ({
      kind: "fetch" as const,
      url: `${origin}/`,
      method,
      local: origin,
    }));
    return decide({ tool: "run_code", byDefault: "ask", effects }, policy).decision === "allow";
  };
  const allowed = [...new Set(named)].filter(isAllowed);
  const isWhole = (origin: string) =>
    !rules.some((rule) => restrictsServer(rule, "run_code", new URL(origin)));
  return {
    open: allowed.filter(isWhole).map(addressOf),
    closed: allowed.filter((origin) => !isWhole(origin)),
  };
}

function addressOf(origin: string): LocalAddress {
  const { hostname, port, protocol } = new URL(origin);
  // Every name that is local is `localhost`.
  const host = hostname.endsWith("localhost") ? "localhost" : hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(port || (protocol === "https:" ? 443 : 80)) };
}

/** The file tools that make such a change: a rule about one of them holds for the same change by a run. */
function fileToolsFor(effect: Effect): string[] {
  if (effect.kind === "delete") return ["delete_file"];
  if (effect.kind !== "write") return [];
  return effect.replaces ? ["write_file", "edit_file"] : ["write_file", "create_file"];
}

/** Runs JavaScript of the workspace confined, without a network, and forgets what it writes; what it printed. */
export async function runScript(
  { script, args, files, mounts }: ConfinedScript,
  workspace: string,
  execution: Execution,
): Promise<string> {
  const node = wieldsNode(script);
  const job: Job = {
    workspace,
    command: [...node.command, ...args],
    files,
    mounts: [...node.mounts, ...mounts],
  };
  return (await execution.sandbox().run(job, policies.tests)).stdout.text;
}

/** The way of the sandbox's proxy to the network: the same guard that every fetch goes through. */
function dialPublic(policy: () => Policy): Dial {
  const judge = (url: URL) => {
    const effect = { kind: "fetch" as const, url: url.href, method: "GET" };
    return decide({ tool: "install_package", byDefault: "auto", effects: [effect] }, policy()).decision;
  };
  const guard = publicGuard({ policy: judge, resolve: systemResolve, dial: systemDial });
  return (host, port) =>
    guard.connect(new URL(`${port === 443 ? "https" : "http"}://${host}/`), AbortSignal.timeout(30_000));
}
