import { bracketedPaste, editMessages } from "./message-editor.ts";
import { type Io, painter } from "./terminal.ts";

/** The person's next message, some of which may be written already; undefined when they leave. */
export async function promptMessage(
  history: string[],
  findPaths: (wanted: string) => Promise<string[]>,
  begun: string,
  io: Io,
): Promise<string | undefined> {
  const done = Promise.withResolvers<string | undefined>();
  process.stdout.write(bracketedPaste.on);
  const editor = editMessages({
    input: process.stdin,
    output: process.stdout,
    prompt: painter(io)(["bold", "cyan"], "› "),
    begun,
    history,
    findPaths,
    onMessage: (text) => done.resolve(text),
    onLeave: () => done.resolve(undefined),
  });
  try {
    return await done.promise;
  } finally {
    process.stdout.write(bracketedPaste.off);
    editor.close();
  }
}
