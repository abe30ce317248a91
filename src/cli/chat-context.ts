import type { Agent } from "../agent/agent.ts";
import type { AgentOptions } from "../app/agent-options.ts";
import type { Wield } from "../app/wield.ts";
import type { Effort } from "../model/effort.ts";
import { wrap } from "../text/wrap.ts";
import type { ChatPermissions } from "./chat-permissions.ts";
import type { RunningCalls } from "./running-calls.ts";
import { type Io, painter } from "./terminal.ts";

/** The parts of a conversation that the person's commands act on. */
export interface ChatContext {
  wield: Wield;
  io: Io;
  agent: Agent;
  /** What the person did themselves; sent to the model with their next message. */
  pendingNotices: string[];
  left: boolean;
  /** The folder that the chat goes on in after it was left here. */
  next?: string;
  permissions: ChatPermissions;
  /** How much the model thinks; undefined: as it does by itself. */
  effort: Effort | undefined;
  readonly running: RunningCalls;
  /** Goes on with a run that was interrupted or stopped. */
  goOn(): Promise<void>;
  /**
   * Work that Esc stops; `stops` says what. The person can write messages while it runs, which are sent afterwards, or come
   * back into the input if it was not done.
   */
  whileWorking<T>(
    stops: string,
    run: (signal: AbortSignal) => Promise<{ value: T; isDone: boolean }>,
  ): Promise<T>;
  /** Puts a text into the input. */
  giveBack(text: string): void;
  /** In a new session, or in an existing one. */
  open(options: Pick<AgentOptions, "session" | "model" | "profile">): Promise<Agent>;
}

const interrupted =
  "The last run of this session was interrupted. /continue continues it; or write a message.";

/** Nothing continues automatically: a model's answer costs money. */
export function printUnfinished({ agent, io }: Pick<ChatContext, "agent" | "io">): void {
  if (agent.unfinished) io.out(painter(io)("yellow", wrap(interrupted, io.columns)));
}
