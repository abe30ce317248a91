import { createInterface, emitKeypressEvents } from "node:readline";
import type { Suggest, Suggestion } from "./suggestions.ts";

export interface MessageEditor {
  /** The whole message so far. */
  readonly text: string;
  /** The last line, and the cursor position in it. */
  readonly line: string;
  readonly cursor: number;
  /** Inside a paste. */
  readonly pasting: boolean;
  replace(text: string): void;
  /** Shows a line above the input, and another prompt before it. */
  tell(line: string, prompt: string): void;
  close(): void;
}

interface EditorParts {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  prompt: string;
  /** The initial text. */
  begun: string;
  /** Earlier messages, oldest first; arrow up walks back. */
  history: readonly string[];
  /** For the word before the cursor; Tab takes the first. */
  suggest: Suggest;
  /** What there is to choose now; empty: nothing. */
  onSuggestions?(found: readonly Suggestion[]): void;
  onMessage(text: string): void;
  /** Ctrl+C or Ctrl+D on an empty line. */
  onLeave(): void;
  onKey?(name: string | undefined): void;
  /** Shift+Tab. */
  onBackTab?(): void;
}

interface Key {
  name?: string | undefined;
  shift?: boolean;
}

/**
 * Edits messages. A paste stays one message, however many lines it has; a line that ends with a backslash continues on the
 * next. Tab completes a command or a path.
 */
export function editMessages(parts: EditorParts): MessageEditor {
  const { input, output } = parts;
  let lines: string[] = [];
  let pasting = false;
  let isClosed = false;
  const beforeKey = (_: string | undefined, key: Key) => {
    if (key.name === "paste-start") pasting = true;
    if (key.name === "paste-end") pasting = false;
    // Before the line editor leaves the line: what is below it is not part of the conversation.
    if (key.name === "return" || key.name === "enter" || key.name === "tab") parts.onSuggestions?.([]);
    // A pasted tab is inserted, not completed; Shift+Tab is neither.
    Object.assign(editor, { isCompletionEnabled: !pasting && !isBackTab(key) });
  };
  // Runs before the line editor, which would treat a pasted line break as Enter.
  emitKeypressEvents(input);
  input.on("keypress", beforeKey);
  const editor = createInterface({
    input,
    output,
    terminal: true,
    history: parts.history.toReversed(),
    historySize: parts.history.length > 0 ? 200 : 0,
    completer: (line: string, tell: (error: null, found: [string[], string]) => void) => {
      const found = parts.suggest(line).catch(() => []);
      void found.then(([first]) => {
        tell(null, first ? [[first.insert], first.replaces] : [[], line]);
        parts.onKey?.("tab");
        lookUp();
      });
    },
    prompt: parts.prompt,
  });
  editor.on("line", (line) => {
    const goesOn = !pasting && line.endsWith("\\");
    lines.push(goesOn ? line.slice(0, -1) : line);
    if (pasting || goesOn) return;
    const message = lines.join("\n").trim();
    lines = [];
    parts.onMessage(message);
  });
  editor.once("close", parts.onLeave);
  // The first Ctrl+C takes away what was typed, and only one on an empty line leaves.
  editor.on("SIGINT", () => {
    if (editor.line === "" && lines.length === 0) return editor.close();
    lines = [];
    editor.write(null, { ctrl: true, name: "e" });
    editor.write(null, { ctrl: true, name: "u" });
    parts.onKey?.("c");
  });
  /** The menu follows what is typed; an answer that comes too late is for another line. */
  const lookUp = () => {
    if (!parts.onSuggestions || pasting) return;
    const { line } = editor;
    if (editor.cursor !== line.length || lines.length > 0 || !/^\/[\w-]*$|(?:^|\s)@\S*$/.test(line)) {
      parts.onSuggestions([]);
      return;
    }
    void parts
      .suggest(line)
      .catch(() => [])
      .then((found) => {
        if (editor.line === line && !isClosed) parts.onSuggestions?.(found);
      });
  };
  const afterKey = (_: string | undefined, key: Key) => {
    if (isBackTab(key) && !pasting) parts.onBackTab?.();
    parts.onKey?.(key.name);
    lookUp();
  };
  input.on("keypress", afterKey);
  const write = (text: string) => {
    pasting = true;
    editor.write(text);
    pasting = false;
  };
  editor.prompt();
  if (parts.begun !== "") write(parts.begun);
  return {
    get text() {
      return [...lines, editor.line].join("\n");
    },
    get line() {
      return editor.line;
    },
    get cursor() {
      return editor.cursor;
    },
    get pasting() {
      return pasting;
    },
    replace: (text) => {
      lines = [];
      editor.write(null, { ctrl: true, name: "e" });
      editor.write(null, { ctrl: true, name: "u" });
      write(text);
    },
    tell: (line, prompt) => {
      const { rows } = editor.getCursorPos();
      output.write(`${rows > 0 ? `\u001b[${rows}A` : ""}\r\u001b[J${line}\n`);
      editor.setPrompt(prompt);
      editor.prompt(true);
    },
    close: () => {
      isClosed = true;
      editor.off("close", parts.onLeave);
      input.off("keypress", beforeKey);
      input.off("keypress", afterKey);
      editor.close();
    },
  };
}

function isBackTab({ name, shift }: Key): boolean {
  return name === "tab" && shift === true;
}

/** Bracketed paste: the terminal marks the start and end of a paste. Switched off again for the shell. */
export const bracketedPaste = {
  on: () => {
    process.stdout.write("\u001b[?2004h");
    process.on("exit", endPaste);
  },
  off: () => {
    endPaste();
    process.off("exit", endPaste);
  },
};

function endPaste(): void {
  process.stdout.write("\u001b[?2004l");
}
