import { createInterface, emitKeypressEvents } from "node:readline";
import { visibleLine } from "../text/visible.ts";
import { type Io, painter } from "./terminal.ts";

/**
 * One message of the person; undefined when they leave. What is pasted stays one message, whatever lines it has, and a
 * line that ends with a backslash goes on in the next. After an @, Tab completes a path.
 */
export async function promptMessage(
  history: string[],
  findPaths: (wanted: string) => Promise<string[]>,
  io: Io,
): Promise<string | undefined> {
  const done = Promise.withResolvers<string | undefined>();
  const lines: string[] = [];
  let pasting = false;
  const onKey = (_: string | undefined, key: { name?: string | undefined }) => {
    if (key.name === "paste-start") pasting = true;
    if (key.name === "paste-end") pasting = false;
    // A pasted tab is a tab.
    Object.assign(editor, { isCompletionEnabled: !pasting });
  };
  // Before the line editor, which takes a pasted line break for the Enter key, sees the same key.
  emitKeypressEvents(process.stdin);
  process.stdin.on("keypress", onKey);
  const editor = createInterface({
    input: process.stdin,
    output: process.stdout,
    history: history.toReversed(),
    historySize: 200,
    completer: (line: string, tell: (error: null, found: [string[], string]) => void) => {
      const wanted = /(?:^|\s)@(\S*)$/.exec(line)?.[1];
      const found = wanted === undefined ? Promise.resolve([]) : findPaths(wanted).catch(() => []);
      // A name that would drive the terminal is not shown to it.
      const shown = found.then((paths) => paths.filter((path) => visibleLine(path) === path));
      void shown.then((paths) => tell(null, [paths.map((path) => `@${path} `), `@${wanted ?? ""}`]));
    },
    prompt: painter(io)(["bold", "cyan"], "› "),
  });
  editor.on("line", (line) => {
    const goesOn = !pasting && line.endsWith("\\");
    lines.push(goesOn ? line.slice(0, -1) : line);
    if (!pasting && !goesOn) done.resolve(lines.join("\n").trim());
  });
  editor.once("close", () => done.resolve(undefined));
  editor.once("SIGINT", () => editor.close());
  process.stdout.write(bracketedPaste.on);
  editor.prompt();
  try {
    const message = await done.promise;
    if (message) history.push(message.replaceAll("\n", " "));
    return message;
  } finally {
    process.stdout.write(bracketedPaste.off);
    process.stdin.off("keypress", onKey);
    editor.close();
  }
}

/** Asks the terminal to say where a pasted text begins and ends. */
const bracketedPaste = { on: "\u001b[?2004h", off: "\u001b[?2004l" };
