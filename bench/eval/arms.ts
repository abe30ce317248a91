import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { askWithTools } from "./agent-loop.ts";
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
  /** The program of the `wield` arm: another checkout's to compare two commits. */
  wield: string;
  /** The command that starts the server of the `mcp` arm. */
  mcp: string;
}

type Arm = (question: Question, place: ArmPlace) => Promise<{ answer: string; exitCode: number }>;

export const arms: Record<string, Arm> = {
  wield: async ({ kind, question }, place) =>
    kind === "task"
      ? wieldRun(["ask", question, "--mode", "auto"], place)
      : wieldRun(["explore", question], place),
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
};

/** The command line as a person uses it: prompt, schemas, streaming, limits and shortening included. */
function wieldRun(command: readonly string[], { folder, url, model, runs, wield }: ArmPlace) {
  const home = homeIn(runs, "wield");
  const child = spawn(
    process.execPath,
    [resolve(wield), ...command, "-m", `anthropic/${model}`, "--workspace", folder],
    {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        ANTHROPIC_API_KEY: process.env["ANTHROPIC_API_KEY"] ?? "none",
        ANTHROPIC_BASE_URL: url,
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let answer = "";
  child.stdout.on("data", (chunk: Buffer) => {
    answer += chunk;
  });
  return new Promise<{ answer: string; exitCode: number }>((done, fail) => {
    child.on("error", fail);
    child.on("close", (exitCode) => done({ answer, exitCode: exitCode ?? 1 }));
  });
}

/** One for all questions of an arm: an index is built once, as in real life. */
function homeIn(runs: string, arm: string): string {
  const home = join(runs, ".homes", arm);
  mkdirSync(home, { recursive: true });
  return home;
}
