import type { Usage } from "../events/agent-events.ts";
import { boundToBudget } from "../text/bound.ts";
import { canonicalJson, digestOf } from "../text/digest.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { Tool } from "../tool/tool.ts";
import type { Conversation } from "./conversation.ts";
import type { CallResult, PlannedCall, ShownLines } from "./log.ts";
import { isLookup } from "./lookups.ts";
import { planIn } from "./plan-text.ts";
import { withoutRepeatedLines } from "./repeated-lines.ts";
import type { FinishedCall } from "./run-calls.ts";
import { citableText, sourcesIn } from "./sources.ts";

/** Tokens of a result's short form. */
const shortTokens = 120;
/** A result below this size is repeated instead of referred to. */
const worthReferring = 60;

/** Tools that run another agent. */
const delegates: ReadonlySet<string> = new Set(["explore", "task"]);

/** What the model gets of a finished call, what replaces it later, and how loops are recognised. */
export function callResult(
  call: PlannedCall,
  outcome: FinishedCall,
  tool: Tool | undefined,
  { conversation, ofThisStep }: { conversation: Conversation; ofThisStep: readonly CallResult[] },
  workspaceState: string,
  cites: boolean,
): CallResult {
  const { result } = outcome;
  const shows = shownLines(call, outcome);
  const key = loopKey(call, outcome.text, workspaceState);
  const earlier = [...conversation.inFull(), ...ofThisStep];
  const known = result.ok
    ? (knownAlready(outcome.text, shows, key, conversation) ?? sameAnswer(call.tool, outcome.text, earlier))
    : undefined;
  const sources = cites && result.ok ? sourcesIn(call.tool, call.input, result.value) : [];
  const citable = citableText(sources, conversation.sources);
  const fresh = result.ok
    ? withoutRepeatedLines({ tool: call.tool, text: outcome.text }, earlier)
    : outcome.text;
  const text = known ?? citable(fresh);
  const plan = result.ok ? planIn(call.tool, result.value) : undefined;
  const found = result.ok && call.tool === "searchTools" ? namesIn(result.value) : [];
  return {
    ...call,
    ok: result.ok,
    text,
    short: known ?? citable(shortForm(outcome, tool, call.input)),
    key,
    ...(outcome.reach && { reach: outcome.reach }),
    ...(!result.ok && { failure: result.error.code }),
    ...(shows && known === undefined && { shows }),
    ...(found.length > 0 && { found }),
    ...(result.ok && delegates.has(call.tool) && { used: (result.value as { usage: Usage }).usage }),
    ...(sources.length > 0 && { sources }),
    ...(plan && { plan }),
  };
}

/** Equal for the same call in the same state of the workspace with the same result, whatever ids and times it shows. */
export function loopKey(
  { tool, input }: Pick<PlannedCall, "tool" | "input">,
  text: string,
  state: string,
): string {
  const lasting = text.replaceAll(/\b[a-z]_[0-9a-z]{10}\b|\b[0-9a-f]{8,}\b|\b\d+(?:\.\d+)?\s?m?s\b/g, "");
  return digestOf([tool, canonicalJson(input), lasting, state]);
}

/** A result that is in the conversation in full is not sent twice. */
function knownAlready(
  text: string,
  shows: ShownLines | undefined,
  key: string,
  conversation: Conversation,
): string | undefined {
  if (estimateTokens(text) < worthReferring) return undefined;
  const same =
    (shows && conversation.showing(shows)) ??
    conversation.inFull().findLast((earlier) => earlier.key === key && earlier.text.startsWith(text));
  if (!same) return undefined;
  const lines = shows ? `Lines ${shows.from}–${shows.to} of ${shows.path} are` : "This result is";
  return `${lines} unchanged since ${askedBy(same)}: see its result above.`;
}

/** Tools that answer about a symbol under whatever name it is asked for: only the first lines of their text repeat that. */
const namesSymbols: ReadonlySet<string> = new Set(["references", "graph"]);

/** The same places, asked for under another name. */
function sameAnswer(tool: string, text: string, earlier: readonly CallResult[]): string | undefined {
  if (!namesSymbols.has(tool) || estimateTokens(text) < worthReferring) return undefined;
  const places = (one: string) => one.replace(/^.*(?:\n(?:defined|and at) .*)*/, "");
  const own = places(text);
  const same = earlier.findLast((one) => own !== "" && one.tool === tool && places(one.text) === own);
  return same && `The same as ${askedBy(same)}: see its result above.`;
}

/** What was looked up for the question has no call that the model knows of. */
const askedBy = ({ ref, tool, input }: CallResult) =>
  isLookup(ref)
    ? `what came with the question (${tool} ${Object.values(input as object).join(" ")})`
    : `your call ${ref}`;

function shortForm({ id, result, text }: FinishedCall, tool: Tool | undefined, input: unknown): string {
  if (!result.ok || estimateTokens(text) <= shortTokens) return text;
  const pointer = `(shortened; in full: read_result({"id":"${id}"}))`;
  const rendering = tool ? renderingOf(tool, result.value, input) : text;
  const { text: bounded } = boundToBudget(
    rendering,
    shortTokens,
    (shown, total) => `… ${shown} of ${total} lines`,
  );
  return `${bounded}\n${pointer}`;
}

/** A tool's input went through its schema before it was run; a person may have edited it since. */
function renderingOf(tool: Tool, value: unknown, input: unknown) {
  const parsed = tool.input.safeParse(input);
  return parsed.success ? tool.render(value, parsed.data) : JSON.stringify(value);
}

/** The lines of a file that a reading tool showed, when it showed all it was asked for. */
function shownLines({ input }: PlannedCall, { result, text }: FinishedCall): ShownLines | undefined {
  if (!result.ok || result.value === null || typeof result.value !== "object") return undefined;
  const value = result.value as Record<string, unknown>;
  const given = input as Record<string, unknown>;
  const path = given["path"] ?? given["file"];
  const [from, to] = [value["startLine"], value["endLine"]];
  if (typeof path !== "string" || typeof from !== "number" || typeof to !== "number") return undefined;
  if (value["modified"] === undefined || text.split("\n").length < to - from + 1) return undefined;
  return { path, state: `${value["modified"]} ${value["size"]}`, from, to };
}

function namesIn(value: unknown): string[] {
  const { results = [] } = value as { results?: { name: string }[] };
  return results.map(({ name }) => name);
}
