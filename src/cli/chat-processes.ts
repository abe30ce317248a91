import type { Wield } from "../app/wield.ts";
import type { ProcessEvent } from "../events/events.ts";
import { visibleLine } from "../text/visible.ts";
import { columns, UsageError } from "./command.ts";
import { type Io, painter } from "./terminal.ts";

/** How much of the output `/processes <id>` shows. */
const mostShown = 8_000;

/** `/processes`: the list; with an id, the end of the output; with `stop` and an id, ends it; with `open`, for a browser. */
export async function showProcesses(wield: Wield, args: readonly string[], io: Io): Promise<void> {
  const [first, second, third] = args;
  if (first === "stop") {
    if (second === undefined) throw new UsageError("Which process? Use: /processes stop <id>");
    const { id, applied } = await wield.processes.stop(second);
    const files = applied?.changes?.files.length ?? 0;
    const held = applied?.held
      ? ` What it would replace waits for you: wield approvals ${applied.held.id}`
      : "";
    io.out(
      `Stopped ${id}.${files > 0 ? ` It changed ${files} ${files === 1 ? "file" : "files"}; /undo takes that back.` : ""}${held}`,
    );
    return;
  }
  if (first === "open") {
    const port = /^\d{1,5}$/.test(third ?? "") ? Number(third) : undefined;
    if (second === undefined || (third !== undefined && port === undefined))
      throw new UsageError("Use: /processes open <id> [port]");
    io.out(`Open ${await wield.processes.open(second, port)} in your browser.`);
    return;
  }
  if (first !== undefined) {
    io.out(wield.processes.read(first, { most: mostShown }).text.trimEnd() || "It has printed nothing yet.");
    return;
  }
  const rows = wield.processes.list().map(({ id, state, exitCode, ports, command }) => {
    const how = state === "ended" ? `ended, exit code ${exitCode}` : state;
    const where = ports.map((port) => `  localhost:${port}`).join("");
    return [id, `${how}${where}  ${visibleLine(command)}`];
  });
  io.out(
    rows.length === 0
      ? "No background processes."
      : `${columns(rows)}\n${painter(io)("dim", "/processes <id> shows the output, open <id> opens its port for your browser, stop <id> ends it.")}`,
  );
}

/** One line when a process starts or ends. */
export function processLine({ id, command, state, exitCode }: ProcessEvent, io: Io): string {
  const what = {
    running: `${id} runs in the background: ${command} · /processes`,
    ended: `${id} in the background ended with exit code ${exitCode}: ${command}`,
    stopped: `${id} in the background was stopped: ${command}`,
  }[state];
  return painter(io)(state === "ended" && exitCode !== 0 ? "yellow" : "dim", `◌ ${visibleLine(what)}`);
}

/** For a command that makes one call or one run: what it leaves running ends with it. */
export function printProcessesEnd(wield: Wield, io: Io): void {
  for (const { id, state, command } of wield.processes.list())
    if (state === "running")
      io.err(
        `${id} was stopped when this command ended: ${visibleLine(command)}. In wield chat and on the page a process runs on.`,
      );
}

export function runningProcesses(wield: Wield): number {
  return wield.processes.list().filter(({ state }) => state === "running").length;
}
