import type { RunResult } from "../agent/agent.ts";
import { sessionAsMarkdown } from "../agent/export.ts";
import { Failure } from "../failure/failure.ts";
import { modelChoices } from "../model/providers.ts";
import { visibleLine } from "../text/visible.ts";
import type { AgentOptions } from "./agents.ts";
import type { Wield } from "./wield.ts";

export interface ResearchRun extends RunResult {
  /** Where the report and the log of the exploration are, in the workspace. */
  report?: string;
  log?: string;
}

/** The whole exploration of an idea: related research, the agent's work, the report and its log in the workspace. */
export async function researchIdea(
  wield: Wield,
  idea: string,
  options: AgentOptions = {},
  signal?: AbortSignal,
): Promise<ResearchRun> {
  const agent = await wield.agent({ ...options, profile: "research" });
  if (agent.model === "offline") {
    throw new Failure("UNAVAILABLE", `Research needs a language model. The choices:\n${modelChoices()}`);
  }
  const related = await relatedReports(wield, idea);
  const result = await agent.send(promptFor(idea, related), signal);
  const { text, session } = result;
  if (result.stop === "aborted" || result.stop === "error" || text.trim() === "") return result;
  const folder = await freeFolder(wield, idea);
  const [report, log] = [`${folder}/research.md`, `${folder}/exploration.md`];
  await save(wield, report, text.endsWith("\n") ? text : `${text}\n`);
  const record = await wield.store.session(session);
  if (record) await save(wield, log, sessionAsMarkdown(record, await wield.store.entries(session)));
  return { ...result, report, log };
}

const maxRelated = 5;

/** Earlier reports of this workspace that share words with the idea, best first. */
async function relatedReports(wield: Wield, idea: string): Promise<string[]> {
  const words = new Set(wordsOf(idea));
  const scored: { path: string; score: number }[] = [];
  const reading = wield.workspace.readEach({ under: "ideas" }, (entry, read) => {
    if (!entry.path.endsWith(".md") || !wield.settings.mayRead("read_file", entry.path)) return;
    const found = new Set(wordsOf(`${entry.path} ${read()?.toString() ?? ""}`));
    scored.push({ path: entry.path, score: [...words].filter((word) => found.has(word)).length });
  });
  await reading.catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxRelated)
    .map(({ path }) => path);
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.replace(/s$/, ""));
}

function promptFor(idea: string, related: readonly string[]): string {
  const known =
    related.length > 0
      ? `\n\nEarlier reports in this workspace that may bear on it:\n${related.map((path) => `- ${visibleLine(path)}`).join("\n")}`
      : "";
  return `Explore this idea and write the report: ${idea}${known}`;
}

async function freeFolder(wield: Wield, idea: string): Promise<string> {
  const slug = (idea.toLowerCase().match(/[a-z0-9]+/g) ?? ["idea"]).join("-").slice(0, 60).replace(/-$/, "");
  const base = `ideas/${new Date().toISOString().slice(0, 10)}-${slug}`;
  for (let count = 1; ; count++) {
    const folder = count === 1 ? base : `${base}-${count}`;
    const taken = await wield.workspace.stat(folder).then(
      () => true,
      () => false,
    );
    if (!taken) return folder;
  }
}

/** Through the runtime like every change: judged, recorded, undoable. */
async function save(wield: Wield, path: string, content: string): Promise<void> {
  const { result } = await wield.call("write_file", { path, content, createDirs: true });
  if (!result.ok)
    throw new Failure("EXECUTION_ERROR", `${path} could not be written: ${result.error.message}`);
}
