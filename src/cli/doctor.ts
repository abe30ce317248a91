import type { ProviderView } from "../api/settings.ts";
import { type Places, placesFrom } from "../app/places.ts";
import { type Repaired, repairState, type StateProblem, stateProblems } from "../app/state-repair.ts";
import { visibleLine } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { type Command, columns, commonOptions, exit } from "./command.ts";
import { folderOf, openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";
import { foundLines } from "./tools-servers.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Show what is set up, what is missing and how to get it",
  usage: "",
  details:
    "Looks at keys, settings and programs of this machine. It uses the network only with --check, which asks everything that is set up for something small. --repair sets damaged files of Wield's own aside and makes new ones with everything that can still be read; nothing is deleted.\nExit codes: 0 fine, 1 a check failed or a file of Wield's own cannot be used, 2 wrong usage.",
  options: {
    check: { help: "Ask the providers that are set up whether they answer" },
    repair: { help: "Make damaged files of Wield's own anew, with what can be read of them" },
    json: { help: "Print as JSON" },
    ...commonOptions,
  },
  examples: [
    { command: "wield doctor", note: "what is set up" },
    { command: "wield doctor --check", note: "and whether it answers" },
    { command: "wield doctor --repair", note: "after a message that a file is damaged" },
  ],
  async run(given, io) {
    const places = placesFrom(io.env);
    const repaired = given.flag("repair") ? await repairState(places, folderOf(given, io)) : [];
    const state = stateProblems(places);
    const wield = await openWield(given, io, []);
    try {
      const found = [...wield.providers.list(), ...(await wield.providers.machine())];
      const model = await wield.providers
        .model()
        .catch((error: unknown) => ({ problem: (error as Error).message.split("\n")[0] ?? "" }));
      const checks = given.flag("check") ? await wield.providers.check(io.signal) : [];
      if (given.flag("json"))
        io.out(JSON.stringify({ model, providers: found, checks, state, repaired }, null, 2));
      else {
        io.out(`${painter(io)("bold", "Model in use")}\n${wrap(modelLine(model, io), io.columns)}\n\n`);
        io.out(report(found, io));
        io.out(`\n${painter(io)("bold", "State")}\n${stateReport(state, repaired, places, io)}`);
        const servers = await foundLines(wield);
        if (servers.length > 0) io.out(`\n${painter(io)("bold", "MCP servers")}\n${servers.join("\n")}`);
        if (checks.length > 0) {
          const rows = checks.map(({ name, ok, message }) => [
            `${mark(ok ? "used" : "missing", io)} ${name}`,
            visibleLine(message),
          ]);
          io.out(`\n${painter(io)("bold", "Checks")}\n${wrap(columns(rows), io.columns)}`);
        } else io.out("\nWhether they answer: wield doctor --check");
      }
      return checks.every(({ ok }) => ok) && state.length === 0 ? exit.ok : exit.failed;
    } finally {
      await wield.close();
    }
  },
};

/** What is wrong with Wield's own files, and what was done about it. */
function stateReport(
  problems: readonly StateProblem[],
  repaired: readonly Repaired[],
  { stateDir }: Places,
  io: Io,
): string {
  const done = repaired.map(({ file, aside, saved }) => {
    const rows = saved.filter((table) => table.rows > 0).map(({ name, rows: count }) => `${count} ${name}`);
    const lost = saved.some(({ whole }) => !whole) || saved.length === 0;
    return `${mark("used", io)} ${file} was made anew with ${rows.join(", ") || "nothing"}${lost ? ", all that could be read" : ""}. The damaged file is kept as ${aside}`;
  });
  const wrong = problems.map(({ message }) => `${mark("missing", io)} ${message}`);
  const fine = wrong.length === 0 ? [`${mark("used", io)} ${stateDir} is fine`] : [];
  return wrap([...done, ...wrong, ...fine].map((line) => `  ${visibleLine(line)}`).join("\n"), io.columns);
}

/** The default model, and why it is the default. */
function modelLine(model: { name: string; from: string } | { problem: string }, io: Io): string {
  if ("problem" in model) return `  ${mark("missing", io)} ${visibleLine(model.problem)}`;
  const change = "Choose another with --model, /model in the chat, or the setting model.";
  return `  ${mark("used", io)} ${visibleLine(model.name)}  ${visibleLine(model.from)}. ${change}`;
}

function report(found: readonly ProviderView[], io: Io): string {
  const groups = Map.groupBy(found, ({ group }) => group);
  return [...groups]
    .map(([group, views]) => {
      const rows = views.map(({ name, state, by, how }) => [
        `${mark(state, io)} ${name}`,
        visibleLine(
          state === "missing"
            ? how
            : [by, state === "ready" ? "not used" : ""].filter(Boolean).join(", ") || how,
        ),
      ]);
      return `${painter(io)("bold", group)}\n${wrap(columns(rows), io.columns)}`;
    })
    .join("\n\n");
}

function mark(state: ProviderView["state"], io: Io): string {
  const paint = painter(io);
  if (state === "used") return paint("green", "✓");
  return state === "ready" ? paint("dim", "✓") : paint("yellow", "–");
}
