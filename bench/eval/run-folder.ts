import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What one request and its reply cost, in estimated tokens. */
export interface Turn {
  turn: number;
  /** System prompt and tools, sent again with every request. */
  fixed: number;
  input: number;
  /** Of the input, what an earlier request of the run had in the same place. */
  repeated: number;
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

  remove(name: string): void {
    rmSync(join(this.path, name));
  }

  /** The number of the newest request to the agent's model, or to another one (`side`). */
  lastRequest(kind: "turn" | "side" = "turn"): number {
    return this.#numbered(kind, "txt").at(-1) ?? 0;
  }

  /** The costs of all answered requests, or of those that went to another model than the agent's (`side-`). */
  turns(kind: "" | "side-" = ""): Turn[] {
    return this.#numbered(`${kind}cost`, "json").map(
      (turn) => JSON.parse(this.read(`${kind}cost-${turn}.json`)) as Turn,
    );
  }

  #numbered(kind: string, ending: string): number[] {
    const names = existsSync(this.path) ? readdirSync(this.path) : [];
    const pattern = new RegExp(`^${kind}-(\\d+)\\.${ending}$`);
    return names
      .flatMap((name) => pattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
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
