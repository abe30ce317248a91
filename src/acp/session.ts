import {
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock,
  type McpServer,
  methods,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Agent, RunResult } from "../agent/agent.ts";
import { currentEntries, type LogData } from "../agent/log.ts";
import type { ProfileName } from "../agent/profiles.ts";
import { createWield, type Wield } from "../app/wield.ts";
import { isPermissionMode, planNotice } from "../approval/modes.ts";
import { Failure } from "../failure/failure.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import { requireKnown } from "../model/known-models.ts";
import type { RunInTerminal } from "../tools/run/terminal.ts";
import { availableCommands, runCommand } from "./commands.ts";
import { EditorFiles } from "./editor-files.ts";
import { updatesOf } from "./history.ts";
import { settingsFor } from "./mcp-servers.ts";
import { isProfile, modesOf, optionsOf } from "./modes.ts";
import { editorAsker, editorElicit } from "./permissions.ts";
import { messageFrom } from "./prompt.ts";
import { editorTerminal } from "./terminals.ts";
import { Updates } from "./updates.ts";

export interface SessionStart {
  client: AgentContext;
  capabilities: ClientCapabilities;
  cwd: string;
  /** MCP servers that the client passes. */
  servers: readonly McpServer[];
  /** Goes on with this one. */
  session?: string;
  env?: Readonly<Record<string, string | undefined>>;
  model?: string;
  report?(problem: string): void;
}

/** Parts that need the session before they can be made, and that the Wield of the session uses. */
interface Later {
  asker?: ReturnType<typeof editorAsker>;
  elicit?: Elicit;
  files?: EditorFiles;
  terminal?: RunInTerminal;
}

/** How long a new session waits for the providers' model lists. */
const modelsMs = 1_500;

/** One conversation with one client: a Wield on the client's folder, and the agent that answers. */
export class AcpSession {
  readonly #wield: Wield;
  readonly #send: (update: SessionUpdate) => Promise<void>;
  readonly #updates: Updates;
  readonly #models: string[];
  #agent: Agent;
  #profile: ProfileName;
  #model: string | undefined;
  #running: AbortController | undefined;

  static async start(given: SessionStart): Promise<AcpSession> {
    const { client, capabilities, cwd, session, model, env = process.env } = given;
    const { settings, problems } = settingsFor(given.servers);
    for (const problem of problems) given.report?.(problem);
    const later: Later = {};
    const wield = await createWield({
      ...{ workspace: cwd, env, settings },
      get asker() {
        return later.asker;
      },
      get elicit() {
        return later.elicit;
      },
      ...(capabilities.fs?.readTextFile && {
        unsaved: async (path: string, onDisk: string) => later.files?.textOf(path, onDisk),
      }),
      ...(capabilities.terminal && { terminal: async (command) => later.terminal?.(command) }),
    });
    try {
      const agent = await wield.agent({
        ...(session !== undefined && { session }),
        ...(model !== undefined && { model }),
      });
      const files = new EditorFiles(client, agent.session, wield.workspace.root, capabilities.fs);
      const updates = new Updates(wield, agent.session, files, (update) =>
        client.notify(methods.client.session.update, { sessionId: agent.session, update }),
      );
      later.files = files;
      later.terminal = editorTerminal(client, agent.session, (call, id) => updates.inTerminal(call, id));
      if (capabilities.elicitation?.form) later.elicit = editorElicit({ client, session: agent.session });
      later.asker = editorAsker({
        ...{ client, session: agent.session, root: wield.workspace.root },
        forms: Boolean(capabilities.elicitation?.form),
        toolOf: (name) => wield.tools.registry.get(name),
        refOf: (callId) => updates.refOf(callId),
        shown: (callId, diffs) => updates.proposed(callId, diffs),
      });
      const known = await Promise.race([wield.models(), soon()]).catch(() => undefined);
      const kept = (await wield.store.session(agent.session))?.agent ?? "";
      const profile = isProfile(kept) ? kept : "code";
      return new AcpSession(wield, agent, updates, known?.names ?? [], profile, model);
    } catch (error) {
      await wield.close();
      throw error;
    }
  }

  private constructor(
    wield: Wield,
    agent: Agent,
    updates: Updates,
    models: string[],
    profile: ProfileName,
    model: string | undefined,
  ) {
    this.#wield = wield;
    this.#agent = agent;
    this.#updates = updates;
    this.#send = (update) => updates.send(update);
    this.#models = models;
    this.#model = model;
    this.#profile = profile;
  }

  get id(): string {
    return this.#agent.session;
  }

  async state(): Promise<{ modes: SessionModeState; configOptions: SessionConfigOption[] }> {
    const mode = this.#wield.settings.mode(this.id);
    return {
      modes: modesOf(mode),
      configOptions: optionsOf(mode, this.#profile, this.#agent.model, this.#models),
    };
  }

  /** Updates that the client gets once it knows the session. */
  announceSoon(): void {
    setImmediate(async () => {
      const commands = await availableCommands(this.#wield);
      await this.#send({ sessionUpdate: "available_commands_update", availableCommands: commands });
    });
  }

  /** Everything that was said and done, for a client that shows the session anew. */
  async replay(): Promise<void> {
    const all = await this.#wield.store.entries(this.id);
    const entries = currentEntries(all).map(({ data }) => data as LogData);
    const toolOf = (name: string) => this.#wield.tools.registry.get(name);
    for (const update of updatesOf(entries, this.#wield.workspace.root, toolOf)) await this.#send(update);
  }

  /** The permission mode, from the next call on: also while the agent answers. */
  async setMode(mode: string): Promise<void> {
    if (!isPermissionMode(mode))
      throw new Failure("INVALID_INPUT", `There is no mode ${JSON.stringify(mode)}.`);
    const before = this.#wield.settings.mode(this.id);
    await this.#wield.settings.setMode(mode, { session: this.id });
    for (const notice of planNotice(before, mode)) this.#agent.tell(notice);
    await this.#send({ sessionUpdate: "current_mode_update", currentModeId: mode });
  }

  async setProfile(profile: string): Promise<void> {
    if (!isProfile(profile))
      throw new Failure("INVALID_INPUT", `There is no profile ${JSON.stringify(profile)}.`);
    await this.#reopen({ profile });
    this.#profile = profile;
  }

  async setModel(model: string): Promise<void> {
    requireKnown(model, await this.#wield.models());
    await this.#reopen({ model });
    this.#model = model;
  }

  async prompt(blocks: readonly ContentBlock[], cancelled: AbortSignal): Promise<PromptResponse> {
    if (this.#running) throw RequestError.invalidRequest(undefined, "this session is answering already");
    const running = new AbortController();
    this.#running = running;
    const signal = AbortSignal.any([running.signal, cancelled]);
    try {
      const message = messageFrom(blocks, this.#wield.workspace.root);
      const done = await runCommand(message.text, this.#wield, this.#agent, signal);
      if (typeof done === "string") {
        await this.#send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: done } });
        return { stopReason: "end_turn" };
      }
      return await this.#ended(done ?? (await this.#agent.send(message, signal)));
    } finally {
      this.#running = undefined;
      await this.#updates.flushed();
    }
  }

  /** Changes that are made stay made; the model is not asked again. */
  cancel(): void {
    this.#running?.abort();
  }

  async close(): Promise<void> {
    this.cancel();
    this.#updates.close();
    await this.#wield.close();
  }

  /** The same session with another agent or model, from the next message on. */
  async #reopen(change: { profile?: ProfileName; model?: string }): Promise<void> {
    if (this.#running)
      throw new Failure("CONFLICT", "The agent is answering. Wait for it, or cancel it first.");
    // A session without a message is not stored yet, so it cannot be opened again.
    const begun = (await this.#wield.store.session(this.id)) !== undefined;
    const model = change.model ?? this.#model;
    this.#agent = await this.#wield.agent({
      ...(begun ? { session: this.id } : { newSession: this.id }),
      profile: change.profile ?? this.#profile,
      ...(model !== undefined && { model }),
    });
  }

  /** If the protocol has no code for why it stopped, the text explains it. */
  async #ended({ stop, message }: RunResult): Promise<PromptResponse> {
    if (stop === "error") throw new RequestError(-32603, message ?? "The model gave no answer.");
    if (message !== undefined && stop !== "aborted")
      await this.#send({
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: `\n\n${message}` },
      });
    return { stopReason: stopReasons[stop] };
  }
}

const stopReasons = {
  done: "end_turn",
  steps: "max_turn_requests",
  loop: "max_turn_requests",
  time: "max_turn_requests",
  tokens: "max_tokens",
  cost: "max_tokens",
  aborted: "cancelled",
} as const;

async function soon(): Promise<undefined> {
  await new Promise((done) => setTimeout(done, modelsMs).unref());
}
