import type { CallRecord } from "../events/events.ts";
import { Failure } from "../failure/failure.ts";
import type { NewFile } from "../store/files.ts";
import type { Reach } from "../store/store.ts";
import { estimateTokens } from "../text/tokens.ts";
import { fail, type ToolResult } from "../tool/result.ts";
import type { ImagePart, Tool } from "../tool/tool.ts";
import { modelText } from "./model-text.ts";
import { type Call, type CallOutcome, type Ended, millisecondsSince, type RuntimeParts } from "./stages.ts";

/** Keeps what happened. A store that fails never loses or repeats a call: see `started` and `ended`. */
export interface Recorder {
  /** The outcome of a call that ran here but could not be recorded at once. */
  unrecorded(id: string): CallOutcome | undefined;
  /**
   * Records that the call started, so that a process that dies while it runs leaves a record without an end. Fails when
   * it cannot be stored, and then the call must not run.
   */
  started(call: Call, soFar: Ended): Promise<void>;
  /** Never fails: what cannot be stored now is said in the result, kept in memory, and stored with a later call. */
  ended(call: Call, ended: Ended): Promise<CallOutcome>;
}

/** What is kept in memory while the store fails: the record, the full text of the result, and its files. */
type Unrecorded = readonly [CallRecord, string, readonly NewFile[], Reach];

const maxUnrecorded = 1000;
const nothing: Reach = { paths: [] };
const notEndedYet = fail("ABORTED", "Wield ended while this call ran.");

export function createRecorder({ store, emit }: RuntimeParts): Recorder {
  const waiting = new Map<string, Unrecorded>();
  const outcomes = new Map<string, CallOutcome>();

  async function saveWaiting(): Promise<void> {
    for (const [id, unrecorded] of waiting) {
      await store.finishCall(...unrecorded);
      waiting.delete(id);
    }
  }

  return {
    unrecorded: (id) => outcomes.get(id),

    started: async (call, soFar) => {
      try {
        await store.recordCall(recordOf(call, { ...soFar, result: notEndedYet }, ""));
      } catch (error) {
        throw new Failure(
          "UNAVAILABLE",
          `${call.tool} was not run, because Wield could not record that it starts: ${messageOf(error)}. Ask the person to check the disk with Wield's state, then call again.`,
        );
      }
    },

    ended: async (call, ended) => {
      const { text, full } = modelText(call, ended);
      const { reach = nothing } = ended;
      const record = ended.elsewhere?.record ?? recordOf(call, ended, text);
      const images =
        ended.tool && ended.result.ok ? imagesOf(ended.tool, ended.result.value, ended.input) : [];
      const files = filesOf(ended, images);
      const outcome = outcomeOf(call, ended, record, text, files, images);
      // The process in which the question was answered keeps the record of the call.
      const problem = ended.elsewhere
        ? undefined
        : await saveWaiting()
            .then(() => store.finishCall(record, full, files, reach))
            .then(() => undefined, messageOf);
      // Where the call failed for the same reason, that was said already.
      const isSaid = problem === undefined || text.includes(problem);
      const told = isSaid ? outcome : { ...outcome, text: `${text}\n\n${unstored(problem)}` };
      if (problem !== undefined) {
        keep(waiting, call.id, [record, full, files, reach]);
        keep(outcomes, call.id, told);
      }
      const error = ended.result.ok || record.ok ? undefined : ended.result.error;
      const made = outcome.details.files.length > 0 ? { files: outcome.details.files } : {};
      emit({ type: "call-end", callId: call.id, record, ...(error && { error }), ...made });
      return told;
    },
  };
}

/** The newest ones: memory must not grow while a disk is full. */
function keep<T>(kept: Map<string, T>, id: string, value: T): void {
  kept.set(id, value);
  const [oldest] = kept.keys();
  if (kept.size > maxUnrecorded && oldest !== undefined) kept.delete(oldest);
}

function outcomeOf(
  call: Call,
  ended: Ended,
  record: CallRecord,
  text: string,
  files: readonly NewFile[],
  images: readonly ImagePart[],
): CallOutcome {
  const { result, preview, changes, waitedMs } = ended;
  return {
    id: call.id,
    tool: call.tool,
    result,
    text,
    images,
    details: {
      record,
      preview,
      changes,
      waitedMs,
      reach: ended.reach ?? nothing,
      ...(ended.elsewhere && { elsewhere: true }),
      files: files.map(({ name, mediaType, bytes }) => ({ name, mediaType, size: bytes.length })),
    },
  };
}

/** Like a rendering: images that cannot be made are left out of a call that happened. */
function imagesOf(tool: Tool, value: unknown, input: unknown): readonly ImagePart[] {
  try {
    return tool.images?.(value, input) ?? [];
  } catch {
    return [];
  }
}

/** What a call hands over; of one that hands over nothing, the images that the model is shown: people see them, too. */
function filesOf({ tool, result, input }: Ended, images: readonly ImagePart[]): NewFile[] {
  if (!tool?.files || !result.ok)
    return images.map(({ mediaType, base64 }, at) => ({
      name: imageName(input, mediaType, at),
      mediaType,
      bytes: Buffer.from(base64, "base64"),
    }));
  try {
    return tool
      .files(result.value, input)
      .map(({ name, mediaType, base64 }) => ({ name, mediaType, bytes: Buffer.from(base64, "base64") }));
  } catch {
    return [];
  }
}

function imageName(input: unknown, mediaType: string, at: number): string {
  const path = (input as { path?: unknown } | undefined)?.path;
  if (typeof path === "string" && path !== "") return path.split("/").at(-1) ?? path;
  return `image-${at + 1}.${mediaType.split("/").at(-1)?.replace(/\W.*/, "") ?? "png"}`;
}

function recordOf(call: Call, { result, input, approval, ...ended }: Ended, text: string): CallRecord {
  return {
    id: call.id,
    session: call.session,
    tool: call.tool,
    at: call.at,
    durationMs: millisecondsSince(call.started) - ended.waitedMs - ended.queuedMs,
    ok: result.ok,
    errorCode: result.ok ? null : result.error.code,
    bytes: result.ok ? sizeOf(result) : 0,
    tokensIn: estimateTokens(JSON.stringify(input) ?? ""),
    tokensOut: estimateTokens(text),
    approval,
  };
}

function sizeOf(result: ToolResult<unknown> & { ok: true }): number {
  return Buffer.byteLength(JSON.stringify(result.value) ?? "");
}

function unstored(problem: string): string {
  return `(The call ended as told above. Wield could not store its record: ${problem}. It tries again with the next call.)`;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
