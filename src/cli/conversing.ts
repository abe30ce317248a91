import type { Agent } from "../agent/agent.ts";
import type { AgentOptions } from "../app/agents.ts";
import type { Wield } from "../app/wield.ts";
import type { Effort } from "../model/effort.ts";
import type { ChatPermissions } from "./chat-permissions.ts";
import type { Io } from "./terminal.ts";

/** The parts of a conversation that the person's commands act on. */
export interface Conversing {
  wield: Wield;
  io: Io;
  agent: Agent;
  /** What the person did themselves; sent to the model with their next message. */
  untold: string[];
  left: boolean;
  permissions: ChatPermissions;
  /** How much the model thinks; undefined: as it does by itself. */
  effort: Effort | undefined;
  /** Puts a text into the input. */
  giveBack(text: string): void;
  /** In a new session, or in an existing one. */
  open(options: Pick<AgentOptions, "session" | "model" | "profile">): Promise<Agent>;
}
