import { Failure } from "../failure/failure.ts";
import { explorationLog } from "./exploration-log.ts";
import type { Research } from "./research.ts";
import { freeFolder } from "./research-folder.ts";
import type { Wield } from "./wield.ts";

export interface ResearchFiles {
  /** Paths in the workspace. */
  report: string;
  log: string;
}

/** Writes `research.md` and `exploration.md`; a research that was written already is left as it is. */
export async function writeResearch(wield: Wield, research: Research): Promise<ResearchFiles> {
  const log = await logOf(wield, research);
  const folder = await folderOf(wield, research);
  const files = { report: `${folder}/research.md`, log: `${folder}/exploration.md` };
  // The log first: it names the research, so a process that takes over after a kill knows the folder.
  if ((await textOf(wield, files.log)) === undefined) await save(wield, files.log, log);
  if ((await textOf(wield, files.report)) === undefined) await save(wield, files.report, research.text);
  return files;
}

async function logOf({ store }: Wield, research: Research): Promise<string> {
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
