import type { Workspace } from "../workspace/workspace.ts";
import { descriptionOf, type MarkdownFile, markdownFiles } from "./markdown-files.ts";
import type { Places } from "./places.ts";
import { markdownPlaces } from "./trust.ts";

/** An agent that a person or a trusted folder describes in a file; another agent delegates tasks to it. */
export interface OwnAgent {
  name: string;
  description: string;
  /** Its role, before the task. */
  instructions: string;
  /** Names of the tools that it may use; left out: those of its profile. */
  tools?: readonly string[];
  source: "user" | "workspace";
  /** The folder of another program that it comes from. */
  from?: string;
}

export async function ownAgents(workspace: Workspace, places: Places): Promise<OwnAgent[]> {
  const files = await markdownFiles(markdownPlaces.agents, workspace, places);
  return files.map((file) => {
    const tools = toolsNamedIn(file.front["tools"]);
    return {
      name: file.name,
      description: descriptionOf(file),
      instructions: file.body,
      ...(tools && { tools }),
      source: file.source,
      ...(file.from !== undefined && { from: file.from }),
    };
  });
}

/** What the agent is sent: who it is, then what it is to do. */
export function taskFor({ name, instructions }: OwnAgent, task: string): string {
  return `You are the agent "${name}". This is how you work:\n\n${instructions}\n\nYour task:\n\n${task}`;
}

const reading = ["read_file", "read", "batch_read", "read_result", "list_directory", "list_files", "tree"];
const searching = ["search_files", "grep", "search_code", "definition", "find_definition", "references"];
const finding = ["find_files", "glob", "symbols", "search_types"];
const editing = ["edit_file", "edit_files", "replace_in_file", "apply_patch", "rename_symbol"];
const writing = ["create_file", "write_file", "move_file", "delete_file"];
const planning = ["createPlan", "updatePlan", "readPlan"];

/** The tools of Wield that do what a tool of another program does, by its name in small letters. */
const toolsOf: Readonly<Record<string, readonly string[]>> = {
  read: reading,
  ls: reading,
  list: reading,
  grep: searching,
  glob: finding,
  edit: editing,
  multiedit: editing,
  patch: editing,
  write: writing,
  notebookread: reading,
  notebookedit: ["edit_notebook"],
  bash: ["run_code", "run_tests", "background_processes"],
  webfetch: ["web_fetch", "browseWeb"],
  websearch: ["web_search"],
  todowrite: planning,
  todoread: planning,
};

/**
 * `Read, Grep`, a list of names, or names with false for what is not allowed. What is not known here is allowed nothing; tools
 * of MCP servers and of Wield are meant by their own names.
 */
function toolsNamedIn(given: MarkdownFile["front"][string]): string[] | undefined {
  if (given === undefined || given === null || given === "*") return undefined;
  if (typeof given === "object" && !Array.isArray(given)) {
    const denied = Object.entries(given).flatMap(([name, isAllowed]) =>
      isAllowed === false ? namesFor(name) : [],
    );
    return Object.values(toolsOf)
      .flat()
      .filter((name, at, all) => !denied.includes(name) && all.indexOf(name) === at);
  }
  const names = Array.isArray(given) ? given : String(given).split(",");
  return [...new Set(names.flatMap((name) => namesFor(String(name).trim())))];
}

function namesFor(name: string): readonly string[] {
  // `Bash(git diff:*)` allows some commands; rules decide about each one here.
  const [bare = ""] = name.split("(");
  return toolsOf[bare.toLowerCase()] ?? [bare.replace(/^mcp__/, "")];
}
