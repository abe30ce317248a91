import type { Question } from "./questions.ts";
import { RunFolder, runsIn, type Turn } from "./run-folder.ts";

/** A finished run whose replies are given again: the same calls on other code. */
export interface Recorded {
  question: Question;
  reader: string;
  run: RunFolder;
}

/** The finished runs of an arm, in the order of the questions. */
export function recordedRuns(from: string, arm: string, questions: readonly Question[]): Recorded[] {
  const runs = runsIn(from).map((run) => ({ run, result: run.result() }));
  return questions.flatMap((question) =>
    runs.flatMap(({ run, result }) =>
      result?.arm === arm && result.question === question.id
        ? [{ question, reader: result.reader, run }]
        : [],
    ),
  );
}

/** What the reader wrote then is what the model says now. */
export function giveReplies(recorded: RunFolder, to: RunFolder): void {
  for (const { turn } of recorded.turns())
    to.write(`reply-${turn}.json`, recorded.read(`reply-${turn}.json`));
}

const read = (turns: readonly Turn[]) => turns.reduce((sum, { input }) => sum + input, 0);

/** Tokens read with the same replies, then and now. */
export function printReplays(runs: string, arm: string, recorded: readonly Recorded[]): void {
  const print = (name: string, ...cells: (string | number)[]) =>
    console.log(`${name.padEnd(24)}${cells.map((cell) => String(cell).padStart(12)).join("")}`);
  print("same replies", "then", "now", "ratio", "steps");
  const rows = recorded.map(({ question, reader, run }) => {
    const now = new RunFolder(runs, `${arm}-${question.id}-${reader}`).turns();
    const [before, after] = [read(run.turns()), read(now)];
    print(
      `${question.id} ${question.kind}`,
      before,
      after,
      (after / before).toFixed(2),
      `${run.turns().length} → ${now.length}`,
    );
    return { before, after };
  });
  const [before, after] = (["before", "after"] as const).map((key) =>
    rows.reduce((sum, row) => sum + row[key], 0),
  ) as [number, number];
  print("all", before, after, (after / before).toFixed(2));
}
