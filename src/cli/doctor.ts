import type { ProviderView } from "../api/api.ts";
import { visibleLine } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { type Command, columns, commonOptions, exit } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Show what is set up, what is missing and how to get it",
  usage: "",
  details:
    "Looks at keys, settings and programs of this machine. It uses the network only with --check, which asks everything that is set up for something small.\nExit codes: 0 fine, 1 a check failed, 2 wrong usage.",
  options: {
    check: { help: "Ask the providers that are set up whether they answer" },
    json: { help: "Print as JSON" },
    ...commonOptions,
  },
  examples: [
    { command: "wield doctor", note: "what is set up" },
    { command: "wield doctor --check", note: "and whether it answers" },
  ],
  async run(given, io) {
    const wield = await openWield(given, io, []);
    try {
      const found = [...wield.providers.list(), ...(await wield.providers.machine())];
      const checks = given.flag("check") ? await wield.providers.check(io.signal) : [];
      if (given.flag("json")) io.out(JSON.stringify({ providers: found, checks }, null, 2));
      else {
        io.out(report(found, io));
        if (checks.length > 0) {
          const rows = checks.map(({ name, ok, message }) => [
            `${mark(ok ? "used" : "missing", io)} ${name}`,
            visibleLine(message),
          ]);
          io.out(`\n${painter(io)("bold", "Checks")}\n${wrap(columns(rows), io.columns)}`);
        } else io.out("\nWhether they answer: wield doctor --check");
      }
      return checks.every(({ ok }) => ok) ? exit.ok : exit.failed;
    } finally {
      await wield.close();
    }
  },
};

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
