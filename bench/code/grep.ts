// The grep tool, called as a model would, beside ripgrep as a process: selective and common patterns, index warm and cold.
import { execFileSync, spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import type { Wield } from "../../src/app/wield.ts";
import { verdict } from "../measure.ts";
import { median, ms, ratio, time } from "./measuring.ts";

const common = ["return", "import", "error"];

export async function grepRows(warm: Wield, cold: Wield, tree: string, names: string[]): Promise<void> {
  console.log("\ngrep");
  const selective = names.slice(0, 20);
  const rare = await beside(warm, tree, selective);
  verdict(
    `selective pattern: ours p50 ${ms(rare.ours)}, ripgrep ${ms(rare.theirs)}: ${ratio(rare.theirs, rare.ours)} as fast`,
    "≥ 3×",
    rare.theirs >= 3 * rare.ours,
  );
  const broad = await beside(warm, tree, [...common, ...common, ...common]);
  verdict(
    `common pattern: ours p50 ${ms(broad.ours)}, ripgrep ${ms(broad.theirs)}: ${ratio(broad.ours, broad.theirs)} of its time`,
    "≤ 1.3×",
    broad.ours <= 1.3 * broad.theirs,
  );
  const unprepared = await beside(cold, tree, selective);
  const start = median(await repeated(9, () => execFileSync(process.execPath, ["-e", "0"])));
  verdict(
    `index cold: ours p50 ${ms(unprepared.ours)}, ripgrep ${ms(unprepared.theirs)} and a process start ${ms(start)}`,
    "≤ both together",
    unprepared.ours <= unprepared.theirs + start,
  );
}

/** Medians, the two taking turns. */
async function beside(
  wield: Wield,
  tree: string,
  patterns: string[],
): Promise<{ ours: number; theirs: number }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (const pattern of patterns) {
    ours.push(await time(() => wield.call("grep", { pattern })));
    theirs.push(
      await time(() =>
        spawnSync(rgPath, ["--no-config", "--hidden", "-n", "-e", pattern, tree], { maxBuffer: 1 << 30 }),
      ),
    );
  }
  return { ours: median(ours), theirs: median(theirs) };
}

async function repeated(times: number, work: () => unknown): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push(await time(work));
  return found;
}
