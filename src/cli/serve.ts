import type { RunningServer, ServerOptions } from "../server/server.ts";
import { toolsets } from "../toolsets/toolsets.ts";
import { realPlace } from "../workspace/state-files.ts";
import { type Command, commonOptions, exit, type Given, UsageError } from "./command.ts";
import { databaseOption } from "./database-option.ts";
import { modelOption } from "./run-options.ts";
import { lanFrom, lanLines, manageDevices, offerCodes } from "./serve-lan.ts";
import { type Io, painter } from "./terminal.ts";
import { toolsetNamed } from "./toolset-option.ts";
import { folderWithWorktree, worktreeOption } from "./worktree-option.ts";

/** The default port. */
const usualPort = 4141;

export const serve: Command = {
  name: "serve",
  summary: "Open the page: chat, approvals, changes, tools, activity",
  usage: "",
  details: `Reachable from this machine only, unless you use --lan: then also from devices in your network, over TLS with a self-signed certificate. Such a device asks for the pairing code in the terminal, which can be used once, within five minutes and five attempts. The printed address contains a token, which stays the same for a month, so that open tabs work after a restart; whoever has it can use the tools as you. MCP clients have their own token, which is valid for /mcp only. Without a key or a running Ollama, the built-in offline model is used; it answers only a few kinds of questions.`,
  options: {
    port: { value: "N", short: "p", help: `The port (default ${usualPort}, or any free one)` },
    "new-token": { help: "Make new tokens: open tabs and MCP clients lose access" },
    open: { help: "Open the browser, if there is a desktop" },
    model: { ...modelOption, help: `${modelOption.help}; used in the place of the setting` },
    toolset: {
      value: "NAME",
      help: `For MCP clients at /mcp: ${Object.keys(toolsets).join(", ")} (default: workspace)`,
      completes: { known: Object.keys(toolsets) },
    },
    lan: {
      help: "Also serve devices in your network, such as a phone: TLS, a pairing code, and a warning",
    },
    devices: { help: "List the devices that are paired with this folder" },
    "end-device": { value: "ID", help: "End one of them, such as a lost phone; a running server follows" },
    role: {
      value: "ROLE",
      help: "For a team, with --database: web (the page), worker (runs sessions) or all",
      completes: { known: ["web", "worker", "all"] },
    },
    ...databaseOption,
    host: {
      value: "ADDRESS",
      help: "With --lan: the address to serve on (default: all private ones). For a team: where the page listens (default 127.0.0.1)",
    },
    ...worktreeOption,
    places: { value: "N", help: "For a team: sessions that this worker runs at once (default 16)" },
    ...commonOptions,
  },
  examples: [
    { command: "wield", note: "open the page for this folder in the browser" },
    { command: "wield serve --worktree fix", note: "open the page for a git worktree of this folder" },
    { command: "wield serve --port 8080", note: "print the address; use this port" },
    {
      command: "wield serve -m anthropic/claude-sonnet-5-5",
      note: "use this model, whatever the settings say",
    },
    { command: "wield serve --lan", note: "use the page on a phone in the same network" },
    { command: "wield serve --role worker --database postgres://…", note: "run sessions of a team" },
  ],
  async run(given, io) {
    const role = given.value("role");
    if (role !== undefined) return (await import("./serve-team.ts")).serveTeam(role, given, io, portFrom);
    if (given.value("host") !== undefined && !given.flag("lan"))
      throw new UsageError(
        "--host goes with --lan, or with --role for a team. Without them the page is served on 127.0.0.1.",
      );
    const ended = given.value("end-device");
    if (ended !== undefined || given.flag("devices")) {
      await manageDevices(realPlace(await folderWithWorktree(given, io)), ended, io);
      return exit.ok;
    }
    const toolset = toolsetNamed(given.value("toolset") ?? "workspace");
    const { server, taken } = await start(portFrom(given.value("port")), {
      wield: { workspace: await folderWithWorktree(given, io), env: withModel(io.env, given) },
      toolset,
      tokens: given.flag("new-token") ? "renewed" : "kept",
      ...(given.flag("lan") && { lan: await lanFrom(given.value("host"), io) }),
    });
    const { notBuilt } = await import("../server/page.ts");
    try {
      const paint = painter(io);
      io.out(
        [
          `${paint("bold", "Wield")} on ${server.wield.workspace.root}`,
          paint("cyan", server.address),
          paint("dim", `MCP clients: ${server.origin}/mcp, Authorization: Bearer ${server.mcpToken}`),
          ...(taken === undefined
            ? []
            : [paint("yellow", `Port ${taken} is already in use, so this is port ${portOf(server)}.`)]),
          ...(server.hasPage ? [] : [paint("yellow", notBuilt)]),
          ...forwarding(server, io).map((line) => paint("dim", line)),
          ...lanLines(server, io),
          ...(io.interactive ? [paint("dim", "Ctrl+C stops the server.")] : []),
        ].join("\n"),
      );
      if (given.flag("open")) await openInBrowser(server.signInAddress(), io);
      const stopOffering = offerCodes(server, io);
      await stopped(io.signal);
      stopOffering();
      return exit.ok;
    } finally {
      await server.close();
    }
  },
};

/** The option is a shorter way to write the variable. */
function withModel(env: Io["env"], given: Given): Io["env"] {
  const model = given.value("model");
  return model === undefined ? env : { ...env, WIELD_MODEL: model };
}

function portFrom(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= 65_535) return port;
  throw new UsageError("--port takes a number from 0 (any free port) to 65535.");
}

/** Without a port of the person's choice the default one, or any free one if it is `taken`. */
async function start(
  port: number | undefined,
  options: ServerOptions,
): Promise<{ server: RunningServer; taken?: number }> {
  const { startServer } = await import("../server/server.ts");
  if (port !== undefined) return { server: await startServer({ ...options, port }) };
  try {
    return { server: await startServer({ ...options, port: usualPort }) };
  } catch (error) {
    if ((error as { code?: string }).code !== "CONFLICT") throw error;
    return { server: await startServer(options), taken: usualPort };
  }
}

function portOf({ origin }: RunningServer): string {
  return new URL(origin).port;
}

/** Over SSH the browser is on another machine: the command that makes the address work there. */
function forwarding(server: RunningServer, { env }: Io): string[] {
  const [, , here] = (env["SSH_CONNECTION"] ?? "").split(" ");
  if (!here || !/^[\w.:%-]+$/.test(here)) return [];
  const port = portOf(server);
  const user = /^[\w.-]+$/.test(env["USER"] ?? "") ? `${env["USER"]}@` : "";
  return [
    `Over SSH: run this on your own machine, then open the address there:`,
    `  ssh -N -L ${port}:127.0.0.1:${port} ${user}${here}`,
  ];
}

/** Only if a person would see it: not over SSH, in a pipe or without a display. */
async function openInBrowser(address: string, io: Io): Promise<void> {
  const { env } = io;
  const opener = { darwin: "open", linux: "xdg-open" }[process.platform as string];
  const desktop = process.platform === "darwin" || env["DISPLAY"] || env["WAYLAND_DISPLAY"];
  if (!opener || !desktop || !io.interactive || env["SSH_CONNECTION"]) return;
  const { launch } = await import("../process/interactive.ts");
  await launch(opener, [address], env);
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener("abort", () => done(), { once: true });
  });
}
