import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { type Limits, limitNames, type ReachedLimit } from "../../sandbox/policy.ts";
import type { JobResult } from "../../sandbox/sandbox.ts";
import { withoutTerminalCodes } from "../../text/terminal-codes.ts";
import { bytesWithin } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";

/** What every run gives back. */
export const runOutput = z.object({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int().describe("128 and the signal's number when a signal ended it"),
  duration: z.number().describe("Milliseconds"),
  limit: z.enum(limitNames).nullable().describe("Which limit ended it or made it fail"),
  notes: z
    .array(z.string())
    .optional()
    .describe("Which limit ended it, and where the surroundings are not what the project asks for"),
});
export type RunOutput = z.infer<typeof runOutput>;

export function runOutputOf(
  { stdout, stderr, exitCode, durationMs, limit }: JobResult,
  limits: Limits,
  about: readonly string[] = [],
): RunOutput {
  const notes = [...(limit === null ? [] : [limitWords(limit, limits)]), ...about];
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode,
    duration: durationMs,
    limit,
    ...(notes.length > 0 && { notes }),
  };
}

/** How it ended, which limit did it, and what else is to be known about the run. */
export function describeEnd({
  exitCode,
  duration,
  notes = [],
}: Pick<RunOutput, "duration" | "notes"> & { exitCode: number | null }): string {
  return [`Exit code ${exitCode} after ${duration} ms.`, ...notes].join("\n");
}

/** The most output that a failed run shows; the whole value is in the details. */
const tokensOfFailure = 5_000;

/** A run that was ended by a limit, or failed of one, is a failure that carries what there was until then. */
export function requireWithinLimits<T extends RunOutput>(value: T, rest: string[] = []): T {
  if (value.limit === null || value.exitCode === 0) return value;
  const text = [describeEnd(value), ...describeStreams(value, tokensOfFailure), ...rest].join("\n");
  throw new Failure(value.limit === "time" ? "TIMEOUT" : "LIMIT_EXCEEDED", text, { ...value });
}

/** Both streams, complete or within a token limit, with the head and the tail of each. */
export function describeStreams(
  { stdout, stderr }: Pick<RunOutput, "stdout" | "stderr">,
  tokens = Number.POSITIVE_INFINITY,
): string[] {
  const streams = [
    ["stdout", stdout],
    ["stderr", stderr],
  ].filter(([, text]) => text !== "");
  const each = Math.floor(bytesWithin(tokens) / Math.max(1, streams.length));
  return streams.flatMap(([name, text = ""]) => [
    `--- ${name}`,
    middleOut(visibleText(withoutTerminalCodes(text).trimEnd()), each),
  ]);
}

/** Whole lines from both ends, and how many are left out between. */
function middleOut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const lines = text.split("\n");
  const take = (from: readonly string[]) => {
    let remaining = bytes / 2 - 40;
    return from.findIndex((line) => {
      remaining -= Buffer.byteLength(line) + 1;
      return remaining < 0;
    });
  };
  const head = take(lines);
  const tail = take(lines.toReversed());
  const left = lines.length - head - tail;
  return [...lines.slice(0, head), `… ${left} lines left out …`, ...lines.slice(lines.length - tail)].join(
    "\n",
  );
}

function limitWords(limit: ReachedLimit, limits: Limits): string {
  const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
  const words: Record<ReachedLimit, string> = {
    time: `It was stopped at the time limit of ${limits.wallMs / 1000} s. Do less at once, or give a longer timeout.`,
    cpu: `A process used more than ${limits.cpu} s of processor time.`,
    memory: `It used more than ${mebibytes(limits.memory)} of memory. Work on smaller pieces, or call again with a larger memory, which asks the person.`,
    processes: `It had more than ${limits.processes} processes.`,
    disk: `It filled its disk of ${mebibytes(limits.disk)} or ${limits.files} files.`,
    fileSize: `A file grew beyond ${mebibytes(limits.fileSize)}.`,
    output: `It was stopped after ${mebibytes(limits.output)} of output. Write less, or write to a file.`,
  };
  return words[limit];
}
