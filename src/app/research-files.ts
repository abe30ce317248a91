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

/** Writes `research.md` and `exploration.md`; a research that is written again keeps its folder. */
export async function writeResearch(wield: Wield, research: Research): Promise<ResearchFiles> {
  const log = await logOf(wield, research);
  const folder = await folderOf(wield, research);
  const files = { report: `${folder}/research.md`, log: `${folder}/exploration.md` };
  await save(wield, files.report, research.text);
  await save(wield, files.log, log);
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

/** The folder whose log names this research, or a free one. */
async function folderOf(wield: Wield, { idea, session }: Research): Promise<string> {
  const record = await wield.store.session(session);
  const day = record ? new Date(record.at) : new Date();
  return freeFolder(wield.workspace, idea, day, async (folder) => {
    const log = await wield.workspace.read(`${folder}/exploration.md`).catch(() => undefined);
    return log?.bytes.toString().includes(`Research ${session} `) ?? false;
  });
}

/** Through the runtime like every change: judged, recorded, undoable. */
async function save(wield: Wield, path: string, content: string): Promise<void> {
  const { result } = await wield.call("write_file", { path, content, createDirs: true });
  if (!result.ok)
    throw new Failure("EXECUTION_ERROR", `${path} could not be written: ${result.error.message}`);
}
