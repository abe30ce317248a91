import { Failure } from "../failure/failure.ts";
import { sha256 } from "../text/digest.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import type { Entry, FileContent, Workspace } from "../workspace/workspace.ts";

/**
 * A person's word that a folder's own `.wield` files may loosen rules, add tools and let git run hooks, and that its notes
 * for agents are followed. It holds for those files as they were: one in `.wield` that was changed, added or removed ends it
 * all. Notes change more often and do less: changed ones are no longer followed, and the rest stays trusted.
 */
export interface TrustSubject {
  /** In `.wield`, and skills that other programs keep. */
  paths: readonly string[];
  digest: string;
  notes: NotesFile | undefined;
}

export type NotesFile = FileContent & { path: string };

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
  // Where other programs keep skills. Links are left out there, by whoever reads the skills, too.
  for (const under of skillFolders)
    for await (const entry of workspace.walk({ under, ifThere: true, hidden: true, ignored: true }))
      if (entry.type === "file") files.set(entry.path, (await workspace.read(entry.path)).fingerprint);
  const parts = [...files].map(([path, state]) => `${path}\0${state}`);
  return { paths: [...files.keys()], digest: sha256(parts.join("\n")), notes: await notesFile(workspace) };
}

function notCovered({ path }: Entry): Failure {
  const message = `${path} is not a file but leads elsewhere, and trust holds for files as they are. Put the files themselves into .wield.`;
  return new Failure("PERMISSION_DENIED", message);
}

/** Skills of other programs, in the format that Wield's own have; weakest first. */
export const skillFolders = [".claude/skills", ".agents/skills"];

/** Where projects keep what agents should know, the first that is there. */
const notesPaths = ["AGENTS.md", "CLAUDE.md"];
/** Nobody writes so much for a model to read. */
const maxNotesBytes = 1024 * 1024;

export async function notesFile(workspace: Workspace): Promise<NotesFile | undefined> {
  for (const path of notesPaths) {
    const found = await workspace.read(path, { maxBytes: maxNotesBytes }).catch(() => undefined);
    if (found) return { ...found, path };
  }
  return undefined;
}

export async function isTrusted(trustFile: string, workspace: Workspace): Promise<boolean> {
  // Most folders were never trusted: then nothing has to be read.
  if (!readTrust(trustFile).has(workspace.root)) return false;
  const subject = await trustSubject(workspace).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return subject !== undefined && areFilesTrusted(trustFile, workspace.root, subject);
}

/** Whether `.wield`, as it was looked at, is what the person trusted. */
export function areFilesTrusted(trustFile: string, root: string, { digest }: TrustSubject): boolean {
  return readTrust(trustFile).get(root)?.wield === digest;
}

/** Whether these very notes are what the person trusted; they are followed only while the workspace is trusted, too. */
export function areNotesTrusted(trustFile: string, root: string, notes: NotesFile): boolean {
  return readTrust(trustFile).get(root)?.notes === stateOf(notes);
}

export function setTrust(trustFile: string, root: string, subject: TrustSubject | undefined): void {
  const known = readTrust(trustFile);
  if (subject) known.set(root, { wield: subject.digest, notes: stateOf(subject.notes) });
  else known.delete(root);
  writeAtomic(trustFile, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}

function stateOf(notes: NotesFile | undefined): string | null {
  return notes ? `${notes.path} ${notes.fingerprint}` : null;
}

/** What was trusted in one workspace. */
interface GivenTrust {
  /** Digest of all that was in `.wield`. */
  wield: string;
  /** State of the notes; null when there were none. */
  notes: string | null;
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
  return typeof wield === "string" && (notes === null || typeof notes === "string");
}
