import { StringDecoder } from "node:string_decoder";
import type { Job } from "../../sandbox/sandbox.ts";
import { withoutTerminalCodes } from "../../text/terminal-codes.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";

const everyMs = 250;
const mostCharacters = 4000;

/** Tells people what a program prints while it runs: its last lines, a few times a second. The model reads the result. */
export async function withLiveOutput<T>(
  { progress }: Pick<ToolContext, "progress">,
  message: string,
  run: (listener: Required<Pick<Job, "watch">>) => Promise<T>,
): Promise<T> {
  let tail = "";
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    timer = undefined;
    progress(message, undefined, undefined, visibleText(withoutTerminalCodes(tail)));
  };
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const watch: Job["watch"] = (chunk, stream) => {
    tail = (tail + decoders[stream].write(chunk)).slice(-mostCharacters);
    timer ??= setTimeout(show, everyMs);
  };
  try {
    return await run({ watch });
  } finally {
    clearTimeout(timer);
  }
}

/** The label of a run while it is running. */
export function firstLine(code: string): string {
  const line = code.trim().split("\n")[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
