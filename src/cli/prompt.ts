import { visibleLine } from "../text/visible.ts";
import { MenuBelow } from "./menu-below.ts";
import { bracketedPaste, editMessages } from "./message-editor.ts";
import { menuLines, type Suggest } from "./suggestions.ts";
import { type Io, painter } from "./terminal.ts";

interface PromptParts {
  history: readonly string[];
  suggest: Suggest;
  /** The permission mode before the input; `next` changes it and says what it does. */
  permissions: { label(): string; next(): string };
  /** The initial text. */
  begun: string;
  /** Hands over what shows a line above the input. */
  onOpen(tell: (line: string) => void): void;
  /** Typed ahead: whole messages after the first, and the beginning of the next. */
  onMore(messages: readonly string[], begun: string): void;
}

/** The person's next message; undefined if they quit. */
export async function promptMessage(
  { history, suggest, permissions, begun, onOpen, onMore }: PromptParts,
  io: Io,
): Promise<string | undefined> {
  const done = Promise.withResolvers<void>();
  const messages: string[] = [];
  const paint = painter(io);
  const prompt = () => paint(["bold", "cyan"], `${permissions.label()}› `);
  const menu = new MenuBelow(io.columns);
  bracketedPaste.on();
  const editor = editMessages({
    input: process.stdin,
    output: process.stdout,
    prompt: prompt(),
    begun,
    history,
    suggest,
    onSuggestions: (found) => menu.show(menuLines(found, Math.min(10, process.stdout.rows - 4))),
    onMessage: (text) => {
      messages.push(text);
      done.resolve();
    },
    onLeave: done.resolve,
    onBackTab: () => {
      const sentence = permissions.next();
      editor.tell(paint("dim", visibleLine(sentence)), prompt());
    },
  });
  onOpen((line) => editor.tell(line, prompt()));
  await done.promise;
  menu.show([]);
  bracketedPaste.off();
  editor.close();
  const [message, ...more] = messages;
  onMore(more, editor.text);
  return message;
}
