import type { Decision } from "../approval/decide.ts";
import { Failure } from "../failure/failure.ts";
import type { HiddenPaths } from "../tool/tool.ts";
import { MissingPath } from "../workspace/jail.ts";
import type { Authorship, Change, Entry, Fingerprint, Workspace } from "../workspace/workspace.ts";
import { HiddenFiles } from "./hidden-files.ts";
import type { Places } from "./stages.ts";

export interface ScopedWorkspace {
  workspace: Workspace;
  /** As things were when `look` was last called; the workspace's own methods look by themselves. */
  mayRead(path: string): boolean;
  look(): Promise<void>;
  hiddenPaths(): Promise<HiddenPaths>;
  /** The names of what is at a path that the rules deny. */
  deniedNames(path: string): Promise<string[]>;
  /** What this call really changed. */
  changes: Change[];
  places: Places;
  /** Resolves when no change is under way any more. */
  finished(): Promise<void>;
}

/** What rules say about paths, and whether a person was asked about this call. */
export interface Reading {
  rules: (path: string) => Decision;
  wasAsked: boolean;
}

/**
 * The workspace as one call sees it. Paths that the rules hide are left out of listings and walks, and reading one fails; a
 * rule that a person answered for this call hides nothing. A file that is not as it was approved is not changed. Once the
 * call is over (done, aborted, timed out) nothing more can be changed through it, and a change that is under way at that
 * moment is waited for: the result says what happened.
 */
export function scopeWorkspace(
  workspace: Workspace,
  signal: AbortSignal,
  reading: Reading | undefined,
  approved: ReadonlyMap<string, Fingerprint> = new Map(),
): ScopedWorkspace {
  const hidden = reading && new HiddenFiles(workspace, reading.rules);
  const isFree = (decision: Decision) =>
    decision === "allow" || (decision === "ask" && reading?.wasAsked === true);
  const mayRead = (path: string) => !hidden || isFree(hidden.decisionOn(path));
  const look = async () => {
    await hidden?.look();
  };
  const changes: Change[] = [];
  const places = new Map<string, Set<string>>();
  const readAt = async (name: string, ...given: Parameters<Workspace["read"]>) => {
    const content = await workspace.read(...given);
    places.set(name, (places.get(name) ?? new Set()).add(content.place));
    return content;
  };
  let underWay: Promise<unknown> = Promise.resolve();
  const track = async <T extends Change | Change[]>(work: () => Promise<T>): Promise<T> => {
    if (signal.aborted)
      throw new Failure("ABORTED", "The call was over before this change began; nothing was changed.");
    const change = work();
    underWay = change.catch(() => undefined);
    const done = await change;
    changes.push(...(Array.isArray(done) ? done : [done]));
    return done;
  };
  /** The states that were approved hold until the call itself changes a file, whatever the tool says it expects. */
  const asApproved = (by: Authorship): Authorship => {
    const changed = new Set(changes.flatMap(({ files }) => files.map(({ path }) => path)));
    const shown = [...approved].filter(([, state]) => isFileState(state));
    if (shown.length === 0) return by;
    const states = shown.filter(([path]) => !changed.has(path));
    return {
      ...by,
      expect: new Map([...(by.expect ?? []), ...states]),
      shown: new Set([...shown.map(([path]) => path), ...changed]),
    };
  };
  /** A failure may suggest names that are near to the one that is missing. */
  const withoutHidden = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!hidden) return work();
    await hidden.look();
    return work().catch((error: unknown) => {
      throw error instanceof MissingPath ? error.showing(mayRead) : error;
    });
  };
  const refused = (path: string) =>
    new Failure("APPROVAL_DENIED", `A rule does not let this tool read ${path}. Find another way.`);
  const read: Workspace["read"] = async (path, options) => {
    if (!hidden) return readAt(path, path, options);
    // Judged by where it leads, and by what was opened there: its name may lead elsewhere by then.
    const place = (await workspace.resolve(path)).path;
    if (!mayRead(place)) throw refused(path);
    const content = await readAt(path, place, options);
    if (!isFree(await hidden.decisionOnFile(content.place, content.identity))) throw refused(path);
    return content;
  };
  /** A link shows the name of what it leads to. */
  const isSeen = async ({ path, type }: Entry): Promise<boolean> => {
    if (!mayRead(path)) return false;
    const end =
      hidden && type === "symlink" ? await workspace.resolve(path).catch(() => undefined) : undefined;
    return end === undefined || mayRead(end.path);
  };
  const list: Workspace["list"] = async (path) => {
    const entries = await workspace.list(path);
    const seen = await Promise.all(entries.map(isSeen));
    return entries.filter((_, at) => seen[at]);
  };
  async function* walk(options: Parameters<Workspace["walk"]>[0]): AsyncIterable<Entry> {
    await look();
    for await (const entry of workspace.walk(options)) if (await isSeen(entry)) yield entry;
  }
  const readSeen = (...[options, visit, files]: [...Parameters<Workspace["readEach"]>, HiddenFiles]) =>
    workspace.readEach({ ...options, identity: true }, ({ identity, ...entry }, bytes) => {
      if (!mayRead(entry.path)) return undefined;
      if (!identity || !files.mayHaveNewNames(identity)) return visit(entry, bytes);
      return files.decisionOnFile(entry.path, identity).then((decision) => {
        if (isFree(decision)) return visit(entry, bytes);
      });
    });
  return {
    changes,
    places,
    mayRead,
    look,
    hiddenPaths: async () => hidden?.paths() ?? noneHidden,
    deniedNames: async (path) => hidden?.deniedNames(path) ?? [],
    finished: async () => {
      await underWay;
    },
    workspace: {
      root: workspace.root,
      stat: (path) => withoutHidden(() => workspace.stat(path)),
      statIfThere: (path) => workspace.statIfThere(path),
      resolve: (path) => withoutHidden(() => workspace.resolve(path)),
      readEach: (options, visit) =>
        hidden ? withoutHidden(() => readSeen(options, visit, hidden)) : workspace.readEach(options, visit),
      read: (path, options) => withoutHidden(() => read(path, options)),
      list: (path) => withoutHidden(() => list(path)),
      walk: (options) => (hidden ? walk(options) : workspace.walk(options)),
      ignoring: (under, ruleNames) => withoutHidden(() => workspace.ignoring(under, ruleNames)),
      plan: (operations, options) => withoutHidden(() => workspace.plan(operations, options)),
      apply: (operations, by) =>
        track(() => withoutHidden(() => workspace.apply(operations, asApproved(by)))),
      changes: (query) => workspace.changes(query),
      change: (id) => workspace.change(id),
      planReversal: (direction, which) => workspace.planReversal(direction, which),
      reverse: (direction, which, by) => track(() => workspace.reverse(direction, which, asApproved(by))),
      position: () => workspace.position(),
      planRewind: (point) => workspace.planRewind(point),
      rewind: async () => {
        throw new Failure("PERMISSION_DENIED", "Only a person can rewind a conversation.");
      },
      close: () => undefined,
    },
  };
}

const noneHidden: HiddenPaths = Object.assign([], { isComplete: async () => true });

/** A preview may also be bound to other states, such as that of a git branch. */
function isFileState(state: Fingerprint): boolean {
  return /^(?:absent$|directory$|file:|link:)/.test(state);
}
