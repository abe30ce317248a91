import type { Agent } from "../agent/agent.ts";
import { sessionAsMarkdown } from "../agent/export.ts";
import { findSession } from "../agent/log.ts";
import { profileNames, profiles } from "../agent/profiles.ts";
import type { AgentOptions } from "../app/agents.ts";
import type { Wield } from "../app/wield.ts";
import { requireKnown } from "../model/known-models.ts";
import { nearestNames } from "../text/nearest.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { type ChatPermissions, choosePermissions } from "./chat-permissions.ts";
import { serverPrompt, showServers } from "./chat-servers.ts";
import { columns, UsageError } from "./command.ts";
import { describe } from "./outcome.ts";
import { knownProfile } from "./run-options.ts";
import type { Io } from "./terminal.ts";
import { whichChanges } from "./undo.ts";

/** The parts of a conversation that the person's commands act on. */
export interface Conversing {
  wield: Wield;
  io: Io;
  agent: Agent;
  /** What the person did themselves; sent to the model with their next message. */
  untold: string[];
  left: boolean;
  /** Sends a message to the model. */
  send(text: string): Promise<void>;
  permissions: ChatPermissions;
  /** In a new session, or in an existing one. */
  open(options: Pick<AgentOptions, "session" | "model" | "profile">): Promise<Agent>;
}

interface ChatCommand {
  name: string;
  usage?: string;
  help: string;
  run(chat: Conversing, args: readonly string[]): Promise<void>;
}

/** Commands that run without the model. */
const chatCommands: readonly ChatCommand[] = [
  {
    name: "/undo",
    usage: "[id]",
    help: "Undo the last change, or the one with this id",
    run: reversal("undo"),
  },
  { name: "/redo", usage: "[id]", help: "Redo the last undone change", run: reversal("redo") },
  { name: "/changes", help: "List the changes", run: showChanges },
  {
    name: "/model",
    usage: "[name]",
    help: "List the models, or switch to one",
    run: chooseModel,
  },
  {
    name: "/mode",
    usage: "[profile]",
    help: `How the agent works: ${profileNames.join(", ")}; the conversation stays`,
    run: chooseProfile,
  },
  {
    name: "/permissions",
    usage: "[mode [folder]]",
    help: "What is asked about: lists the modes, or changes to one, with folder also for later sessions",
    run: ({ permissions, io }, args) => choosePermissions(permissions, args, io),
  },
  {
    name: "/mcp",
    usage: "[add name…]",
    help: "MCP servers: their prompts (/server:prompt) and resources (@server:uri); add servers that were found",
    run: ({ wield, io }, args) => showServers(wield, args, io),
  },
  {
    name: "/show",
    usage: "<id>",
    help: "Show a session, such as a run that the agent delegated to",
    run: showSession,
  },
  {
    name: "/new",
    help: "Start a new session",
    run: async (chat) => {
      chat.agent = await chat.open({});
      chat.untold = [];
    },
  },
  {
    name: "/exit",
    help: "Quit (also Ctrl+D)",
    run: async (chat) => {
      chat.left = true;
    },
  },
  { name: "/help", help: "This list", run: async ({ io }) => io.out(helpText(io)) },
];

export async function runChatCommand(text: string, chat: Conversing): Promise<void> {
  const [name = "", ...args] = text.split(/\s+/);
  const command = chatCommands.find((known) => known.name === name);
  if (command) return command.run(chat, args);
  const prompt = await serverPrompt(text, chat);
  if (prompt !== undefined) return chat.send(prompt);
  const [near] = nearestNames(
    name,
    chatCommands.map((known) => known.name),
  );
  throw new UsageError(
    `There is no ${visibleLine(name)}.${near ? ` Did you mean ${near}?` : ""}\n${helpText(chat.io)}`,
  );
}

function helpText({ columns: width }: Io): string {
  const rows = [
    ...chatCommands.map(({ name, usage = "", help }) => [`${name} ${usage}`.trimEnd(), help]),
    ["Esc", "Stop the model; its changes stay"],
    ["Shift+Tab", "Next permission mode; the mode is shown before the input"],
    ["@src/<Tab>", "Complete a file name"],
    ["\\", "At the end of a line: continue the message on the next line"],
    ["↑", "Earlier messages; while the model works, withdraw the queued message"],
  ];
  return wrap(columns(rows), width);
}

function reversal(tool: "undo" | "redo"): ChatCommand["run"] {
  return async ({ wield, untold, io }, args) => {
    const outcome = await wield.call(tool, whichChanges(args, `/${tool}`), { byPerson: true });
    io.out(describe(outcome, io));
    if (outcome.result.ok) untold.push(`The person used ${tool}. ${outcome.text}`);
  };
}

async function showChanges({ wield, io }: Conversing): Promise<void> {
  const changes = await wield.changes.list({ limit: 10 });
  const lines = changes.map(({ id, state, description }) => `${id}  ${state}  ${visibleLine(description)}`);
  io.out(lines.length > 0 ? lines.join("\n") : "No changes yet.");
}

/** The most names of one provider that a list shows. */
const mostOfProvider = 20;

async function chooseModel(chat: Conversing, [wanted]: readonly string[]): Promise<void> {
  const { wield, agent, io } = chat;
  const known = await wield.models();
  if (wanted === undefined) {
    io.out(modelList(known.names, agent.model));
    return;
  }
  requireKnown(wanted, known);
  chat.agent = await chat.open({ model: wanted, ...(await begunSession(chat)) });
  io.out(`Model: ${visibleLine(chat.agent.model)}`);
}

async function chooseProfile(chat: Conversing, [wanted]: readonly string[]): Promise<void> {
  const { io, agent } = chat;
  if (wanted === undefined) {
    const rows = profileNames.map((name) => [
      `${name === agent.profile ? "●" : " "} ${name}`,
      profiles[name].hint,
    ]);
    io.out(wrap(columns(rows), io.columns));
    return;
  }
  const profile = knownProfile(wanted);
  chat.agent = await chat.open({ profile, ...(await begunSession(chat)) });
  io.out(`From here on: ${profiles[profile].label}. ${profiles[profile].hint}.`);
}

async function showSession({ wield, io }: Conversing, [id]: readonly string[]): Promise<void> {
  if (id === undefined) throw new UsageError("Which session? Use: /show <id>");
  const record = await findSession(wield.store, id, wield.workspace.root);
  io.out(visibleText(sessionAsMarkdown(record, await wield.store.entries(record.id))));
}

/** A session without a message is not in the store yet and cannot be continued. */
async function begunSession({ wield, agent }: Conversing): Promise<{ session?: string }> {
  return (await wield.store.session(agent.session)) === undefined ? {} : { session: agent.session };
}

function modelList(names: readonly string[], now: string): string {
  const byProvider = Map.groupBy(names, (name) => name.split("/")[0] ?? "");
  const lines = [...byProvider].flatMap(([provider, all]) => [
    ...all.slice(0, mostOfProvider).map((name) => `${name === now ? "●" : " "} ${visibleLine(name)}`),
    ...(all.length > mostOfProvider
      ? [`  … ${all.length - mostOfProvider} more of ${provider}: filter with /model and a part of the name`]
      : []),
  ]);
  return [...(names.includes(now) ? [] : [`● ${visibleLine(now)}`]), ...lines].join("\n");
}
