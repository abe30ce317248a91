import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What one request and its reply cost, in estimated tokens. */
export interface Turn {
  turn: number;
  /** System prompt and tools, sent again with every request. */
  fixed: number;
  input: number;
  output: number;
  calls: string[];
}

/** How a run ended. */
export interface Result {
  arm: string;
  question: string;
  reader: string;
  answer: string;
  exitCode: number;
  milliseconds: number;
  /** Of a task: whether its check succeeded. */
  solved?: boolean;
}

/** The transcript of one arm on one question by one reader: requests, replies, costs and the result, as files. */
export class RunFolder {
  readonly path: string;

  constructor(runs: string, name: string) {
    this.path = join(runs, name);
  }

  open(): this {
    mkdirSync(this.path, { recursive: true });
    return this;
  }

  has(name: string): boolean {
    return existsSync(join(this.path, name));
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  /** A file that is there is complete. */
  write(name: string, text: string): void {
    writeFileSync(join(this.path, `${name}.part`), text);
    renameSync(join(this.path, `${name}.part`), join(this.path, name));
  }

  lastRequest(): number {
    const names = existsSync(this.path) ? readdirSync(this.path) : [];
    return Math.max(0, ...names.map((name) => Number(/^turn-(\d+)\.txt$/.exec(name)?.[1] ?? 0)));
  }

  turns(): Turn[] {
    const turns: Turn[] = [];
    for (let turn = 1; this.has(`cost-${turn}.json`); turn++)
      turns.push(JSON.parse(this.read(`cost-${turn}.json`)) as Turn);
    return turns;
  }

  result(): Result | undefined {
    return this.has("result.json") ? (JSON.parse(this.read("result.json")) as Result) : undefined;
  }
}

export function runsIn(runs: string): RunFolder[] {
  return readdirSync(runs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => new RunFolder(runs, name))
    .filter((run) => run.has("result.json"));
}
