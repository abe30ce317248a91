import type { CallPart } from "../../../src/api/chat.ts";

/** What a call writes into a document, as far as it has been streamed. */
export interface Draft {
  /** The call that writes it. */
  ref: string;
  state: "writing" | "saved" | "failed";
  /** The document; unknown until it is created. */
  id?: string;
  title?: string;
  kind?: string;
  /** Undefined when passages are replaced: the result is known when the call is done. */
  content?: string;
}

const writers: ReadonlySet<string> = new Set(["createDocument", "updateDocument"]);

/** The document that a call writes; undefined for any other call. */
export function draftOf(call: CallPart): Draft | undefined {
  if (!writers.has(call.toolName)) return undefined;
  const typed = call.state === "input-streaming";
  const fields = typed
    ? stringsIn(String(call.input ?? ""))
    : ((call.input ?? {}) as Record<string, unknown>);
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? { [name]: value } : {};
  };
  const done = call.state === "output-available" && !call.preliminary;
  const failed = call.state === "output-error" || call.state === "output-denied";
  const id = done ? documentIn(call.toolName, (call.output as { text: string }).text) : undefined;
  return {
    ref: call.toolCallId,
    state: done ? "saved" : failed ? "failed" : "writing",
    ...(call.toolName === "updateDocument" && text("id")),
    ...text("title"),
    ...text("kind"),
    ...text("content"),
    ...(id !== undefined && { id }),
  };
}

/** The document that a result names. */
export function documentIn(tool: string, text: string): string | undefined {
  return /Document$/.test(tool) ? /\bd_[0-9a-z]{10}\b/.exec(text)?.[0] : undefined;
}

/**
 * The strings of a JSON object that is still being written, by name. Of the last one, what there is so far; a name, an id or a
 * title counts only when it is complete.
 */
export function stringsIn(json: string): Record<string, string> {
  const found: Record<string, string> = {};
  const token = /"((?:[^"\\]|\\[\s\S])*)("?)|[{}[\]]|:/g;
  let name: string | undefined;
  let last: string | undefined;
  let depth = 0;
  for (const [mark, body, closed] of json.matchAll(token)) {
    if (mark === "{" || mark === "[") depth++;
    if (mark === "}" || mark === "]") depth--;
    if (mark === ":") name = last;
    if (body === undefined) continue;
    const text = unescaped(body);
    if (name !== undefined && depth === 1 && (closed !== "" || name === "content")) found[name] = text;
    last = name === undefined ? text : undefined;
    name = undefined;
  }
  return found;
}

function unescaped(body: string): string {
  // Half of an escape at the end is left for the next time.
  const whole = body.replace(/\\u[0-9a-f]{0,3}$/i, "");
  try {
    return JSON.parse(`"${whole.replaceAll("\n", "\\n")}"`) as string;
  } catch {
    return whole;
  }
}
