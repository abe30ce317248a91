import { emitKeypressEvents } from "node:readline";
import { visibleLine } from "../text/visible.ts";
import { type Io, painter } from "./terminal.ts";

interface KeyedOption<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
  /** A letter that chooses this option at once. */
  key?: string;
  /** It is no answer: the question is asked again, and nothing of this one stays on the screen. */
  isDetour?: boolean;
}

interface KeyedSelect<Value extends string> {
  message: string;
  signal: AbortSignal;
  options: readonly KeyedOption<Value>[];
  /** The answer that Esc and Ctrl+C give, in words. */
  onEscape: string;
  /** Nothing is marked at first, so that Enter alone answers nothing. */
  isUnmarked?: boolean;
}

/** `escape`: Esc or Ctrl+C. `withdrawn`: nobody needs an answer any more. */
export type Chosen<Value extends string> = Value | "escape" | "withdrawn";

const steps: Readonly<Record<string, number>> = { up: -1, left: -1, down: 1, right: 1 };

const none = -1;

const show = "\u001b[?25h";
const hide = "\u001b[?25l";

/**
 * A list to choose from with arrow keys and Enter, or with the letter of an option. What stays on the screen is what was
 * answered: an Esc is never shown as the option that was marked.
 */
export async function selectByKey<Value extends string>(
  given: KeyedSelect<Value>,
  io: Pick<Io, "colour" | "columns">,
): Promise<Chosen<Value>> {
  const { message, signal, options, onEscape, isUnmarked = false } = given;
  const { stdin, stdout } = process;
  const paint = painter(io);
  const cut = (text: string) => text.slice(0, io.columns - 4);
  let marked = isUnmarked ? none : 0;
  let drawn = 0;
  const draw = (lines: readonly string[]) => {
    const back = drawn > 0 ? `\u001b[${drawn}A` : "";
    stdout.write(`${back}\r\u001b[J${lines.map((line) => `${line}\n`).join("")}`);
    drawn = lines.length;
  };
  const ask = () =>
    draw([
      `${paint("cyan", "◆")}  ${cut(visibleLine(message))}`,
      ...(marked === none
        ? [`${paint("cyan", "│")}  ${paint("dim", cut("Choose with its letter or ↑ ↓"))}`]
        : []),
      ...options.map(({ label, hint, key }, at) => {
        const text = cut(visibleLine(key === undefined ? label : `${label} (${key})`));
        const about = hint === undefined ? "" : cut(`${text}  ${hint}`).slice(text.length);
        return at === marked
          ? `${paint("cyan", "│")}  ${paint("green", "●")} ${text}${paint("dim", about)}`
          : `${paint("cyan", "│")}  ${paint("dim", `○ ${text}`)}`;
      }),
      paint("cyan", "└"),
    ]);
  const done = Promise.withResolvers<Chosen<Value>>();
  const onKey = (letter: string | undefined, key: { name?: string; ctrl?: boolean } = {}) => {
    const named = letter === undefined ? undefined : options.find((option) => option.key === letter);
    if (key.name === "escape" || (key.ctrl && key.name === "c")) done.resolve("escape");
    else if (named) done.resolve(named.value);
    else if (key.name === "return" || key.name === "enter") {
      const option = options[marked];
      if (option) done.resolve(option.value);
    } else {
      const step = steps[key.name ?? ""] ?? 0;
      if (marked !== none) marked = (marked + step + options.length) % options.length;
      else if (step !== 0) marked = step > 0 ? 0 : options.length - 1;
      ask();
    }
  };
  const withdraw = () => done.resolve("withdrawn");
  if (signal.aborted) return "withdrawn";
  emitKeypressEvents(stdin);
  stdin.on("keypress", onKey);
  signal.addEventListener("abort", withdraw, { once: true });
  stdin.setRawMode(true);
  stdin.resume();
  stdout.write(hide);
  ask();
  try {
    const chosen = await done.promise;
    const option = options.find(({ value }) => value === chosen);
    const told = chosen === "escape" ? onEscape : (option?.label ?? "not answered here");
    draw(
      option?.isDetour
        ? []
        : [
            `${paint("green", "◇")}  ${cut(visibleLine(message))}`,
            `${paint("dim", "│")}  ${paint("dim", cut(visibleLine(told)))}`,
          ],
    );
    return chosen;
  } finally {
    stdin.off("keypress", onKey);
    signal.removeEventListener("abort", withdraw);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(show);
  }
}
