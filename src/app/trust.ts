import { Failure } from "../failure/failure.ts";
import { sha256 } from "../text/digest.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import type { Entry, Workspace } from "../workspace/workspace.ts";
import type { NotesFile } from "./notes-files.ts";

/**
 * A person's word that a folder's own `.wield` files may loosen rules, add tools and let git run hooks, and that its notes
 * for agents are followed. It holds for those files as they were: one in `.wield` that was changed, added or removed ends it
 * all. Notes change more often and do less: changed ones are no longer followed, and the rest stays trusted.
 */
export interface TrustSubject {
  /** In `.wield`, and skills, commands and agents that other programs keep. */
  paths: readonly string[];
  digest: string;
}

/** What trusting this workspace would cover now. A link is refused: what it leads to is not held by the digest. */
export async function trustSubject(workspace: Workspace): Promise<TrustSubject> {
  const files = new Map<string, string>();
  const top = await workspace.stat(".wield").catch((error: unknown) => {
    if (error instanceof Failure && error.code === "FILE_NOT_FOUND") return undefined;
    throw error;
  });
  if (top && top.type !== "directory") throw notCovered(top);
  if (top) {
    for await (const entry of workspace.walk({ under: ".wield", hidden: true, ignored: true })) {
      if (entry.type !== "file") throw notCovered(entry);
      files.set(entry.path, (await workspace.read(entry.path)).fingerprint);
    }
  }
  // Where other programs keep theirs. Links are left out there, by whoever reads the files, too.
  const ofOthers = [markdownPlaces.commands, markdownPlaces.agents].flatMap((kind) => kind.ofOthers);
  for (const under of [...skillFolders, ...ofOthers])
    for await (const entry of workspace.walk({ under, ifThere: true, hidden: true, ignored: true }))
      if (entry.type === "file") files.set(entry.path, (await workspace.read(entry.path)).fingerprint);
  const parts = [...files].map(([path, state]) => `${path}\0${state}`);
  return { paths: [...files.keys()], digest: sha256(parts.join("\n")) };
}

function notCovered({ path }: Entry): Failure {
  const message = `${path} is not a file but leads elsewhere, and trust holds for files as they are. Put the files themselves into .wield.`;
  return new Failure("PERMISSION_DENIED", message);
}

/** Skills of other programs, in the format that Wield's own have; weakest first. */
export const skillFolders = [".claude/skills", ".agents/skills"];

/** Commands and agents, of Wield and of other programs that keep them in Markdown files. */
export const markdownPlaces = {
  commands: {
    own: "commands",
    ofOthers: [".claude/commands", ".opencode/command", ".cursor/commands"],
    ofOthersAtHome: [".claude/commands", ".config/opencode/command", ".codex/prompts", ".cursor/commands"],
  },
  agents: {
    own: "agents",
    ofOthers: [".claude/agents", ".opencode/agent"],
    ofOthersAtHome: [".claude/agents", ".config/opencode/agent"],
  },
} as const;

/** Of a worktree, `root` is the folder that was trusted: its own files must be those that were trusted there. */
export async function isTrusted(
  trustFile: string,
  workspace: Workspace,
  root = workspace.root,
): Promise<boolean> {
  // Most folders were never trusted: then nothing has to be read.
  if (!readTrust(trustFile).has(root)) return false;
  const subject = await trustSubject(workspace).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return subject !== undefined && areFilesTrusted(trustFile, root, subject);
}

/** Whether `.wield`, as it was looked at, is what the person trusted. */
export function areFilesTrusted(trustFile: string, root: string, { digest }: TrustSubject): boolean {
  return readTrust(trustFile).get(root)?.wield === digest;
}

/** Whether these very notes are what the person trusted; they are followed only while the workspace is trusted, too. */
export function areNotesTrusted(trustFile: string, root: string, notes: NotesFile): boolean {
  return [readTrust(trustFile).get(root)?.notes ?? []].flat().includes(stateOf(notes));
}

/** Trusts this, and these notes with it. */
export function setTrust(
  trustFile: string,
  root: string,
  subject: TrustSubject,
  notes: readonly NotesFile[],
): void {
  const given = { wield: subject.digest, notes: notes.map(stateOf) };
  writeTrust(trustFile, readTrust(trustFile).set(root, given));
}

export function withdrawTrust(trustFile: string, root: string): void {
  const known = readTrust(trustFile);
  known.delete(root);
  writeTrust(trustFile, known);
}

function writeTrust(trustFile: string, known: ReadonlyMap<string, GivenTrust>): void {
  writeAtomic(trustFile, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}

function stateOf(notes: NotesFile): string {
  return `${notes.path} ${notes.fingerprint}`;
}

/** What was trusted in one workspace. */
interface GivenTrust {
  /** Digest of all that was in `.wield`. */
  wield: string;
  /** State of each file of notes. Earlier versions knew one file: its state, or null. */
  notes: readonly string[] | string | null;
}

/** What is damaged trusts nothing. */
function readTrust(trustFile: string): Map<string, GivenTrust> {
  try {
    const json: unknown = JSON.parse(readIfThere(trustFile)?.toString() ?? "{}");
    return new Map(Object.entries(json as Record<string, unknown>).filter(isGiven));
  } catch {
    return new Map();
  }
}

function isGiven(entry: [string, unknown]): entry is [string, GivenTrust] {
  const { wield, notes } = (entry[1] ?? {}) as Record<string, unknown>;
  const states = notes === null ? [] : [notes].flat();
  return typeof wield === "string" && states.every((state) => typeof state === "string");
}
