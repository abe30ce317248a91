import { decide } from "../approval/decide.ts";
import { Failure } from "../failure/failure.ts";
import { newId } from "../text/ids.ts";
import type { BrowserSettings } from "../web/browser/launch.ts";
import type { Commit } from "../web/research/github-commit.ts";
import type { GitHubSettings } from "../web/web-settings.ts";
import { explorationLog } from "./exploration-log.ts";
import { convertReport, type ReportFormat } from "./report-formats.ts";
import type { Research } from "./research.ts";
import { freeFolder } from "./research-folder.ts";
import type { Wield } from "./wield.ts";

export interface ResearchFiles {
  /** Paths in the workspace: the report in the format that was asked for, and the log. */
  report: string;
  log: string;
  /** All of them, `research.md` too. */
  all: string[];
}

export interface ReportAs {
  format: ReportFormat;
  browser: BrowserSettings;
}

/** Writes `research.md` and `exploration.md`, and the report in another format if one is asked for; a research that was written already is left as it is. */
export async function writeResearch(wield: Wield, research: Research, as: ReportAs): Promise<ResearchFiles> {
  const log = await researchLog(wield, research);
  const folder = await folderOf(wield, research);
  const files = { report: `${folder}/research.md`, log: `${folder}/exploration.md` };
  // The log first: it names the research, so a process that takes over after a kill knows the folder.
  if ((await textOf(wield, files.log)) === undefined) await save(wield, files.log, log);
  if ((await textOf(wield, files.report)) === undefined) await save(wield, files.report, research.text);
  const all = [files.report, files.log];
  if (as.format === "md") return { ...files, all };
  const report = `${folder}/research.${as.format}`;
  if (!(await isThere(wield, report)))
    await saveBytes(wield, report, await convertReport(research.text, as.format, as.browser));
  return { ...files, report, all: [...all, report] };
}

/** Everything that was done for it, as Markdown. */
export async function researchLog({ store }: Wield, research: Research): Promise<string> {
  const phases = await Promise.all(
    research.sessions.map(async (id) => {
      const record = await store.session(id);
      if (!record) return [];
      const entries = await store.entries(id);
      const ids = entries.flatMap(({ data }) => {
        const entry = data as { kind: string; results?: { id: string }[] };
        return entry.kind === "results" ? (entry.results ?? []).map((result) => result.id) : [];
      });
      const calls = (await Promise.all(ids.map((call) => store.call(call)))).flatMap((call) => call ?? []);
      return [{ record, entries, calls }];
    }),
  );
  return explorationLog(research, phases.flat());
}

/** The folder that holds this research and nothing else, or a free one: what a person changed is not overwritten. */
async function folderOf(wield: Wield, { idea, session, text }: Research): Promise<string> {
  const record = await wield.store.session(session);
  const day = record ? new Date(record.at) : new Date();
  return freeFolder(wield.workspace, idea, day, async (folder) => {
    const log = await textOf(wield, `${folder}/exploration.md`);
    const report = await textOf(wield, `${folder}/research.md`);
    return log?.includes(`Research ${session} `) === true && (report ?? text) === text;
  });
}

async function textOf({ workspace }: Wield, path: string): Promise<string | undefined> {
  const file = await workspace.read(path).catch(() => undefined);
  return file?.bytes.toString();
}

/** Through the runtime like every change: judged, recorded, undoable. */
async function save(wield: Wield, path: string, content: string): Promise<void> {
  const { result } = await wield.call("write_file", { path, content, createDirs: true });
  if (!result.ok)
    throw new Failure("EXECUTION_ERROR", `${path} could not be written: ${result.error.message}`);
}

/** Binary files, which no tool writes: under the same rules, in the journal, undoable. */
async function saveBytes(wield: Wield, path: string, bytes: Buffer): Promise<void> {
  const effects = [{ kind: "write" as const, path, replaces: false }];
  const { decision, because } = decide(
    { tool: "write_file", byDefault: "auto", effects },
    wield.settings.policy(),
  );
  if (decision === "deny")
    throw new Failure(
      "APPROVAL_DENIED",
      `${path} was not written: ${because}. The report is in research.md.`,
    );
  const by = { callId: newId("c"), tool: "write_file", description: `The report as ${path}` };
  await wield.workspace.apply([{ op: "write", path, bytes }], by);
}

function isThere({ workspace }: Wield, path: string): Promise<boolean> {
  return workspace.stat(path).then(
    () => true,
    () => false,
  );
}

/** Adds the files of a research to the repository that the settings name, in one commit. */
export async function commitResearch(
  wield: Wield,
  { idea }: Pick<Research, "idea">,
  { all }: ResearchFiles,
  repository: GitHubSettings,
  signal?: AbortSignal,
): Promise<Commit> {
  const { commitToGitHub } = await import("../web/research/github-commit.ts");
  const url = repository.apiUrl ?? "https://api.github.com";
  const effects = [{ kind: "fetch" as const, url, method: "POST" }];
  const call = { tool: "read_research", byDefault: "auto" as const, effects };
  const { decision, because } = decide(call, wield.settings.policy());
  if (decision === "deny") throw new Failure("APPROVAL_DENIED", `Nothing was committed: ${because}.`);
  const files = await Promise.all(
    all.map(async (path) => ({ path, bytes: (await wield.workspace.read(path)).bytes })),
  );
  const title = idea.replaceAll(/\s+/g, " ").trim();
  const message = `research: ${title.length > 60 ? `${title.slice(0, 59)}…` : title}`;
  return commitToGitHub(repository, { message, files }, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    const why = (error instanceof Error ? error.message : String(error)).replace(/[^.?!]$/, "$&.");
    const again = "Commit it later with: wield research --continue --commit";
    throw new Failure("UNAVAILABLE", `The report is written, but not committed. ${why} ${again}`);
  });
}
