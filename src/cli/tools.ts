import type { Wield } from "../app/wield.ts";
import { inputSchemaOf } from "../registry/registry.ts";
import { nearestNames } from "../text/nearest.ts";
import { visibleLine } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";
import { type Command, commonOptions, exit, type Given } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";
import { fullPage } from "./tool-page.ts";
import { addTools, removeTools } from "./tools-add.ts";
import { approveServer } from "./tools-approve.ts";
import {
  addFound,
  addRegistryServer,
  foundLines,
  isRegistryServer,
  signIn,
  signOut,
} from "./tools-servers.ts";
import { switchTools } from "./tools-switch.ts";

const searchLimit = 10;

export const tools: Command = {
  name: "tools",
  summary: "List, search, add and switch tools",
  usage: "[name | query | add … | remove|approve|login|logout <server> | on|off|pin|unpin <name>]",
  completes: [
    { known: ["add", "remove", "approve", "login", "logout", "on", "off", "pin", "unpin"], lookup: "tool" },
    { known: ["mcp", "openapi", "found"], lookup: "tool" },
  ],
  details: [
    "A search ranks tools in the same way as searchTools does for a model.",
    "",
    "add mcp <name> -- <command> [args]     add an MCP server that runs on this machine",
    "add mcp <name> <url>                   add a remote MCP server",
    "add found [name…]                      add servers that other programs are set up with",
    "add <name in the MCP registry>         add a server of the registry, such as io.github.someone/server",
    "add <server.json>                      the same from a file or an address in the registry's format",
    "add openapi <name> <file>              add the operations of a web API",
    "remove <server>                        remove a server or a web API that was added",
    "approve <server>                       review and approve changed definitions of a server",
    "login|logout <server>                  sign in to a remote server, or forget the sign-in",
    "on|off <tool or category>              switch tools on or off",
    "pin|unpin <tool>                       always describe the tool to the model",
  ].join("\n"),
  options: {
    json: { help: "Print the catalogue as JSON, with schemas" },
    yes: { short: "y", help: "Do not ask" },
    ...commonOptions,
  },
  examples: [
    { command: "wield tools", note: "list all tools by category" },
    { command: "wield tools read_file", note: "show one tool: fields, approval, examples" },
    { command: `wield tools "see what changed in git"`, note: "find tools for a task, best first" },
    {
      command: "wield tools add mcp memory -- npx -y @modelcontextprotocol/server-memory",
      note: "add an MCP server",
    },
  ],
  async run(given, io) {
    const [verb, ...rest] = given.args;
    if (verb === "add" && rest[0] === "found") return addFound(rest.slice(1), given, io);
    if (verb === "add" && rest.length === 1 && isRegistryServer(rest[0] ?? ""))
      return addRegistryServer(rest[0] ?? "", given, io);
    if (verb === "add" && rest.length > 0) return addTools(rest, given, io);
    if (verb === "remove" && rest.length === 1) return removeTools(rest[0] ?? "", io);
    if (verb === "login" && rest.length === 1) return signIn(rest[0] ?? "", given, io);
    if (verb === "logout" && rest.length === 1) return signOut(rest[0] ?? "", given, io);
    if (verb === "approve" && rest.length === 1) return approveServer(rest[0] ?? "", given, io);
    if (rest.length > 0 && (verb === "on" || verb === "off" || verb === "pin" || verb === "unpin"))
      return switchTools(verb, rest, given, io);
    return showTools(given, io);
  },
};

async function showTools(given: Given, io: Io): Promise<number> {
  const wield = await openWield(given, io);
  try {
    const query = given.args.join(" ").trim();
    if (!wield.tools.registry.get(query)) await wield.tools.ready();
    const exact = wield.tools.registry.get(query);
    const found = exact ? [exact] : query === "" ? wield.tools.list() : findTools(wield, query);
    if (found.length === 0) {
      const near = nearestNames(
        query,
        wield.tools.list().map((tool) => tool.name),
      );
      const tip = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "List all: wield tools";
      io.err(`No tool matches ${JSON.stringify(query)}. ${tip}`);
      return exit.failed;
    }
    if (given.flag("json")) io.out(JSON.stringify(found.map(describeAsJson), null, 2));
    else io.out(exact ? fullPage(exact, io) : query === "" ? byCategory(found, io) : ranking(found, io));
    // The list checks everything; a single tool is shown without waiting.
    for (const problem of exact ? wield.tools.problems() : await wield.tools.check())
      io.err(painter(io)("yellow", visibleLine(problem)));
    if (query === "") {
      for (const line of await foundLines(wield)) io.err(painter(io)("dim", line));
      await proposeFavourites(wield, io);
    }
    return exit.ok;
  } finally {
    await wield.close();
  }
}

/** All tools of a category if the query names one, else the best matches. */
function findTools(wield: Wield, query: string): readonly Tool[] {
  const category = wield.tools.list().filter((tool) => tool.category.toLowerCase() === query.toLowerCase());
  return category.length > 0 ? category : wield.tools.discovery.search(query, { limit: searchLimit });
}

async function proposeFavourites(wield: Wield, io: Io): Promise<void> {
  // Only a hint: the list does not need what earlier calls left.
  for (const { tool, calls } of await wield.tools.favouritesToPropose().catch(() => []))
    io.err(
      painter(io)(
        "dim",
        `${tool} was used ${calls} times this month. To always describe it to the model: wield tools pin ${tool}`,
      ),
    );
}

function byCategory(found: readonly Tool[], io: Io): string {
  const width = Math.max(...found.map((tool) => tool.name.length));
  const groups = Map.groupBy(found, (tool) => tool.category);
  return [...groups]
    .map(([category, group]) => {
      const lines = group.map((tool) => `  ${inLine(tool, width, io)}`);
      return [painter(io)("bold", visibleLine(category)), ...lines].join("\n");
    })
    .join("\n\n");
}

function ranking(found: readonly Tool[], io: Io): string {
  const width = Math.max(...found.map((tool) => tool.name.length));
  return found.map((tool, at) => `${String(at + 1).padStart(2)}  ${inLine(tool, width, io)}`).join("\n");
}

function inLine(tool: Tool, width: number, io: Io): string {
  const summary = visibleLine(tool.description.split(/(?<=\.)\s/)[0] ?? "");
  const space = Math.max(20, io.columns - width - 6);
  const short = summary.length > space ? `${summary.slice(0, space - 1)}…` : summary;
  return `${painter(io)("cyan", tool.name.padEnd(width))}  ${short}`;
}

function describeAsJson(tool: Tool) {
  const { name, title, description, category, loading, can, examples } = tool;
  return { name, title, description, category, loading, can, examples, input: inputSchemaOf(tool) };
}
