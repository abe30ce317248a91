import { finishedRun } from "../agent/finished-run.ts";
import { finishReport } from "../agent/report.ts";
import { Failure } from "../failure/failure.ts";
import { webParts } from "../web/web-settings.ts";
import { convertReport, reportFormats } from "./report-formats.ts";
import type { Research } from "./research.ts";
import { type ResearchFiles, researchLog, writeResearch } from "./research-files.ts";
import { recordedResearch } from "./research-session.ts";
import type { Wield } from "./wield.ts";

/** The answer of a session as a file: the report in a format, or `log`, all that was done. */
export async function sessionReport(
  wield: Wield,
  session: string,
  format: string,
): Promise<{ name: string; bytes: Buffer }> {
  const research = await researchOf(wield, session);
  if (format === "log")
    return { name: "exploration.md", bytes: Buffer.from(await researchLog(wield, research)) };
  const known = reportFormats.find((each) => each === format);
  if (!known) throw new Failure("INVALID_INPUT", `The formats: ${reportFormats.join(", ")} and log.`);
  const bytes = await convertReport(research.text, known, browserOf(wield));
  return { name: `research.${known}`, bytes };
}

/** Writes the report of a session and its log into `ideas/`, as `wield research` does. */
export async function saveSessionReport(wield: Wield, session: string): Promise<ResearchFiles> {
  const research = await researchOf(wield, session);
  return writeResearch(wield, research, { format: "md", browser: browserOf(wield) });
}

async function researchOf(wield: Wield, session: string): Promise<Research> {
  const { store, workspace } = wield;
  const record = await store.session(session);
  const run =
    record && record.workspace === workspace.root ? finishedRun(await store.entries(session)) : undefined;
  if (!record || !run) throw new Failure("FILE_NOT_FOUND", "There is no answer in this session yet.");
  const recorded = await recordedResearch(wield, session);
  if (recorded?.result?.text === run.text) return { session, idea: recorded.given.idea, ...recorded.result };
  const { steps, usage } = run;
  const report = finishReport(run.text, run.sources);
  const parts = { questions: [], refused: [], sessions: [session], model: "" };
  return { ...report, ...parts, session, idea: record.title, steps, usage };
}

function browserOf({ settings }: Wield) {
  return webParts(settings.user().web, {}).browser;
}
