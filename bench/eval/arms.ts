import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { askWithTools } from "./agent-loop.ts";
import { agents, programOf } from "./agents.ts";
import { editingTools } from "./editing-tools.ts";
import { leanTools } from "./lean-tools.ts";
import { mcpTools } from "./mcp-tools.ts";
import { plainTools } from "./plain-tools.ts";
import type { Question } from "./questions.ts";

export interface ArmPlace {
  /** Where the repository is checked out. */
  folder: string;
  /** Where the model is asked. */
  url: string;
  /** Its name, as the provider knows it. */
  model: string;
  runs: string;
  /** The home of a program that works on a task: nothing stays from another run. */
  home: string;
  /** Where other agents are installed. */
  agents: string;
  /** The program of the `wield` arm: another checkout's to compare two commits. */
  wield: string;
  /** The command that starts the server of the `mcp` arm. */
  mcp: string;
}

interface Ending {
  answer: string;
  exitCode: number;
}

type Arm = (question: Question, place: ArmPlace) => Promise<Ending>;

/** Arms that are programs of others; they do tasks. */
export const agentArms = Object.keys(agents);

export const arms: Record<string, Arm> = {
  wield: async ({ kind, question }, place) =>
    kind === "task"
      ? wieldRun(["ask", question, "--mode", "auto"], place.home, place)
      : wieldRun(["explore", question], homeIn(place.runs, "wield"), place),
  plain: async ({ kind, question }, { folder, url, model }) => ({
    answer: await (kind === "task"
      ? askWithTools(url, model, question, [...plainTools(folder), ...editingTools(folder)], "task")
      : askWithTools(url, model, question, plainTools(folder))),
    exitCode: 0,
  }),
  lean: async ({ question }, { folder, url, model, runs }) => {
    const { tools, close } = await leanTools(folder, homeIn(runs, "lean"));
    try {
      return { answer: await askWithTools(url, model, question, tools), exitCode: 0 };
    } finally {
      close();
    }
  },
  mcp: async ({ question }, { folder, url, model, mcp }) => {
    const { tools, close } = await mcpTools(mcp, folder);
    try {
      return { answer: await askWithTools(url, model, question, tools), exitCode: 0 };
    } finally {
      await close();
    }
  },
  ...Object.fromEntries(agentArms.map((name) => [name, agentArm(name)])),
};

function agentArm(name: string): Arm {
  return ({ question }, { folder, url, model, home, agents: installed }) => {
    const program = programOf(name, installed);
    const { args, env } = agents[name]?.(question, { home, url, model }) ?? { args: [], env: {} };
    return runProgram(program ?? name, args, folder, { HOME: home, ...env });
  };
}

/** The command line as a person uses it: prompt, schemas, streaming, limits and shortening included. */
function wieldRun(command: readonly string[], home: string, { folder, url, model, wield }: ArmPlace) {
  return runProgram(
    process.execPath,
    [resolve(wield), ...command, "-m", `anthropic/${model}`, "--workspace", folder],
    folder,
    {
      HOME: home,
      ANTHROPIC_API_KEY: process.env["ANTHROPIC_API_KEY"] ?? "none",
      ANTHROPIC_BASE_URL: url,
    },
  );
}

/** With nothing of this process's environment but where programs are found. */
function runProgram(
  program: string,
  args: readonly string[],
  folder: string,
  env: Record<string, string>,
): Promise<Ending> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"], LANG: "C.UTF-8", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let answer = "";
  child.stdout.on("data", (chunk: Buffer) => {
    answer += chunk;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (exitCode) => done({ answer, exitCode: exitCode ?? 1 }));
  });
}

/** One for all questions of an arm: an index is built once, as in real life. */
export function homeIn(runs: string, arm: string): string {
  const home = join(runs, ".homes", arm);
  mkdirSync(home, { recursive: true });
  return home;
}
