import { sessionAsJsonLines, sessionAsMarkdown } from "../agent/export.ts";
import type { Wield } from "../app/wield.ts";
import type { SessionRecord } from "../store/store.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { isAgreed } from "./agreed.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { localTime } from "./local-time.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

export const sessions: Command = {
  name: "sessions",
  summary: "List earlier sessions; export or delete one",
  usage: "[id | delete <id>]",
  completes: [{ known: ["delete"], lookup: "session" }, { lookup: "session" }],
  details: "What was deleted is gone from disk. Changes that it made to files stay, and can still be undone.",
  options: {
    yes: { short: "y", help: "Delete without asking" },
    markdown: { help: "Print the session as Markdown (default)" },
    jsonl: { help: "Print the session as JSON, one entry per line" },
    limit: { value: "N", short: "n", help: "How many to list, newest first (default 20)" },
    json: { help: "Print the list as JSON" },
    ...commonOptions,
  },
  examples: [
    { command: "wield sessions", note: "list the newest sessions of this folder" },
    { command: "wield sessions a_1b2c3d4e5f > session.md", note: "export one as Markdown" },
    { command: "wield sessions a_1b2c3d4e5f --jsonl", note: "export one as JSON" },
    { command: "wield sessions delete a_1b2c3d4e5f", note: "delete one, after a question" },
  ],
  async run(given, io) {
    const limit = Number(given.value("limit") ?? 20);
    if (!Number.isInteger(limit) || limit < 1)
      throw new UsageError("--limit takes a whole number of at least 1.");
    const wield = await openWield(given, io, []);
    try {
      const [id, which] = given.args;
      if (id === "delete") return await deleteOne(wield, which, given.flag("yes"), io);
      if (id === undefined && given.flag("json"))
        io.out(JSON.stringify(await wield.sessions.list(limit), null, 2));
      else if (id === undefined) io.out(await list(wield, limit, io));
      else {
        const text = await exported(wield, id, given.flag("jsonl"));
        io.out(io.terminal ? visibleText(text) : text);
      }
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

async function list(wield: Wield, limit: number, io: Io): Promise<string> {
  const paint = painter(io);
  const found = await wield.sessions.list(limit);
  const worktrees = new Map(wield.worktrees.list().map(({ folder, name }) => [folder, name]));
  const where = ({ workspace }: SessionRecord) =>
    workspace === wield.workspace.root ? "" : `[worktree ${worktrees.get(workspace)}] `;
  if (found.length === 0) return 'No sessions yet. Start one with: wield ask "Find all TODO comments"';
  return found
    .map(
      (each) =>
        `${paint("cyan", each.id)}  ${localTime(each.updated)}  ${each.agent.padEnd(8)}  ${where(each)}${visibleLine(each.title)}`,
    )
    .join("\n");
}

async function deleteOne(wield: Wield, id: string | undefined, yes: boolean, io: Io): Promise<number> {
  if (id === undefined) throw new UsageError("Which session? Use: wield sessions delete <id>");
  const { id: whole, title } = await wield.sessions.find(id);
  if (
    !yes &&
    !(await isAgreed(`Delete ${whole} (${visibleLine(title)})?`, "wield sessions delete <id> --yes", io))
  )
    return exit.failed;
  await wield.sessions.remove(whole);
  io.out(`Deleted ${whole}: ${visibleLine(title)}`);
  return exit.ok;
}

async function exported(wield: Wield, id: string, lines: boolean): Promise<string> {
  const record = await wield.sessions.find(id);
  const entries = await wield.sessions.log(record.id);
  return lines ? sessionAsJsonLines(record, entries) : sessionAsMarkdown(record, entries);
}
