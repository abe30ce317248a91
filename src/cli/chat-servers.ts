import type { Wield } from "../app/wield.ts";
import { visibleLine } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { columns, UsageError } from "./command.ts";
import type { Io } from "./terminal.ts";
import { describeFound, foundLines } from "./tools-servers.ts";

/** What MCP servers offer a person, and servers that could be added. */
export async function showServers(wield: Wield, args: readonly string[], io: Io): Promise<void> {
  const [verb, ...names] = args;
  if (verb === "add") {
    const ids = names.flatMap((name) => /.@([0-9a-f]{16})$/.exec(name)?.[1] ?? []);
    if (names.length === 0 || ids.length < names.length) return showFound(wield, names, io);
    const added = await wield.mcp.addFound(ids);
    await wield.tools.ready();
    io.out(`Added: ${added.map(({ name }) => name).join(", ")}`);
    for (const problem of wield.tools.problems()) io.out(visibleLine(problem));
    return;
  }
  if (verb !== undefined) throw new UsageError("Use: /mcp, or /mcp add [name…]");
  const offers = await wield.mcp.offers();
  const rows = offers.flatMap(({ server, prompts, resources }) => [
    ...prompts.map(({ name, arguments: fields, description }) => [
      `/${server}:${name}${fields.map((field) => ` ${field.name}=…`).join("")}`,
      description,
    ]),
    ...resources.map(({ uri, name }) => [`@${server}:${uri}`, name]),
    ...(prompts.length + resources.length === 0 ? [[server, "tools only"]] : []),
  ]);
  const found = await foundLines(wield);
  if (rows.length === 0 && found.length === 0) io.out("No MCP servers. Add one with: wield tools add mcp");
  if (rows.length > 0)
    io.out(wrap(columns(rows.map((row) => row.map((cell) => visibleLine(cell)))), io.columns));
  for (const line of found) io.out(line);
}

/** What each server would run, and the command that adds exactly that. */
async function showFound(wield: Wield, names: readonly string[], io: Io): Promise<void> {
  const { servers } = await wield.mcp.found();
  const wanted = servers.filter(({ name }) => names.length === 0 || names.includes(name));
  if (wanted.length === 0) return io.out("No new servers were found.");
  for (const server of wanted) io.out(describeFound(server));
  const all = wanted.map(({ name, id }) => `${visibleLine(name)}@${id}`).join(" ");
  io.out(`To add ${wanted.length === 1 ? "it" : "them"} as shown: /mcp add ${all}`);
}

interface Chat {
  wield: Wield;
  agent: { session: string };
  io: Io;
}

/** `/server:prompt name=value "two words"`: the prompt's text; undefined where it names no server in use. */
export async function serverPrompt(text: string, { wield, agent, io }: Chat): Promise<string | undefined> {
  const [, server = "", name = "", rest = ""] = /^\/([\w-]+):(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (!(await wield.mcp.list()).includes(server)) return undefined;
  const known = (await wield.mcp.offers()).find((offer) => offer.server === server);
  const prompt = known?.prompts.find((one) => one.name === name);
  if (!prompt) {
    const names = known?.prompts.map((one) => `/${server}:${one.name}`) ?? [];
    throw new UsageError(
      `${server} has no prompt ${visibleLine(name)}. It has: ${names.join(", ") || "none"}.`,
    );
  }
  const args: Record<string, string> = {};
  const words = [...rest.matchAll(/(?:(\w[\w-]*)=)?(?:"((?:[^"\\]|\\.)*)"|(\S+))/g)];
  for (const [, key, quoted, word] of words) {
    const next = prompt.arguments.find((field) => !Object.hasOwn(args, field.name))?.name;
    const field = prompt.arguments.some((one) => one.name === key) ? key : next;
    if (field === undefined) throw new UsageError(`${name} takes no more arguments than it was given.`);
    args[field] =
      quoted?.replaceAll(/\\(.)/g, "$1") ??
      (field === key ? (word ?? "") : [key, word].filter(Boolean).join("="));
  }
  const missing = prompt.arguments.find((field) => field.required && args[field.name] === undefined);
  if (missing) throw new UsageError(`${name} needs ${missing.name}: ${missing.description}`);
  return wield.mcp.prompt(server, name, args, { session: agent.session, signal: io.signal });
}

/** The message with the content of each `@server:uri` in it. */
export async function withResources(text: string, { wield, agent, io }: Chat): Promise<string> {
  const named = [...text.matchAll(/(?<=^|\s)@([\w-]+):(\S+)/g)];
  if (named.length === 0) return text;
  const servers = await wield.mcp.list();
  const contents: string[] = [];
  for (const [, server = "", uri = ""] of named) {
    if (!servers.includes(server)) continue;
    contents.push(await wield.mcp.resource(server, uri, { session: agent.session, signal: io.signal }));
  }
  return [text, ...contents].join("\n\n");
}
