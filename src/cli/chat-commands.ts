import type { Agent } from "../agent/agent.ts";
import type { Wield } from "../app/wield.ts";
import { nearestNames } from "../text/nearest.ts";
import { visibleLine } from "../text/visible.ts";
import { columns, UsageError } from "./command.ts";
import { describe } from "./outcome.ts";
import type { Io } from "./terminal.ts";
import { whichChanges } from "./undo.ts";

/** A conversation as far as the person can do something about it. */
export interface Conversing {
  wield: Wield;
  io: Io;
  agent: Agent;
  left: boolean;
  /** In a session of its own. */
  begin(): Promise<Agent>;
}

interface ChatCommand {
  name: string;
  usage?: string;
  help: string;
  run(chat: Conversing, args: readonly string[]): Promise<void>;
}

/** What the person does without the model. */
const chatCommands: readonly ChatCommand[] = [
  {
    name: "/undo",
    usage: "[id]",
    help: "Take the last change back, or a certain one",
    run: reversal("undo"),
  },
  { name: "/redo", usage: "[id]", help: "Make it again", run: reversal("redo") },
  { name: "/changes", help: "What was changed", run: showChanges },
  {
    name: "/new",
    help: "A new session",
    run: async (chat) => {
      chat.agent = await chat.begin();
    },
  },
  {
    name: "/exit",
    help: "Leave (also Ctrl+D)",
    run: async (chat) => {
      chat.left = true;
    },
  },
  { name: "/help", help: "This list", run: async ({ io }) => io.out(helpText()) },
];

export async function runChatCommand(text: string, chat: Conversing): Promise<void> {
  const [name = "", ...args] = text.split(/\s+/);
  const command = chatCommands.find((known) => known.name === name);
  if (command) return command.run(chat, args);
  const [near] = nearestNames(
    name,
    chatCommands.map((known) => known.name),
  );
  throw new UsageError(
    `There is no ${visibleLine(name)}.${near ? ` Did you mean ${near}?` : ""}\n${helpText()}`,
  );
}

function helpText(): string {
  return columns([
    ...chatCommands.map(({ name, usage = "", help }) => [`${name} ${usage}`.trimEnd(), help]),
    ["Esc", "Stop the model; what it did stays"],
    ["@src/<Tab>", "Name a file"],
    ["\\", "At the end of a line: the message goes on in the next"],
    ["↑", "Earlier messages; while the model works, take back what was to be sent next"],
  ]);
}

function reversal(tool: "undo" | "redo"): ChatCommand["run"] {
  return async ({ wield, agent, io }, args) => {
    const outcome = await wield.call(tool, whichChanges(args, `/${tool}`));
    io.out(describe(outcome, io));
    if (outcome.result.ok) agent.tell(`The person used ${tool}. ${outcome.text}`);
  };
}

async function showChanges({ wield, io }: Conversing): Promise<void> {
  const changes = await wield.changes({ limit: 10 });
  const lines = changes.map(({ id, state, description }) => `${id}  ${state}  ${visibleLine(description)}`);
  io.out(lines.length > 0 ? lines.join("\n") : "No changes yet.");
}
