import { resolve } from "node:path";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import type { FoundServer } from "../mcp/found-servers.ts";
import {
  addressInRegistry,
  fetchRegistryFile,
  isRegistryName,
  officialRegistry,
  readRegistryFile,
} from "../mcp/registry-file.ts";
import { describeEntry } from "../mcp/server-config.ts";
import { launch } from "../process/interactive.ts";
import { visibleLine } from "../text/visible.ts";
import { readIfThere } from "../workspace/state-files.ts";
import { exit, type Given, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

/** Servers that other programs use and Wield does not: one line, and how to add them. */
export async function foundLines(wield: Wield): Promise<string[]> {
  const { servers, problems } = await wield.mcp.found();
  const files = [...new Set(servers.map(({ from }) => from))].join(", ");
  const names = servers.map(({ name }) => visibleLine(name)).join(", ");
  const count = servers.length === 1 ? "1 MCP server" : `${servers.length} MCP servers`;
  return [
    ...(servers.length === 0 ? [] : [`${count} found in ${files}: ${names}. Add: wield tools add found`]),
    ...problems.map(visibleLine),
  ];
}

/** Adds servers that were found, after the person has seen what each of them runs. */
export async function addFound(names: readonly string[], given: Given, io: Io): Promise<number> {
  const wield = await openWield(given, io);
  try {
    const { servers } = await wield.mcp.found();
    const wanted = servers.filter(({ name }) => names.length === 0 || names.includes(name));
    const unknown = names.find((name) => !servers.some((server) => server.name === name));
    if (unknown !== undefined || wanted.length === 0) {
      io.err(
        unknown === undefined ? "No new MCP servers were found." : `No new MCP server ${unknown} was found.`,
      );
      return exit.failed;
    }
    for (const server of wanted) io.out(describeFound(server));
    if (!(await agrees(`Add ${wanted.length === 1 ? "it" : "them"}?`, given, io))) {
      io.err(
        io.interactive ? "Not added." : "Nobody can be asked here. To add them: wield tools add found --yes",
      );
      return exit.failed;
    }
    const added = await wield.mcp.addFound(wanted.map(({ id }) => id));
    return await reportAdded(
      wield,
      added.map(({ name }) => name),
      given,
      io,
    );
  } finally {
    await wield.close();
  }
}

/** A `server.json` of the registry: a file, an address, or the name of a server in the registry. */
export function isRegistryServer(given: string): boolean {
  return given.endsWith(".json") || isAddress(given) || isRegistryName(given);
}

/** Adds the server that a `server.json` describes. */
export async function addRegistryServer(file: string, given: Given, io: Io): Promise<number> {
  const { name: wanted, entry, needs } = readRegistryFile(await registryFile(file, io));
  io.out(`${visibleLine(wanted)}  ${visibleLine(describeEntry(entry))}`);
  for (const { name, description } of needs.filter(({ name }) => !io.env[name]))
    io.err(painter(io)("yellow", `It needs ${name} in your environment. ${visibleLine(description)}`.trim()));
  if (!(await agrees("Add it?", given, io))) {
    io.err(
      io.interactive ? "Not added." : `Nobody can be asked here. To add it: wield tools add ${file} --yes`,
    );
    return exit.failed;
  }
  const wield = await openWield(given, io);
  try {
    return await reportAdded(wield, [wield.mcp.add(wanted, entry)], given, io);
  } finally {
    await wield.close();
  }
}

async function registryFile(given: string, io: Io): Promise<string> {
  if (isAddress(given)) return fetchRegistryFile(given, io.signal);
  const text = readIfThere(resolve(io.cwd, given))?.toString();
  if (text !== undefined) return text;
  if (!isRegistryName(given)) throw new UsageError(`There is no file ${given}.`);
  const registry = io.env["WIELD_MCP_REGISTRY"] || officialRegistry;
  return fetchRegistryFile(addressInRegistry(given, registry), io.signal);
}

function isAddress(given: string): boolean {
  return /^https?:\/\//.test(given);
}

/** Signs in with the browser; the address is printed, too. */
export async function signIn(server: string, given: Given, io: Io): Promise<number> {
  const wield = await openWield(given, io);
  try {
    await signInWith(wield, server, io);
    io.out(`Signed in to ${server}.`);
    for (const problem of wield.tools.problems()) io.err(painter(io)("yellow", visibleLine(problem)));
    return exit.ok;
  } finally {
    await wield.close();
  }
}

export async function signOut(server: string, given: Given, io: Io): Promise<number> {
  const wield = await openWield(given, io, []);
  try {
    const known = wield.mcp.signOut(server);
    io.out(known ? `The sign-in to ${server} is forgotten.` : `There was no sign-in to ${server}.`);
    return exit.ok;
  } finally {
    await wield.close();
  }
}

async function signInWith(wield: Wield, server: string, io: Io): Promise<void> {
  const open = (url: string) => {
    io.out(`Sign in to ${server} at: ${visibleLine(url)}`);
    if (io.interactive) void launch("xdg-open", [url], io.env);
  };
  await wield.mcp.signIn(server, open, io.signal);
}

/** Which tools came, and what is in the way; a remote server that wants a sign-in gets one where a person is. */
async function reportAdded(wield: Wield, names: readonly string[], given: Given, io: Io): Promise<number> {
  await wield.tools.ready();
  let code: number = exit.ok;
  for (const name of names) {
    const tools = () => wield.tools.list().filter(({ category }) => category === name);
    const problem = () => wield.tools.problems().find((line) => line.includes(`MCP server ${name} `));
    if (io.interactive && !given.flag("yes") && problem()?.includes("wants you to sign in")) {
      await signInWith(wield, name, io).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
      });
      await wield.tools.ready();
    }
    const said = problem();
    if (said === undefined) io.out(`${name}: ${tools().length} tools, available through tool search.`);
    else {
      io.err(painter(io)("yellow", visibleLine(said)));
      code = exit.failed;
    }
  }
  return code;
}

export function describeFound({ name, from, entry }: FoundServer): string {
  return `${visibleLine(name)}  (${from})  ${visibleLine(describeEntry(entry))}`;
}

async function agrees(question: string, given: Given, io: Io): Promise<boolean> {
  if (given.flag("yes")) return true;
  if (!io.interactive) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: question, initialValue: false });
  return !isCancel(answer) && answer;
}
