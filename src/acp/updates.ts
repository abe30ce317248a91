import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Wield } from "../app/wield.ts";
import type { WieldEvent } from "../events/events.ts";
import type { EditorFiles } from "./editor-files.ts";
import { planUpdate } from "./plan.ts";
import { kindOf, locationsOf, madeDiff, textContent, titleOf } from "./tool-calls.ts";

interface Call {
  ref: string;
  /** The change that it proposed or made, or the terminal that it runs in. */
  shown: ToolCallContent[];
  /** What is shown has happened; otherwise it was only proposed. */
  made: boolean;
}

/** Tells a client what happens in a session, in the order in which it happens. */
export class Updates {
  readonly #wield: Wield;
  readonly #session: string;
  readonly #files: EditorFiles;
  readonly #notify: (update: SessionUpdate) => Promise<void>;
  readonly #calls = new Map<string, Call>();
  readonly #announced = new Set<string>();
  readonly #stop: () => void;
  #last: Promise<void> = Promise.resolve();

  constructor(
    wield: Wield,
    session: string,
    files: EditorFiles,
    notify: (update: SessionUpdate) => Promise<void>,
  ) {
    this.#wield = wield;
    this.#session = session;
    this.#files = files;
    this.#notify = notify;
    this.#stop = wield.on((event) => this.#hear(event));
  }

  send(update: SessionUpdate): Promise<void> {
    return this.#after(() => this.#notify(update));
  }

  /** Everything so far has been sent. */
  flushed(): Promise<void> {
    return this.#last;
  }

  close(): void {
    this.#stop();
  }

  refOf(callId: string): string {
    return this.#calls.get(callId)?.ref ?? callId;
  }

  proposed(callId: string, diffs: ToolCallContent[]): Promise<void> {
    const call = this.#calls.get(callId);
    if (call) call.shown = diffs;
    return this.flushed();
  }

  /** The call runs in this terminal of the client, which shows its output with the call. */
  inTerminal(callId: string, terminalId: string): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    call.shown = [{ type: "terminal", terminalId }];
    call.made = true;
    this.#show(call, call.shown);
  }

  /** A client that is gone hears nothing more; that must not end the run. */
  #after(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work).catch(() => undefined);
    return this.#last;
  }

  #hear(event: WieldEvent): void {
    if ("session" in event && event.session !== this.#session) return;
    switch (event.type) {
      case "text-delta":
        void this.send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: event.text } });
        break;
      case "reasoning-delta":
        void this.send({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: event.text } });
        break;
      case "input-start":
        this.#announce(event.ref, event.tool, undefined);
        break;
      case "call-start": {
        const ref = event.ref ?? event.callId;
        this.#calls.set(event.callId, { ref, shown: [], made: false });
        this.#announce(ref, event.tool, event.input);
        void this.send({
          ...{
            sessionUpdate: "tool_call_update",
            toolCallId: ref,
            status: "in_progress",
            rawInput: event.input,
          },
          title: titleOf(event.tool, event.input, this.#tool(event.tool)),
          locations: locationsOf(event.input, this.#wield.workspace.root),
        });
        break;
      }
      case "call-progress": {
        const call = this.#calls.get(event.callId);
        if (call) this.#show(call, [...call.shown, textContent(event.message)]);
        break;
      }
      case "files-change":
        this.#changed(event.callId, event.changeId, event.paths);
        break;
      case "call-result": {
        const call = this.#calls.get(event.callId) ?? { ref: event.ref, shown: [], made: false };
        void this.#after(async () => {
          // A proposal that came to nothing is not shown as a change.
          const shown = event.ok || call.made ? call.shown : [];
          await this.#notify({
            ...{ sessionUpdate: "tool_call_update", toolCallId: event.ref },
            status: event.ok ? "completed" : "failed",
            content: shown.length > 0 ? shown : [textContent(event.text)],
            rawOutput: { text: event.text },
          });
        });
        if (event.plan) void this.send(planUpdate(event.plan));
        break;
      }
      case "model-retry":
        this.#announced.clear();
        break;
      case "step-end":
        void this.send({ sessionUpdate: "usage_update", used: event.context, size: event.contextBudget });
        break;
      case "run-end":
        this.#calls.clear();
        this.#announced.clear();
        this.#tellTitle();
        break;
    }
  }

  #announce(ref: string, tool: string, input: unknown): void {
    if (this.#announced.has(ref)) return;
    this.#announced.add(ref);
    void this.send({
      ...{ sessionUpdate: "tool_call", toolCallId: ref, status: "pending", name: tool },
      title: titleOf(tool, input, this.#tool(tool)),
      kind: kindOf(tool, this.#tool(tool)),
    });
  }

  #changed(callId: string, changeId: string, paths: readonly string[]): void {
    const call = this.#calls.get(callId);
    if (call) call.made = true;
    for (const path of paths) this.#files.changing(path);
    void this.#after(async () => {
      const { workspace } = this.#wield;
      const texts = new Map<string, string | undefined>();
      for (const path of paths) texts.set(path, await this.#textOf(path));
      for (const path of paths) await this.#files.changed(path, texts.get(path));
      if (!call) return;
      const files = (await workspace.change(changeId))?.files ?? [];
      call.shown = files.map((file) => madeDiff(file, texts.get(file.path), workspace.root));
      await this.#notify({ sessionUpdate: "tool_call_update", toolCallId: call.ref, content: call.shown });
    });
  }

  async #textOf(path: string): Promise<string | undefined> {
    try {
      return (await this.#wield.workspace.read(path)).bytes.toString();
    } catch {
      return undefined;
    }
  }

  #show({ ref }: Call, content: ToolCallContent[]): void {
    void this.send({ sessionUpdate: "tool_call_update", toolCallId: ref, content });
  }

  #tellTitle(): void {
    void this.#after(async () => {
      const kept = await this.#wield.store.session(this.#session);
      if (!kept) return;
      const { title, updated: updatedAt } = kept;
      await this.#notify({ sessionUpdate: "session_info_update", title, updatedAt });
    });
  }

  #tool(name: string) {
    return this.#wield.tools.registry.get(name);
  }
}
