import { inflateSync } from "node:zlib";
import { visibleLine } from "../text/visible.ts";

/** A commit as shown to a person. */
export interface CommitSummary {
  subject: string;
  author: string;
  /** What it changes, as far as the readable objects show. */
  files: string[];
}

/** Gives the stored bytes of a loose object by its hash; undefined: it is packed, or not there. */
export type ReadObject = (hash: string) => Promise<Uint8Array | undefined>;

/** An object that inflates to more is no commit or folder worth reading. */
const maxObjectBytes = 1024 * 1024;
/** Folders that are compared for one commit at most. */
const maxTrees = 500;
const maxFiles = 1_000;

/** Reads the object as a commit; undefined when it is another kind, or damaged. */
export async function commitOf(
  stored: Uint8Array,
  isNew: (hash: string) => boolean,
  read: ReadObject,
): Promise<CommitSummary | undefined> {
  const commit = contentOf(stored, "commit")?.toString();
  if (commit === undefined) return undefined;
  const [head = "", message = ""] = commit.split(/\n\n(.*)/s);
  const [, tree = ""] = /^tree ([0-9a-f]+)$/m.exec(head) ?? [];
  const [, parent] = /^parent ([0-9a-f]+)$/m.exec(head) ?? [];
  const [, author = ""] = /^author (.*) \d+ [+-]\d+$/m.exec(head) ?? [];
  const before = parent === undefined ? undefined : await treeOfCommit(parent, read);
  const files: string[] = [];
  const compare = treeComparison(isNew, read, files);
  await compare(tree, parent === undefined ? "none" : (before ?? "unknown"), "");
  return {
    subject: visibleLine((message.split("\n")[0] ?? "").slice(0, 120)),
    author: visibleLine(author.slice(0, 120)),
    files: files.map(visibleLine),
  };
}

async function treeOfCommit(hash: string, read: ReadObject): Promise<string | undefined> {
  const stored = await read(hash);
  const text = stored && contentOf(stored, "commit")?.toString();
  return text === undefined ? undefined : /^tree ([0-9a-f]+)$/m.exec(text)?.[1];
}

interface Entry {
  hash: string;
  isTree: boolean;
}

/**
 * Collects the paths that differ between two folders. Where the old one is packed and cannot be read, what was written by
 * the run is what differs.
 */
function treeComparison(isNew: (hash: string) => boolean, read: ReadObject, files: string[]) {
  let trees = 0;
  return async function compare(
    after: string,
    before: string | "none" | "unknown",
    at: string,
  ): Promise<void> {
    if (after === before || ++trees > maxTrees || files.length >= maxFiles) return;
    const now = await entriesOf(after, read);
    const old = before === "none" ? new Map<string, Entry>() : await entriesOf(before, read);
    if (!now) return;
    for (const [name, { hash, isTree }] of now) {
      const earlier = old?.get(name);
      const differs = old ? earlier?.hash !== hash : isNew(hash);
      if (!differs) continue;
      const path = `${at}${name}`;
      if (!isTree) files.push(path);
      else await compare(hash, !old ? "unknown" : earlier?.isTree ? earlier.hash : "none", `${path}/`);
    }
    for (const name of old?.keys() ?? []) if (!now.has(name)) files.push(`${at}${name}`);
  };
}

async function entriesOf(hash: string, read: ReadObject): Promise<Map<string, Entry> | undefined> {
  const stored = await read(hash);
  const content = stored && contentOf(stored, "tree");
  if (!content) return undefined;
  const entries = new Map<string, Entry>();
  const hashBytes = hash.length / 2;
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(0, start);
    if (end === -1) return undefined;
    const [mode = "", name = ""] = content.toString("utf8", start, end).split(/ (.*)/s);
    start = end + 1 + hashBytes;
    entries.set(name, { hash: content.toString("hex", end + 1, start), isTree: mode === "40000" });
  }
  return entries;
}

function contentOf(stored: Uint8Array, kind: "commit" | "tree"): Buffer | undefined {
  try {
    const object = inflateSync(stored, { maxOutputLength: maxObjectBytes });
    return object.toString("latin1", 0, kind.length + 1) === `${kind} `
      ? object.subarray(object.indexOf(0) + 1)
      : undefined;
  } catch {
    return undefined;
  }
}
