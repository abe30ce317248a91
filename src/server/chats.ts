import type { Agent, RunResult } from "../agent/agent.ts";
import type { PersonMessage } from "../agent/attachments.ts";
import { chatPrefix, currentEntries, isResearchPhase, type LogData } from "../agent/log.ts";
import { profileNamed } from "../agent/profiles.ts";
import type { Compacted } from "../agent/take-step.ts";
import type { CallChangeView, ChangeView } from "../api/changes.ts";
import type { RewoundView } from "../api/rewind.ts";
import type { ContextView, QueuedView, SessionSummary, SessionView } from "../api/sessions.ts";
import type { AgentOptions } from "../app/agent-options.ts";
import type { RewindWhat } from "../app/rewind.ts";
import type { Wield } from "../app/wield.ts";
import type { Asker } from "../approval/approval.ts";
import { type PermissionMode, planNotice } from "../approval/modes.ts";
import type { StopReason } from "../events/agent-events.ts";
import type { WieldEvent } from "../events/events.ts";
import { Failure } from "../failure/failure.ts";
import { requireKnown } from "../model/known-models.ts";
import type { CallOutcome } from "../runtime/runtime.ts";
import type { SessionRecord } from "../store/store.ts";
import { lineTotals } from "../text/diff.ts";
import { newId } from "../text/ids.ts";
import { emptyMessage } from "./chat-log.ts";
import { ChatRuns } from "./chat-runs.ts";
import type { Feed } from "./feed.ts";
import { MessageQueues } from "./message-queues.ts";
import { ResearchPages } from "./research-pages.ts";
import { reverseByPerson } from "./reverse.ts";
import { sessionMessages } from "./session-messages.ts";

/** Agent options that a page may choose. */
export type MessageOptions = Pick<AgentOptions, "profile" | "mode" | "effort">;
export type ChatOptions = MessageOptions & { model?: string };

/** How many of the newest changes of a session can be undone from the chat. */
const mostChanges = 1000;

/** The sessions of the page: what they hold, and what a person does in them. */
export class Chats {
  readonly #wield: Wield;
  readonly #feed: Feed;
  readonly #researchPages: ResearchPages;
  readonly #runs: ChatRuns;
  readonly #queues: MessageQueues<MessageOptions>;
  /** What the person did themselves; sent to the model with their next message. */
  readonly #pendingNotices = new Map<string, string[]>();
  /** Models chosen for single sessions, until this process ends. */
  readonly #models = new Map<string, string>();
  #closing = false;
  /** Tokens of the last request of each session, and what it may have. */
  readonly #contexts = new Map<string, ContextView>();
  /** The session of each running call. */
  readonly #sessionOfCall = new Map<string, string>();
  readonly #stopListening: () => void;

  constructor(wield: Wield, feed: Feed, person: Asker) {
    this.#wield = wield;
    this.#feed = feed;
    this.#researchPages = new ResearchPages(wield, person);
    this.#queues = new MessageQueues(() => feed.announce("queue-change"));
    this.#runs = new ChatRuns({
      feed,
      entries: (session) => wield.store.entries(session),
      ended: (session, how) => this.#ended(session, how),
    });
    this.#stopListening = wield.on((event) => this.#tell(event));
  }

  /** Of this folder, or of all. */
  async list(query: string, limit: number, everywhere: boolean): Promise<SessionSummary[]> {
    const { store, sessions } = this.#wield;
    const records = await (everywhere
      ? store.sessions({ prefix: chatPrefix, limit, query })
      : sessions.list(limit, query));
    return records.filter(({ id }) => !isResearchPhase(id)).map((record) => this.#summary(record));
  }

  contextOf(id: string): ContextView {
    return this.#contexts.get(id) ?? {};
  }

  async view(id: string): Promise<SessionView> {
    const { turn } = this.#runs;
    const record = await this.#wield.store.session(id);
    if (!record) throw new Failure("FILE_NOT_FOUND", "This session does not exist.");
    const entries = await this.#wield.store.entries(id);
    const messages = await sessionMessages(this.#wield.store, entries);
    // The log and the present run must match: a run that began or ended in between would be lost or shown twice.
    if (turn !== this.#runs.turn) return this.view(id);
    const running = this.#runs.of(id);
    const last = entries.at(-1)?.data as LogData | undefined;
    const present = messages.findIndex((message) => message.id === running?.message?.id);
    return {
      session: this.#summary(record),
      messages: present < 0 ? messages : messages.slice(0, present),
      ...(running && { chunks: running.message?.stream.course ?? [] }),
      cursor: this.#feed.cursor,
      unfinished: !running && last !== undefined && last.kind !== "end" && last.kind !== "rewind",
    };
  }

  async start(said: PersonMessage, options: ChatOptions): Promise<string> {
    const { model } = options;
    if (model !== undefined) requireKnown(model, await this.#wield.models());
    const id = newId("a");
    const agent: Agent = await this.#wield.agent({
      ...options,
      ...this.#researching(id, options.profile),
      newSession: id,
      nextMessage: () => this.#nextMessage(agent),
    });
    if (model !== undefined) this.#models.set(agent.session, model);
    const { begun } = this.#runs.start(agent.session, (signal) => agent.send(said, signal));
    // From here on the session can be asked for by its id.
    await begun.promise;
    return agent.session;
  }

  async say(id: string, said: PersonMessage, options: MessageOptions = {}): Promise<void> {
    const agent = await this.#open(id, options);
    this.#runs.start(agent.session, (signal) => this.#send(agent, said, signal));
  }

  async modelOf(id: string): Promise<string | null> {
    return this.#models.get((await this.record(id)).id) ?? null;
  }

  /** Takes effect with the next message. */
  async chooseModel(id: string, model: string): Promise<void> {
    const { id: session } = await this.record(id);
    requireKnown(model, await this.#wield.models());
    // Opening an agent stores nothing; an unavailable model is rejected now instead of with the next message.
    await this.#wield.agent({ session, model });
    this.#models.set(session, model);
    this.#feed.announce("settings-change");
  }

  /** The permission mode of a session. */
  async modeOf(id: string): Promise<PermissionMode> {
    const { id: session } = await this.record(id);
    return this.#wield.settings.modeOf(session);
  }

  /** From the next call on, and remembered for the folder: a new chat begins with it. */
  async setMode(mode: PermissionMode, id?: string): Promise<void> {
    if (id === undefined) await this.#wield.settings.setMode(mode, { folder: true });
    else {
      const before = await this.modeOf(id);
      await this.#wield.settings.setMode(mode, { session: id, folder: true });
      this.#tellLater(id, planNotice(before, mode));
    }
    this.#feed.announce("settings-change");
  }

  /** The changes that a session's calls made and that can be undone or redone. */
  async changes(id: string): Promise<CallChangeView[]> {
    const entries = await this.#wield.store.entries((await this.record(id)).id);
    const callIds = currentEntries(entries)
      .map(({ data }) => data as LogData)
      .flatMap((entry) => (entry.kind === "step" ? entry.calls.map((call) => call.id) : []));
    const changes = await this.#wield.changes.list({ callIds, limit: mostChanges });
    return changes
      .filter(({ undoable }) => undoable)
      .map(({ id: change, callId, state, files }) => {
        const lines = files.map(lineTotals);
        const added = lines.reduce((sum, file) => sum + file.added, 0);
        const removed = lines.reduce((sum, file) => sum + file.removed, 0);
        return { id: change, callId, state, files: files.map(({ path }) => path), added, removed };
      });
  }

  /** What one call of a session changed, with diffs. */
  async changesOf(id: string, callId: string): Promise<ChangeView[]> {
    await this.record(id);
    return this.#wield.changes.list({ callIds: [callId], limit: mostChanges });
  }

  /** The model learns of it. */
  async reverse(
    id: string,
    tool: "undo" | "redo",
    changeId: readonly string[],
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const { id: session } = await this.record(id);
    const outcome = await reverseByPerson(this.#wield, tool, { changeId: [...changeId] }, signal);
    if (outcome.result.ok) this.#tellLater(session, [`The person used ${tool}. ${outcome.text}`]);
    return outcome;
  }

  /** What the person did; the agent is told with their next message. */
  async tellLater(id: string, what: string): Promise<void> {
    const { id: session } = await this.record(id);
    this.#tellLater(session, [what]);
  }

  /** The choices for a session also apply to one that continues it. */
  takeOver(from: string, to: string): void {
    const model = this.#models.get(from);
    if (model !== undefined) this.#models.set(to, model);
    this.#tellLater(to, this.#pendingNotices.get(from) ?? []);
  }

  #tellLater(session: string, notices: readonly string[]): void {
    if (notices.length > 0)
      this.#pendingNotices.set(session, [...(this.#pendingNotices.get(session) ?? []), ...notices]);
  }

  /** The running agent gets the message before its next step; without a run it is sent at once. The queue is lost when this process ends. */
  async queue(id: string, said: PersonMessage, options: MessageOptions = {}): Promise<void> {
    const { id: session } = await this.record(id);
    // Between two runs a new message must not overtake the queue.
    if (this.#runs.of(session) || this.#queues.next(session)) this.#queues.add(session, said, options);
    else await this.say(session, said, options);
  }

  async queued(id: string): Promise<QueuedView[]> {
    const { id: session } = await this.record(id);
    return this.#queues.list(session).map(({ id: message, held, said: { text, attachments = [] } }) => ({
      ...{ id: message, held, text },
      attached: attachments.map(({ name }) => name),
    }));
  }

  async withdraw(id: string, message: string): Promise<PersonMessage> {
    return this.#queues.take((await this.record(id)).id, message).said;
  }

  async resume(id: string): Promise<void> {
    const agent = await this.#open(id);
    this.#runs.start(agent.session, async (signal) => {
      const entries = await this.#wield.store.entries(id);
      const last = (await sessionMessages(this.#wield.store, entries)).at(-1);
      // Continues a run that an earlier process left unfinished, in the same message.
      this.#runs.begin(
        id,
        last?.role === "assistant" && !last.metadata ? last : emptyMessage(entries.length),
      );
      return agent.resume(signal);
    });
  }

  /** Takes the conversation, the files or both back to before a message. */
  async rewind(id: string, to: number, what: RewindWhat): Promise<RewoundView> {
    await this.record(id);
    const rewound = await this.#runs.between(id, () => this.#wield.sessions.rewind(id, to, what));
    if (rewound.files.length > 0) this.#feed.announce("files-change");
    if (what === "files") {
      const paths = rewound.files.join(", ");
      this.#tellLater(id, [`The person took these files back to how they were before: ${paths}.`]);
    }
    return rewound;
  }

  /** Replaces the conversation so far by a summary, for the model. */
  async compact(id: string): Promise<Compacted | undefined> {
    const agent = await this.#open(id);
    return this.#runs.between(id, () => agent.compact());
  }

  stop(id: string): void {
    const running = this.#runs.of(id);
    // Between two runs, stops the next one.
    if (running) running.stop.abort();
    else this.#queues.hold(id);
  }

  /** The session of a running call; undefined for calls that no agent made. */
  async chatOf(callId: string): Promise<{ id: string; title: string } | undefined> {
    const session = this.#sessionOfCall.get(callId);
    const record = session === undefined ? undefined : await this.#wield.store.session(session);
    return record && { id: record.id, title: record.title };
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#runs.stopAll();
    this.#stopListening();
    this.#researchPages.close();
  }

  async #open(id: string, options: MessageOptions = {}): Promise<Agent> {
    const record = await this.record(id);
    this.refuseIfRunning(id);
    const model = this.#models.get(id);
    const chosen = model === undefined ? {} : { model };
    const profile = options.profile ?? profileNamed(record.agent);
    const nextMessage = () => this.#nextMessage(agent);
    const agent: Agent = await this.#wield.agent({
      ...{ session: id, ...chosen, ...options, nextMessage },
      ...this.#researching(id, profile),
    });
    return agent;
  }

  /** A research reads many pages: within its budget nobody is asked for each. */
  #researching(session: string, profile: AgentOptions["profile"]): Pick<AgentOptions, "asker"> {
    return profile === "research" ? { asker: this.#researchPages.askerFor(session) } : {};
  }

  /** What the person queued for the agent that works now; a message for another profile waits until the run is over. */
  #nextMessage({ session, profile }: Agent): PersonMessage | undefined {
    const next = this.#queues.next(session);
    if (!next || (next.options.profile ?? profile) !== profile) return undefined;
    return this.#queues.take(session, next.id).said;
  }

  async #send(agent: Agent, said: PersonMessage, signal: AbortSignal): Promise<RunResult> {
    for (const told of this.#pendingNotices.get(agent.session) ?? []) agent.tell(told);
    this.#pendingNotices.delete(agent.session);
    return agent.send(said, signal);
  }

  #ended(session: string, how: StopReason): void {
    // If the run did not end normally, the person decides what to send.
    if (how === "done" && !this.#closing) void this.#sayNext(session);
    else this.#queues.hold(session);
  }

  async #sayNext(id: string): Promise<void> {
    const next = this.#queues.next(id);
    if (!next) return;
    try {
      const agent = await this.#open(id, next.options);
      if (this.#closing) return;
      // The message may have been withdrawn while the agent was opened.
      if (this.#queues.next(id) !== next) return await this.#sayNext(id);
      this.#runs.start(agent.session, (signal) => {
        this.#queues.take(id, next.id);
        return this.#send(agent, next.said, signal).catch((error: unknown) => {
          this.#queues.hold(id, next);
          throw error;
        });
      });
    } catch {
      // If a run is active, the message is queued again; if the run could not start, the person decides.
      if (!this.#runs.of(id)) this.#queues.hold(id);
    }
  }

  refuseIfRunning(session: string): void {
    this.#runs.refuseIfRunning(session);
  }

  /** A session of this folder. */
  async record(id: string): Promise<SessionRecord> {
    const record = await this.#wield.store.session(id);
    if (record?.workspace === this.#wield.workspace.root) return record;
    throw new Failure("FILE_NOT_FOUND", "This session does not exist in this folder.");
  }

  #summary({ id, agent, title, at, updated, pinned, workspace }: SessionRecord): SessionSummary {
    const running = this.#runs.of(id) !== undefined;
    const { worktrees } = this.#wield;
    const worktree = worktrees.list().find(({ folder }) => folder === workspace)?.name;
    const worktreeEnd = worktrees.endIn(workspace);
    const elsewhere =
      workspace === this.#wield.workspace.root
        ? {}
        : {
            folder: workspace,
            ...(worktree !== undefined && { worktree }),
            ...(worktreeEnd !== undefined && { worktreeEnd }),
          };
    return {
      id,
      agent: profileNamed(agent),
      title,
      at,
      updated,
      running,
      pinned: pinned === true,
      ...elsewhere,
    };
  }

  #tell(event: WieldEvent): void {
    if (event.type === "process-change") {
      this.#feed.announce("processes-change");
      // Its changes may now wait for approval.
      if (event.state !== "running") this.#feed.announce("approvals-change");
      return;
    }
    if (event.type === "call-start") this.#sessionOfCall.set(event.callId, event.session);
    const session = "session" in event ? event.session : this.#sessionOfCall.get(event.callId);
    if (session === undefined) return;
    if (event.type === "step-end")
      this.#contexts.set(session, { tokens: event.context, budget: event.contextBudget });
    this.#runs.take(session, event);
    if (event.type === "files-change") this.#feed.announce("files-change");
    if (event.type !== "call-end") return;
    this.#sessionOfCall.delete(event.callId);
    if (/(Document|Suggestions)$/.test(event.record.tool)) this.#feed.announce("documents-change");
  }
}
