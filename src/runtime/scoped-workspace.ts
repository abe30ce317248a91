import type { Decision } from "../approval/decide.ts";
import { Failure } from "../failure/failure.ts";
import type { HiddenPath } from "../tool/tool.ts";
import { spellingsOf } from "../workspace/non-utf8-names.ts";
import type { Authorship, Change, Entry, Fingerprint, Workspace } from "../workspace/workspace.ts";

import type { Places } from "./stages.ts";

export interface ScopedWorkspace {
  workspace: Workspace;
  mayRead(path: string): boolean;
  hiddenPaths(): Promise<HiddenPath[]>;
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
  const mayRead = (path: string) =>
    spellingsOf(path).every((one) => {
      const decision = reading?.rules(one) ?? "allow";
      return decision === "allow" || (decision === "ask" && reading?.wasAsked === true);
    });
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
  const read: Workspace["read"] = async (path, options) => {
    if (!reading) return readAt(path, path, options);
    // Judged by where it leads: a link is another name for something that may be hidden.
    const place = (await workspace.resolve(path)).path;
    if (!mayRead(place))
      throw new Failure("APPROVAL_DENIED", `A rule does not let this tool read ${path}. Find another way.`);
    return readAt(path, place, options);
  };
  const seen = (entries: Entry[]) => entries.filter((entry) => mayRead(entry.path));
  async function* walk(options: Parameters<Workspace["walk"]>[0]): AsyncIterable<Entry> {
    for await (const entry of workspace.walk(options)) if (mayRead(entry.path)) yield entry;
  }
  return {
    changes,
    places,
    mayRead,
    hiddenPaths: async () => (reading ? deniedBelow(workspace, reading.rules) : []),
    finished: async () => {
      await underWay;
    },
    workspace: {
      root: workspace.root,
      stat: (path) => workspace.stat(path),
      statIfThere: (path) => workspace.statIfThere(path),
      resolve: (path) => workspace.resolve(path),
      readEach: (options, visit) =>
        workspace.readEach(options, (entry, bytes) =>
          mayRead(entry.path) ? visit(entry, bytes) : undefined,
        ),
      read,
      list: async (path) => seen(await workspace.list(path)),
      walk: (options) => (reading ? walk(options) : workspace.walk(options)),
      ignoring: (under, ruleNames) => workspace.ignoring(under, ruleNames),
      plan: (operations, options) => workspace.plan(operations, options),
      apply: (operations, by) => track(() => workspace.apply(operations, asApproved(by))),
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

/** A preview may also be bound to other states, such as that of a git branch. */
function isFileState(state: Fingerprint): boolean {
  return /^(?:absent$|directory$|file:|link:)/.test(state);
}

/**
 * A denied directory includes all that is in it, though a rule may allow a part: hiding too much does no harm. What a
 * person wants to be asked about is not hidden from code: hardly any would run without package.json.
 */
async function deniedBelow(workspace: Workspace, rules: Reading["rules"]): Promise<HiddenPath[]> {
  const found: HiddenPath[] = [];
  let above = "";
  const all = { hidden: true, ignored: true, directories: true, everything: true };
  for await (const { path, type } of workspace.walk(all)) {
    if (above !== "" && path.startsWith(above)) continue;
    const isDenied = rules(path) === "deny";
    // It cannot be named to the sandbox, and what is in such a folder cannot be judged.
    if (path.includes("\ufffd") && (isDenied || type === "directory")) {
      const message = `\`${path}\` has a name that is not text, so it cannot be hidden from code as the rules demand. Ask the person to rename it.`;
      throw new Failure("SANDBOX_UNAVAILABLE", message);
    }
    if (!isDenied) continue;
    // A symlink is no content of its own; where it leads is hidden there.
    if (type !== "file" && type !== "directory") continue;
    found.push({ path, type });
    if (type === "directory") above = `${path}/`;
  }
  return found;
}
