import { summaryText } from "../agent/conversation.ts";
import { sessionAsMarkdown } from "../agent/export.ts";
import { findSession } from "../agent/log.ts";
import { profileNames } from "../agent/profiles.ts";
import { exportFormats, exportSession } from "../app/export-session.ts";
import type { OwnAgent } from "../app/own-agents.ts";
import { messageFor, type OwnCommand } from "../app/own-commands.ts";
import { permissionModes } from "../approval/modes.ts";
import { efforts } from "../model/effort.ts";
import type { SessionRecord } from "../store/store.ts";
import { nearestNames } from "../text/nearest.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { writeNew } from "../workspace/state-files.ts";
import { chooseEffort, chooseModel, chooseProfile } from "./chat-choices.ts";
import { type ChatContext, printUnfinished } from "./chat-context.ts";
import { reviewMessage, showDiff } from "./chat-git.ts";
import { choosePermissions } from "./chat-permissions.ts";
import { showProcesses } from "./chat-processes.ts";
import { rewindChat } from "./chat-rewind.ts";
import { serverPrompt, showServers } from "./chat-servers.ts";
import { reversal } from "./chat-undo.ts";
import { useWorktree } from "./chat-worktree.ts";
import { columns, UsageError } from "./command.ts";
import { costText, count } from "./cost-text.ts";
import { showDocuments } from "./documents.ts";
import { localTime } from "./local-time.ts";
import { planText } from "./plan.ts";
import { history } from "./recap.ts";
import { type Io, painter } from "./terminal.ts";

interface ChatCommand {
  name: string;
  usage?: string;
  help: string;
  /** A text that it gives is sent as the person's message. */
  run(chat: ChatContext, args: readonly string[]): Promise<string | undefined>;
}

const does =
  (work: (chat: ChatContext, args: readonly string[]) => Promise<void>): ChatCommand["run"] =>
  async (chat, args) => {
    await work(chat, args);
    return undefined;
  };

/** Commands that run without the model, except those that send a message. */
const chatCommands: readonly ChatCommand[] = [
  {
    name: "/rewind",
    usage: "[n] [what]",
    help: "Go back to before one of your messages: the conversation, the files or both",
    run: does(rewindChat),
  },
  {
    name: "/undo",
    usage: "[count | ids]",
    help: "Undo the last change, several, or those with these ids; asks if the agent did not make it here",
    run: does(reversal("undo")),
  },
  {
    name: "/redo",
    usage: "[count | ids]",
    help: "Redo the last undone change",
    run: does(reversal("redo")),
  },
  {
    name: "/processes",
    usage: "[id | open id | stop id]",
    help: "List what runs in the background, show its output, open it in your browser, or stop it",
    run: does(({ wield, io }, args) => showProcesses(wield, args, io)),
  },
  { name: "/changes", help: "List the changes", run: does(showChanges) },
  {
    name: "/diff",
    usage: "[path | revision]",
    help: "Show what is not committed yet, or the difference to a commit or branch",
    run: does(showDiff),
  },
  {
    name: "/review",
    usage: "[what]",
    help: "Ask the agent to review what is not committed, a branch or a file",
    run: async (_, args) => reviewMessage(args),
  },
  { name: "/model", usage: "[name]", help: "List the models, or switch to one", run: does(chooseModel) },
  {
    name: "/effort",
    usage: "[level]",
    help: `How much the model thinks first: ${efforts.join(", ")}`,
    run: does(chooseEffort),
  },
  {
    name: "/mode",
    usage: "[mode [folder]]",
    help: `What is asked about: ${permissionModes.join(", ")}; with folder, also for later sessions`,
    // People look for profiles here, too; no mode has the name of one.
    run: does((chat, args) =>
      profileNames.some((name) => name === args[0]?.toLowerCase())
        ? chooseProfile(chat, args)
        : choosePermissions(chat.permissions, args, chat.io),
    ),
  },
  {
    name: "/profile",
    usage: "[name]",
    help: `How the agent works: ${profileNames.join(", ")}; the conversation stays`,
    run: does(chooseProfile),
  },
  { name: "/plan", help: "Show the plan of this folder", run: does(showPlan) },
  {
    name: "/documents",
    usage: "[id | words]",
    help: "List or search the documents of this folder, or show one",
    run: does(({ wield, io }, args) => showDocuments(wield, args, io)),
  },
  {
    name: "/worktree",
    usage: "[new | name | merge | keep | discard]",
    help: "Start a new session in a git worktree, on a branch of its own (this conversation stays here); or end the one that this chat works in",
    run: does(useWorktree),
  },
  { name: "/cost", help: "What this session, the day and each model cost", run: does(showCost) },
  { name: "/compact", help: "Replace the conversation with a summary to free space", run: does(compact) },
  { name: "/init", help: "Write AGENTS.md from a look at the project", run: async () => initMessage },
  {
    name: "/continue",
    help: "Go on with a run that was stopped or interrupted",
    run: does(({ goOn }) => goOn()),
  },
  { name: "/clear", help: "Start a new session with an empty conversation", run: does(clear) },
  { name: "/resume", usage: "[id]", help: "Continue an earlier session", run: does(resume) },
  {
    name: "/mcp",
    usage: "[add name…]",
    help: "MCP servers: their prompts (/server:prompt) and resources (@server:uri); add servers that were found",
    run: does(({ wield, io }, args) => showServers(wield, args, io)),
  },
  {
    name: "/show",
    usage: "<id>",
    help: "Show a session, such as a run that the agent delegated to",
    run: does(showSession),
  },
  {
    name: "/export",
    usage: "[format]",
    help: `Save the conversation as a file: ${exportFormats.join(", ")}`,
    run: does(exportChat),
  },
  {
    name: "/agents",
    help: "Agents that tasks can be given to by name",
    run: does(async ({ io, wield }) => io.out(agentsText(await wield.agents()))),
  },
  {
    name: "/exit",
    help: "Quit (also Ctrl+D)",
    run: does(async (chat) => {
      chat.left = true;
    }),
  },
  {
    name: "/help",
    help: "This list",
    run: does(async (chat) => chat.io.out(helpText(chat.io, await chat.wield.commands()))),
  },
];

/** Runs a command; a text that it gives is to be sent. */
export async function runChatCommand(text: string, chat: ChatContext): Promise<string | undefined> {
  const [name = "", ...args] = text.split(/\s+/);
  const command = chatCommands.find((known) => known.name === name);
  if (command) return command.run(chat, args);
  const prompt = await serverPrompt(text, chat);
  if (prompt !== undefined) return prompt;
  const own = await chat.wield.commands();
  const message = messageFor(text, own);
  if (message !== undefined) return message;
  const names = [...chatCommands.map((known) => known.name), ...own.map((known) => `/${known.name}`)];
  const near = nearestNames(name, names);
  const meant = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  throw new UsageError(`There is no ${visibleLine(name)}.${meant} /help lists the commands.`);
}

/** For the menu while a command is typed. */
export function commandMenu(own: readonly OwnCommand[]): { name: string; help: string }[] {
  return [
    ...chatCommands.map(({ name, help }) => ({ name, help })),
    ...own.map(({ name, description }) => ({ name: `/${name}`, help: description })),
  ];
}

function helpText({ columns: width }: Io, own: readonly OwnCommand[]): string {
  const rows = [
    ...chatCommands.map(({ name, usage = "", help }) => [`${name} ${usage}`.trimEnd(), help]),
    ...own.map(({ name, description, from }) => [
      `/${name}`,
      visibleLine(from === undefined ? description : `${description} (${from})`),
    ]),
    ["!command", "Run a line in the shell, in the sandbox; the model sees it with your next message"],
    ["@path", "Name a file; a menu shows what there is, Tab completes"],
    ["Esc", "Stop the model, its changes stay; at an approval: no"],
    ["Shift+Tab", "Next permission mode"],
    ["\\", "At the end of a line: continue the message on the next line"],
    ["↑", "Earlier messages; while the model works, withdraw the queued message"],
  ];
  return wrap(columns(rows), width);
}

function agentsText(agents: readonly OwnAgent[]): string {
  if (agents.length === 0)
    return "There are none. An agent is a Markdown file with a description and instructions in ~/.config/wield/agents, or in .wield/agents of a trusted folder; those in .claude/agents and .opencode/agent are found, too.";
  return agents
    .map(({ name, description, source, from }) =>
      visibleLine(
        `${name}  ${description} (${from ?? source}${source === "workspace" ? ", this folder" : ""})`,
      ),
    )
    .join("\n");
}

const initMessage = `Look at this project: its README, manifests, scripts, tests, configuration and main folders. Then write AGENTS.md in the workspace root for agents that work here later: what the project is, how it is built, run, tested and checked (exact commands that you have seen in its files), how the code is laid out, conventions that are visible in the code, and pitfalls. At most 60 lines, nothing that is not in the files. If there is an AGENTS.md or CLAUDE.md already, improve it instead of starting anew. At the end, say that agents follow it once the person has run: wield trust`;

async function showCost({ wield, agent, io }: ChatContext): Promise<void> {
  const isBegun = (await wield.store.session(agent.session)) !== undefined;
  io.out(costText(await wield.cost.view(isBegun ? agent.session : undefined), io));
}

async function compact({ agent, io, whileWorking }: ChatContext): Promise<void> {
  io.out("Summarising …");
  const compacted = await whileWorking("it", async (signal) => ({
    value: await agent.compact(signal),
    isDone: true,
  }));
  if (!compacted) throw new UsageError("There is nothing to summarise yet.");
  const { before, after, summary } = compacted;
  io.out(wrap(visibleText(summaryText(summary)), io.columns));
  io.out(
    painter(io)("dim", `This is kept: ${count(before)} → ${count(after)} tokens. /rewind still goes back.`),
  );
}

async function clear(chat: ChatContext): Promise<void> {
  chat.agent = await chat.open({});
  chat.pendingNotices = [];
  chat.io.out(painter(chat.io)("dim", "A new session. /resume goes back to an earlier one."));
}

async function resume(chat: ChatContext, [id]: readonly string[]): Promise<void> {
  const { wield, io } = chat;
  const here = (await wield.sessions.list(30)).filter((each) => each.workspace === wield.workspace.root);
  const session = id ?? (await chooseSession(here));
  if (session === undefined) return;
  chat.agent = await chat.open({ session });
  chat.pendingNotices = [];
  for (const line of history(await wield.store.entries(chat.agent.session), io)) io.out(line);
  printUnfinished(chat);
}

async function chooseSession(sessions: readonly SessionRecord[]): Promise<string | undefined> {
  if (sessions.length === 0) throw new UsageError("There is no earlier session in this folder.");
  const { isCancel, select } = await import("@clack/prompts");
  const options = sessions.map(({ id, title, updated }) => ({
    value: id,
    label: visibleLine(title),
    hint: localTime(updated),
  }));
  const chosen = await select({ message: "Which session?", options, maxItems: 10 });
  return isCancel(chosen) ? undefined : chosen;
}

async function exportChat(
  { wield, agent, io }: ChatContext,
  [format = "md"]: readonly string[],
): Promise<void> {
  const known = exportFormats.find((each) => each === format);
  if (!known) throw new UsageError(`Use: /export ${exportFormats.join(" | ")}`);
  const record = await wield.store.session(agent.session);
  if (!record) throw new UsageError("There is nothing to save yet.");
  const { name, bytes } = await exportSession(record, await wield.sessions.log(record.id), known);
  // The person's own file, not a change of the run: /undo and /rewind leave it alone.
  io.out(`Saved ${writeNew(wield.workspace.root, name, bytes)}`);
}

async function showPlan({ wield, io }: ChatContext): Promise<void> {
  io.out(await planText(wield));
}

async function showChanges({ wield, io }: ChatContext): Promise<void> {
  const changes = await wield.changes.list({ limit: 10 });
  const lines = changes.map(({ id, state, description }) => `${id}  ${state}  ${visibleLine(description)}`);
  io.out(lines.length > 0 ? lines.join("\n") : "No changes yet.");
}

async function showSession({ wield, io }: ChatContext, [id]: readonly string[]): Promise<void> {
  if (id === undefined) throw new UsageError("Which session? Use: /show <id>");
  const record = await findSession(wield.store, id, wield.workspace.root);
  io.out(visibleText(sessionAsMarkdown(record, await wield.sessions.log(record.id))));
}
