import {
  type GetPromptResult,
  type ListPromptsResult,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Change } from "../workspace/workspace.ts";
import type { McpHost } from "./host.ts";

type Arguments = Readonly<Record<string, string>>;

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  messages(given: Arguments, host: McpHost): Promise<PromptMessage[]>;
  /** Possible values of an argument, if they can be listed. */
  values(argument: string, host: McpHost): Promise<string[]>;
}

/** The most tool calls of each mode. */
const steps = new Map([
  ["quick", 15],
  ["medium", 40],
  ["thorough", 100],
]);

const explore: Prompt = {
  name: "explore",
  title: "Explore",
  description: "Answer a question about the code in this workspace with few reads",
  arguments: [
    { name: "question", description: "What you want to know", required: true },
    { name: "mode", description: `${[...steps.keys()].join(", ")}; default: medium`, required: false },
  ],
  async messages({ question = "", mode = "medium" }, host) {
    const limit = steps.get(mode);
    if (limit === undefined) throw invalid(`The mode is one of ${[...steps.keys()].join(", ")}.`);
    const reading = host.tools.list().filter((tool) => tool.can.every((kind) => kind === "read"));
    return [
      said(
        [
          `Answer this question about the code in this workspace:\n\n${question}\n`,
          `Use only these tools, which read: ${reading.map((tool) => tool.name).join(", ")}. Make at most ${limit} calls.`,
          "Locate the code first (names, definitions, searches), then read only the lines that answer the question, never whole files.",
          "Answer in a few sentences with a file:line for each claim. Say what you could not find.",
        ].join("\n"),
      ),
    ];
  },
  values: async (argument) => (argument === "mode" ? [...steps.keys()] : []),
};

const reviewChange: Prompt = {
  name: "review_change",
  title: "Review change",
  description: "Review a change that a tool made to files: the last one, or one by its id",
  arguments: [{ name: "change", description: "The change's id; default: the last one", required: false }],
  async messages({ change: id }, host) {
    const change = id ? await host.workspace.change(id) : (await host.workspace.changes({ limit: 1 }))[0];
    if (!change) throw invalid(id ? `Change ${id} does not exist.` : "No tool has changed a file here yet.");
    return [
      {
        role: "user",
        content: {
          type: "resource",
          resource: { uri: `wield://changes/${change.id}`, mimeType: "text/x-diff", text: diffOf(change) },
        },
      },
      said(
        [
          `Review this change, made by ${change.tool} (${change.description}).`,
          "Read the code around each change before you judge it. Report only what matters: bugs, missed callers, lost behaviour, missing tests;",
          "for each, give the file and line, what goes wrong and when, and the smallest fix. If the change is correct, say so.",
        ].join("\n"),
      ),
    ];
  },
  values: async (argument, host) =>
    argument === "change" ? (await host.workspace.changes({ limit: 20 })).map(({ id }) => id) : [],
};

const prompts = [explore, reviewChange];

export function listPrompts(): ListPromptsResult {
  return {
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args,
    })),
  };
}

export async function getPrompt(
  host: McpHost,
  name: string,
  given: Arguments = {},
): Promise<GetPromptResult> {
  const prompt = prompts.find((each) => each.name === name);
  if (!prompt) throw invalid(`Unknown prompt ${JSON.stringify(name)}.`);
  const missing = prompt.arguments.find((argument) => argument.required && !given[argument.name]);
  if (missing) throw invalid(`The prompt ${name} needs ${missing.name}.`);
  return { description: prompt.description, messages: await prompt.messages(given, host) };
}

export async function completeArgument(
  host: McpHost,
  name: string,
  argument: string,
  typed: string,
): Promise<string[]> {
  const values = (await prompts.find((prompt) => prompt.name === name)?.values(argument, host)) ?? [];
  return values.filter((value) => value.startsWith(typed));
}

function diffOf({ files }: Change): string {
  return files.map(({ path, change, diff }) => (diff === "" ? `${change} ${path}\n` : diff)).join("\n");
}

function said(text: string): PromptMessage {
  return { role: "user", content: { type: "text", text } };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
