import { availableParallelism } from "node:os";
import type { Coverage } from "../code/project/project.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import { exitCodes } from "./run-options.ts";
import { type Io, painter } from "./terminal.ts";

export const indexCommand: Command = {
  name: "index",
  summary: "Index the code of this folder",
  usage: "[build|status|clear]",
  completes: [{ known: ["build", "status", "clear"] }],
  details:
    "The index is built when a tool first needs it. Building it in advance makes the first answers fast.",
  options: { json: { help: "Print as JSON" }, ...commonOptions },
  examples: [
    { command: "wield index", note: "build the index now" },
    { command: "wield index status", note: "show progress by language" },
  ],
  async run(given, io) {
    const [action = "build"] = given.args;
    if (!["build", "status", "clear"].includes(action)) {
      throw new UsageError(`Unknown action ${JSON.stringify(action)}: use build, status or clear.`);
    }
    const wield = await openWield(given, io);
    try {
      const code = await wield.code();
      if (action === "clear") {
        code.clear();
        io.out("The index is cleared. It is built again when it is needed.");
        return exit.ok;
      }
      const started = performance.now();
      if (action === "build") {
        const bar = progressBar(io);
        try {
          await code.build({ threads: availableParallelism(), signal: io.signal, progress: bar.show });
        } catch (error) {
          if (!io.signal.aborted) throw error;
        } finally {
          bar.clear();
        }
      }
      if (io.signal.aborted) {
        io.err("Stopped. Parsed files are kept; continue with: wield index");
        return exitCodes.aborted;
      }
      const { languages, ...coverage } = await code.status({ signal: io.signal });
      const seconds = (performance.now() - started) / 1_000;
      if (given.flag("json"))
        io.out(JSON.stringify({ ...coverage, languages: Object.fromEntries(languages) }));
      else io.out(report(coverage, languages, action === "build" ? seconds : undefined));
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

/** One progress line, rewritten in place; nothing if standard error is not a terminal. */
function progressBar(io: Io): { show(coverage: Coverage): void; clear(): void } {
  const started = performance.now();
  const paint = painter(io);
  const write = (line: string) => {
    if (io.interactive) process.stderr.write(`\r\u001b[2K${line}`);
  };
  let before: number | undefined;
  write(paint("dim", "Reading the file list …"));
  const show = ({ code, parsed }: Coverage) => {
    before ??= parsed;
    const share = code === 0 ? 1 : parsed / code;
    const rate = (parsed - before) / Math.max(0.001, (performance.now() - started) / 1_000);
    const left = rate > 0 ? `, ${Math.ceil((code - parsed) / rate)} s left` : "";
    const bar = "█".repeat(Math.round(share * 24)).padEnd(24, "░");
    write(`${paint("blue", bar)} ${parsed} of ${code} files, ${Math.round(rate)} files/s${left}`);
  };
  return { show, clear: () => write("") };
}

function report(
  { files, code, parsed }: Coverage,
  languages: ReadonlyMap<string, number>,
  seconds: number | undefined,
): string {
  const pace =
    seconds === undefined
      ? ""
      : ` in ${seconds.toFixed(1)} s (${Math.round(files / Math.max(0.001, seconds))} files/s)`;
  const sorted = [...languages].sort((a, b) => b[1] - a[1]);
  return [
    `${files} files, ${parsed} of ${code} code files parsed${pace}`,
    ...sorted.map(([language, count]) => `  ${language.padEnd(12)} ${String(count).padStart(6)}`),
  ].join("\n");
}
