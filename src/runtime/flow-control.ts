import type { Judgement, Policy } from "../approval/decide.ts";
import { overrulingRule, withoutOverruled } from "../approval/overruled-secrets.ts";
import {
  type FlowControl,
  isThirdParty,
  provenanceOf,
  thirdPartyFolders,
  watchReason,
} from "../approval/provenance.ts";
import { isSecretPath, type Secret, secretIn, secretsIn } from "../approval/secrets.ts";
import { type Effect, leaves } from "../tool/effects.ts";
import type { ToolResult } from "../tool/result.ts";
import type { Preview } from "../tool/tool.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { namedPaths } from "./footprint.ts";
import { placesRead } from "./places-read.ts";
import type { Call, Parsed, Places, Prepared, RuntimeParts } from "./stages.ts";

/**
 * The policy of a call: once a session contains private data and content written by others, every call that sends
 * data out asks.
 */
export async function watching(
  flow: FlowControl | undefined,
  { session, personDecides }: Call,
  policy: Policy,
): Promise<Policy> {
  const watch = flow && !personDecides ? watchReason(await flow.seen(session)) : undefined;
  return watch === undefined ? policy : { ...policy, watch };
}

/**
 * A call that would send a secret, or commit one to git, is denied, regardless of rules, mode and a person's yes. What was taken for a
 * secret by its name can be none: only the person who owns this machine may say so.
 */
export async function withoutSecrets(
  flow: FlowControl | undefined,
  { session }: Call,
  { tool, input }: Parsed,
  effects: readonly Effect[],
  judgement: Judgement,
  policy: Policy,
  sent?: { text: string | undefined },
): Promise<Judgement> {
  const away = effects.filter(leaves);
  const recorded = tool.category === "Git" && effects.some(({ kind }) => kind === "run");
  if (!flow || (away.length === 0 && !recorded) || judgement.decision === "deny") return judgement;
  const known = withoutOverruled(await flow.secrets(session), policy);
  const { names } = flow.workspace;
  // Commits contain the workspace's ordinary files; only values from secret files certainly do not belong there.
  const certain = known.filter(({ source, lasting }) => source === undefined || lasting);
  const secret = secretIn(sentBy(input, away), known, names) ?? secretIn(sent?.text ?? "", certain, names);
  if (secret !== undefined) {
    const would = away.length > 0 ? "send" : "keep in git's history";
    return {
      ...judgement,
      decision: "deny",
      because: `it would ${would} ${secret.what}, and secrets never leave this machine`,
      ...(secret.known && !policy.sharedMachine && { overrule: overrulingRule(secret.known) }),
    };
  }
  const doubt = sent && doubtAbout(sent.text, known, names);
  return doubt === undefined ? judgement : { ...judgement, decision: "ask", because: doubt };
}

function doubtAbout(
  text: string | undefined,
  known: readonly Secret[],
  names: readonly string[],
): string | undefined {
  if (text === undefined) return "what it sends is too much to be searched for secrets";
  const secret = secretIn(text, known, names);
  return secret && `what it sends holds ${secret.what}`;
}

/** Adds exactly what leaves, if that is why a person is asked. */
export function showingWhatLeaves(
  preview: Preview | undefined,
  { input }: Parsed,
  effects: readonly Effect[],
  policy: Policy,
): Preview | undefined {
  const away = effects.filter(leaves);
  if (policy.watch === undefined || away.length === 0) return preview;
  const { summary = "", files = [], seen = new Map(), notes = [] } = preview ?? {};
  const targets = [...new Set(away.map(targetOf))].join(", ");
  return {
    summary,
    files,
    seen,
    notes: [...notes, `Leaves this machine, to ${targets}: ${JSON.stringify(input)}`],
  };
}

/** A run may call tools while it works, so what it can read counts from its start. */
export async function keepBeforeRun(parts: FlowParts, call: Call, prepared: Prepared): Promise<void> {
  if (prepared.effects.some(({ kind }) => kind === "run"))
    await keepProvenance(parts, call, prepared, { ok: true, value: undefined });
}

/** Records the provenance of a call's result, even of a failed call: its message may contain content, too. */
export async function keepProvenance(
  { flow, workspace }: FlowParts,
  { session, heardBy = session }: Call,
  { tool, effects }: Pick<Prepared, "tool" | "effects">,
  result: ToolResult<unknown>,
  places?: Places,
): Promise<void> {
  if (!flow) return;
  const { name, reveals } = tool;
  const value = result.ok ? result.value : result.error;
  const found = namedPaths(value).filter(isThirdParty);
  const all: Effect[] = [
    ...effects,
    ...(await placesRead(effects, workspace, places)),
    ...found.map((path) => ({ kind: "read" as const, path })),
  ];
  // Git commands read the history, not installed packages.
  const runs = tool.category !== "Git" && effects.some(({ kind }) => kind === "run");
  const readable = runs ? await folderOfOthers(workspace) : undefined;
  const seen = provenanceOf({ tool: name, reveals, effects: all, value, readable }, flow.workspace);
  const isOurs = seen.private.length > 0 && !effects.some(leaves);
  const paths = all.flatMap((effect) => ("path" in effect ? [effect.path] : []));
  const ofOthers = paths.some(isThirdParty);
  const ofSecretFile = paths.some(isSecretPath);
  const secrets = isOurs ? secretsIn(textsIn(value).join("\n").slice(0, longest), ofSecretFile) : [];
  const place = paths[0] ?? name;
  const source = ofOthers ? "others" : place;
  const lasting = ofSecretFile && !ofOthers;
  const known = secrets.map((secret) => ({ ...secret, place, source, lasting }));
  for (const hears of new Set([session, heardBy])) await flow.add(hears, seen, known);
}

/** The first top-level folder of the workspace with third-party code. */
async function folderOfOthers(workspace: Workspace): Promise<string | undefined> {
  for (const folder of thirdPartyFolders)
    if (await workspace.resolve(folder).catch(() => undefined)) return folder;
  return undefined;
}

/** The same for a call whose effects never became known: it may have read what it names, or anything. */
export async function keepProvenanceOfFailed(
  parts: FlowParts,
  call: Call,
  { tool, input }: Parsed,
  result: ToolResult<unknown>,
): Promise<void> {
  if (!tool.can.some((kind) => kind !== "fetch")) return;
  const named = namedPaths(input).map((path): Effect => ({ kind: "read", path }));
  const anything: Effect = { kind: "run", command: tool.name, network: "off" };
  await keepProvenance(parts, call, { tool, effects: named.length > 0 ? named : [anything] }, result);
}

type FlowParts = Pick<RuntimeParts, "flow" | "workspace">;

const longest = 2_000_000;

/** Everything that the caller chose of what is sent. */
function sentBy(input: unknown, effects: readonly Effect[]): string {
  const urls = effects.flatMap((effect) => (effect.kind === "fetch" ? [effect.url] : []));
  // A second time without field names, so a value that is split across several fields is contiguous.
  return [...textsIn(input), ...urls, valuesIn(input).join("\n")].join("\n");
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, one]) =>
    Array.isArray(value) ? textsIn(one) : [key, ...textsIn(one)],
  );
}

function valuesIn(value: unknown): string[] {
  if (value === null || typeof value !== "object") return textsIn(value);
  return Object.values(value).flatMap(valuesIn);
}

function targetOf(effect: Effect): string {
  if (effect.kind === "fetch") return `${URL.parse(effect.url)?.host ?? effect.url} by ${effect.method}`;
  return effect.kind === "run" ? effect.command : effect.kind;
}
