import type { Question } from "./questions.ts";
import { type RunFolder, runsIn, type Turn } from "./run-folder.ts";
import { type Score, scoreOf } from "./score.ts";

/** What the rows of a kind are called. */
const titles = {
  all: "All",
  words: "Questions in words",
  structure: "Questions about structure",
  task: "Tasks",
} as const;

interface Row extends Score {
  arm: string;
  question: Question;
  /** Tokens read: over all requests, in the last one, and of that the fixed part; and tokens written. */
  inAll: number;
  atEnd: number;
  fixed: number;
  output: number;
  /** In tokens read, as prompt caching prices them. */
  cost: number;
  /** Tokens of requests to another model than the agent's, which count nowhere else. */
  side: number;
  steps: number;
  calls: number;
  seconds: number;
  exitCode: number;
  solved: number | undefined;
}

/** Every run, then each arm's averages, and each arm against the first on the questions both have. */
export function printTable(runs: string, questions: readonly Question[], base: string): void {
  const rows = runsIn(runs).flatMap((run) => rowOf(run, questions));
  if (rows.length === 0) {
    console.log(`No finished run in ${runs}.`);
    return;
  }
  print(["question", "arm", ...columns.map(([name]) => name)], [26, 10]);
  for (const row of rows.sort((a, b) =>
    a.question.id < b.question.id ? -1 : a.question.id > b.question.id ? 1 : a.arm < b.arm ? -1 : 1,
  ))
    print(
      [`${row.question.id} ${row.question.kind}`, row.arm, ...columns.map(([, of]) => number(of(row)))],
      [26, 10],
    );
  for (const [kind, title] of Object.entries(titles)) {
    const some = rows.filter(({ question }) => kind === "all" || question.kind === kind);
    if (some.length === 0) continue;
    console.log(`\n${title}`);
    for (const [arm, group] of Map.groupBy(some, (row) => row.arm)) {
      print(
        [`average of ${group.length}`, arm, ...columns.map(([, of]) => number(average(group.map(of))))],
        [26, 10],
      );
    }
    const arms = new Set(some.map((row) => row.arm));
    for (const arm of arms) if (arm !== base && arms.has(base)) printPairs(some, arm, base);
  }
}

/** What one token costs, in tokens that are read without a cache. */
const price = { repeated: 0.1, read: 1.25, written: 5 };

const costOf = ({ input, repeated, output }: Turn) =>
  repeated * price.repeated + (input - repeated) * price.read + output * price.written;

const columns: readonly (readonly [string, (row: Row) => number | undefined])[] = [
  ["in all", (row) => row.inAll],
  ["at end", (row) => row.atEnd],
  ["fixed", (row) => row.fixed],
  ["output", (row) => row.output],
  ["cost", (row) => row.cost],
  ["side", (row) => row.side],
  ["steps", (row) => row.steps],
  ["calls", (row) => row.calls],
  ["seconds", (row) => row.seconds],
  ["files", (row) => row.files],
  ["symbols", (row) => row.symbols],
  ["recall", (row) => row.recall],
  ["precision", (row) => row.precision],
  ["solved", (row) => row.solved],
];

function rowOf(run: RunFolder, questions: readonly Question[]): Row[] {
  const result = run.result();
  const question = questions.find(({ id }) => id === result?.question);
  const turns = run.turns();
  const last = turns.at(-1);
  if (!result || !question || !last) return [];
  return [
    {
      arm: result.arm,
      question,
      inAll: sumOf(turns, (turn) => turn.input),
      atEnd: last.input,
      fixed: turns[0]?.fixed ?? 0,
      output: sumOf(turns, (turn) => turn.output),
      cost: Math.round(sumOf(turns, costOf)),
      side: sumOf(run.turns("side-"), ({ input, output }) => input + output),
      steps: turns.length,
      calls: sumOf(turns, ({ calls }) => calls.length),
      seconds: Math.round(result.milliseconds / 1_000),
      exitCode: result.exitCode,
      solved: result.solved === undefined ? undefined : Number(result.solved),
      ...(question.kind !== "task" && scoreOf(result.answer, question)),
    },
  ];
}

/** What two arms are compared in. */
const compared: readonly (readonly [string, (row: Row) => number])[] = [
  ["tokens read", (row) => row.inAll],
  ["fixed", (row) => row.fixed],
  ["steps", (row) => row.steps],
  ["output", (row) => row.output],
  ["cost", (row) => row.cost],
];

/** Ratios over the questions that both arms answered, each with an interval. */
function printPairs(rows: readonly Row[], arm: string, base: string): void {
  const groups = [...Map.groupBy(rows, (row) => row.question.id).values()]
    .map((group) => [arm, base].map((name) => group.filter((row) => row.arm === name)))
    .filter((both) => both.every((some) => some.length > 0));
  if (groups.length === 0) return;
  const ratios = compared.map(([name, of]) => {
    const pairs = groups.map((both) => both.map((some) => average(some.map(of)) ?? 0));
    const ratio = (some: typeof pairs) =>
      sumOf(some, ([mine = 0]) => mine) / sumOf(some, ([, theirs = 0]) => theirs);
    const [low, high] = interval(pairs, ratio);
    return `${name} ${ratio(pairs).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
  });
  console.log(`  ${arm} / ${base}, ${groups.length} pairs, ratio (95 %): ${ratios.join(", ")}`);
}

/** By resampling pairs, always the same way. */
function interval<T>(pairs: readonly T[], of: (some: T[]) => number): [number, number] {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const values = Array.from({ length: 2_000 }, () =>
    of(pairs.map(() => pairs[Math.floor(random() * pairs.length)] as T)),
  ).sort((a, b) => a - b);
  return [values[50] ?? 0, values[1_949] ?? 0];
}

const sumOf = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((sum, value) => sum + of(value), 0);

function average(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function number(value: number | undefined): string {
  if (value === undefined) return "";
  return Number.isInteger(value) ? value.toLocaleString("en-US") : value.toFixed(value > 100 ? 0 : 2);
}

function print(cells: readonly string[], widths: readonly number[]): void {
  console.log(
    cells.map((cell, i) => (i < widths.length ? cell.padEnd(widths[i] ?? 0) : cell.padStart(10))).join(""),
  );
}
