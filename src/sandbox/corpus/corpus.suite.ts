import type { Attempt, Case, World } from "./case.suite.ts";
import { fileCases } from "./files.suite.ts";
import { kernelCases } from "./kernel.suite.ts";
import { networkCases } from "./network.suite.ts";
import { processCases } from "./processes.suite.ts";
import { runCases } from "./run.suite.ts";
import { spaceCases } from "./space.suite.ts";

export const corpus: readonly Case[] = [
  ...fileCases,
  ...networkCases,
  ...kernelCases,
  ...processCases,
  ...spaceCases,
  ...runCases,
];

/** What is wrong with the outcome of a case, or null. */
export function verdict(test: Case, attempt: Attempt, world: World): string | null {
  const said = attempt.stdout + attempt.stderr;
  if (said.includes(world.marker)) return `the marker came out: ${said.slice(0, 300)}`;
  return test.judge?.(attempt, world) || null;
}

/** One script that carries out these cases one after the other; what each prints stands between lines with the mark. */
export function scriptOf(cases: readonly Case[], world: World, mark: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return cases
    .map(({ id, language, code }) => {
      const program = language === "bash" ? "/bin/bash -c" : "/usr/bin/python3 -u -c";
      const end = `printf '\\n${mark} ${id} %s\\n' $status`;
      return `cd /ws; ${program} ${quoted(code(world))}; status=$?; ${end}; ${end} >&2`;
    })
    .join("\n");
}

/** The outcome of each case of such a script; a case that is missing there is not in the map. */
export function outcomesOf(whole: Attempt, mark: string): Map<string, Attempt> {
  const parts = (text: string) => {
    const found = text.matchAll(new RegExp(`(.*?)\\n${mark} (\\w+) (\\d+)\\n`, "gs"));
    return new Map(Array.from(found, ([, said = "", id = "", status]) => [id, { said, status }]));
  };
  const errors = parts(whole.stderr);
  return new Map(
    Array.from(parts(whole.stdout), ([id, { said, status }]) => {
      const stderr = errors.get(id)?.said ?? "";
      return [id, { ...whole, stdout: said, stderr, exitCode: Number(status) }];
    }),
  );
}
