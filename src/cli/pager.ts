import { emitKeypressEvents } from "node:readline";
import { wrapAnsi } from "fast-wrap-ansi";
import { type Io, painter } from "./terminal.ts";

const other = { on: "\u001b[?1049h\u001b[?25l", off: "\u001b[?1049l\u001b[?25h" };

/** Shows a long text on a separate screen with scrolling; afterwards the conversation is visible again. */
export async function page(text: string, io: Pick<Io, "colour">, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { stdin, stdout } = process;
  const paint = painter(io);
  // Nothing may be hidden beyond the edge.
  const wrapped = () =>
    wrapAnsi(text, stdout.columns || 80, { hard: true, wordWrap: false, trim: false }).split("\n");
  let lines = wrapped();
  let top = 0;
  const resize = () => {
    lines = wrapped();
    draw();
  };
  const rows = () => Math.max(1, stdout.rows - 1);
  const draw = () => {
    top = Math.max(0, Math.min(top, lines.length - rows()));
    const shown = lines.slice(top, top + rows());
    const where = `lines ${top + 1}–${top + shown.length} of ${lines.length}`;
    const keys = "↑ ↓ PgUp PgDn move, q goes back";
    stdout.write(
      `\u001b[H\u001b[J\u001b[?7l${shown.join("\r\n")}\u001b[?7h\u001b[${stdout.rows};1H${paint("inverse", ` ${where} · ${keys} `)}`,
    );
  };
  const moves: Readonly<Record<string, () => number>> = {
    up: () => -1,
    down: () => 1,
    return: () => 1,
    k: () => -1,
    j: () => 1,
    pageup: () => 1 - rows(),
    b: () => 1 - rows(),
    pagedown: () => rows() - 1,
    space: () => rows() - 1,
    home: () => -lines.length,
    end: () => lines.length,
    g: () => -lines.length,
  };
  const left = Promise.withResolvers<void>();
  const onKey = (_: string | undefined, { name = "", ctrl }: { name?: string; ctrl?: boolean } = {}) => {
    if (["q", "escape", "v"].includes(name) || (ctrl && name === "c")) left.resolve();
    top += moves[name]?.() ?? 0;
    draw();
  };
  const leave = () => left.resolve();
  const restore = () => stdout.write(other.off);
  emitKeypressEvents(stdin);
  stdin.on("keypress", onKey);
  stdout.on("resize", resize);
  signal.addEventListener("abort", leave, { once: true });
  process.on("exit", restore);
  stdin.setRawMode(true);
  stdin.resume();
  stdout.write(other.on);
  draw();
  try {
    await left.promise;
  } finally {
    stdin.off("keypress", onKey);
    stdout.off("resize", resize);
    signal.removeEventListener("abort", leave);
    process.off("exit", restore);
    stdin.setRawMode(false);
    stdin.pause();
    restore();
  }
}
