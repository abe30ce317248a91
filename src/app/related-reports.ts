import { Failure } from "../failure/failure.ts";
import type { Wield } from "./wield.ts";

const maxRelated = 5;

/** Earlier reports of this workspace that share words with the idea, best first. */
export async function relatedReports(wield: Wield, idea: string): Promise<string[]> {
  const words = new Set(wordsOf(idea));
  const scored: { path: string; score: number }[] = [];
  const reading = wield.workspace.readEach({ under: "ideas" }, (entry, read) => {
    if (!entry.path.endsWith("/research.md") || !wield.settings.mayRead("read_file", entry.path)) return;
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

/** Words of at least four letters, and each sign of scripts that are written without spaces. */
function wordsOf(text: string): string[] {
  const words =
    text.toLowerCase().match(/\p{L}{4,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/gu) ?? [];
  return words.map((word) => word.replace(/s$/, ""));
}
