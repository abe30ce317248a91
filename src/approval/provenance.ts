import type { Effect } from "../tool/effects.ts";
import type { Tool } from "../tool/tool.ts";
import type { Secret } from "./secrets.ts";

/** What a conversation holds, by where it came from: the person's own words are neither. */
export interface Seen {
  /** Private data of the workspace: paths, or what showed it. */
  private: readonly string[];
  /** Content that somebody else wrote: hosts, MCP servers, files of a folder that nobody trusts. */
  outside: readonly string[];
}

export const nothingSeen: Seen = { private: [], outside: [] };

/** What is known of the workspace that a call reads. */
export interface WorkspaceFacts {
  /** The words of the folder's path. */
  names: readonly string[];
  readonly trusted: boolean;
  /** The person says that this may leave. */
  isPublic(path: string): boolean;
}

/** What sessions have seen and which values must not leave; the application keeps it. */
export interface FlowControl {
  readonly workspace: WorkspaceFacts;
  seen(session: string): Promise<Seen>;
  /** Takes up what another process has added. */
  reload(session: string): Promise<void>;
  /** Lasts as long as the session, also in a later process. */
  add(session: string, seen: Seen, secrets: readonly Secret[]): Promise<void>;
  /** Those of the workspace, and those that the session has seen. */
  secrets(session: string): Promise<readonly Secret[]>;
}

/** The facts about a finished call that determine the provenance of its result. */
export interface MadeCall {
  tool: string;
  reveals: Tool["reveals"];
  effects: readonly Effect[];
  value: unknown;
  /** A folder of what others wrote that a run of this call can read. */
  readable?: string | undefined;
}

/** Where the result of a call comes from. What says nothing of its source counts as private. */
export function provenanceOf(call: MadeCall, facts: WorkspaceFacts): Seen {
  const { tool, reveals, effects, value, readable } = call;
  const stranger = strangerIn(value);
  const paths = effects.flatMap((effect) =>
    effect.kind === "read" || effect.kind === "delete" || (effect.kind === "write" && effect.replaces)
      ? [effect.path]
      : [],
  );
  const runs = effects.some(({ kind }) => kind === "run");
  const records = effects.flatMap((effect) =>
    effect.kind === "record" && effect.shows ? [effect.what] : [],
  );
  const away = effects.flatMap((effect) => targetOf(effect, tool));
  const says = stranger !== undefined || effects.length > 0 || reveals !== undefined;
  const kept = paths.filter((path) => !facts.isPublic(path));
  const ofOthers = paths.filter((path) => !facts.trusted || isThirdParty(path));
  if (reveals === "nothing") return ofWorkspace(tool, value, facts);
  const answers = [...(stranger === undefined ? [] : [stranger]), ...away];
  if (reveals === "outside") return { private: [], outside: answers.length > 0 ? answers : [tool] };
  return {
    private: [...kept, ...records, ...(runs || !says ? [tool] : [])],
    outside: [
      ...answers,
      ...ofOthers.map((path) => (facts.trusted ? path : `${path} (this folder is not trusted)`)),
      ...(runs && !facts.trusted ? [`${tool} (this folder is not trusted)`] : []),
      ...(runs && readable !== undefined ? [`${readable} (read by ${tool})`] : []),
    ],
  };
}

/** A tool that has no private data of its own may return workspace content, such as one of its skills. */
function ofWorkspace(tool: string, value: unknown, facts: WorkspaceFacts): Seen {
  if (value === null || typeof value !== "object") return nothingSeen;
  const { source, name } = value as { source?: unknown; name?: unknown };
  const path = `.wield/skills/${String(name)}/SKILL.md`;
  if (source !== "workspace" || facts.isPublic(path)) return nothingSeen;
  return { private: [`${path} (${tool})`], outside: [] };
}

/** Folders of third-party code, even in a trusted workspace. */
export const thirdPartyFolders = ["node_modules", "vendor", "site-packages", ".venv", "venv", "third_party"];

export function isThirdParty(path: string): boolean {
  return path.split("/").some((part) => thirdPartyFolders.includes(part));
}

/** Whom a call speaks to: what comes back is theirs. */
function targetOf(effect: Effect, tool: string): string[] {
  if (effect.kind === "fetch") return [URL.parse(effect.url)?.host ?? effect.url];
  return effect.kind === "run" && effect.network !== "off" ? [tool] : [];
}

function strangerIn(value: unknown): string | undefined {
  if (value === null || typeof value !== "object") return undefined;
  const { provenance, source } = value as { provenance?: { source?: unknown }; source?: unknown };
  if (provenance !== undefined) return String(provenance.source ?? "somebody else");
  return typeof source === "string" ? source : undefined;
}

/** A few names of each are enough for a person. */
const most = 20;

/** Both together; undefined where the second adds nothing. */
export function joinSeen(known: Seen, more: Seen): Seen | undefined {
  const add = (one: readonly string[], other: readonly string[]) =>
    one.length >= most ? one : [...new Set([...one, ...other])].slice(0, most);
  const joined = { private: add(known.private, more.private), outside: add(known.outside, more.outside) };
  const grew = joined.private.length > known.private.length || joined.outside.length > known.outside.length;
  return grew ? joined : undefined;
}

/** Why everything that leaves is asked about; undefined while one of the two is missing. */
export function watchReason({ private: own, outside }: Seen): string | undefined {
  if (own.length === 0 || outside.length === 0) return undefined;
  return `this session has read private data (${some(own)}) and content that others wrote (${some(outside)}), so whatever leaves is shown to you first`;
}

function some(names: readonly string[]): string {
  return [...names.slice(-2), ...(names.length > 2 ? ["…"] : [])].join(", ");
}
