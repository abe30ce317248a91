import { Failure } from "../events/failure.ts";
import { sha256 } from "../text/digest.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import type { Entry, FileContent, Workspace } from "../workspace/workspace.ts";

/**
 * A person's word that a folder's own `.wield` files may loosen rules, add tools and let git run hooks, and that its notes
 * for agents are followed. It holds for those files as they were: a changed, added or removed one ends it.
 */
export interface Trust {
  /** The state of each file, by its path. */
  files: ReadonlyMap<string, string>;
  digest: string;
}

/** What trusting this workspace would cover now. A link is refused: what it leads to is not held by the digest. */
export async function trustSubject(workspace: Workspace): Promise<Trust> {
  const files = new Map<string, string>();
  const notes = await notesFile(workspace);
  if (notes) files.set(notes.path, notes.fingerprint);
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
  const parts = [...files].map(([path, state]) => `${path}\0${state}`);
  return { files, digest: sha256(parts.join("\n")) };
}

function notCovered({ path }: Entry): Failure {
  const message = `${path} is not a file but leads elsewhere, and trust holds for files as they are. Put the files themselves into .wield.`;
  return new Failure("PERMISSION_DENIED", message);
}

/** Where projects keep what agents should know, the first that is there. */
const notesPaths = ["AGENTS.md", "CLAUDE.md"];
/** Nobody writes so much for a model to read. */
const maxNotesBytes = 1024 * 1024;

export async function notesFile(workspace: Workspace): Promise<(FileContent & { path: string }) | undefined> {
  for (const path of notesPaths) {
    const found = await workspace.read(path, { maxBytes: maxNotesBytes }).catch(() => undefined);
    if (found) return { ...found, path };
  }
  return undefined;
}

export async function isTrusted(trustFile: string, workspace: Workspace): Promise<boolean> {
  return (await trustedSubject(trustFile, workspace)) !== undefined;
}

/** What is trusted, as it is now; undefined where it is not. */
export async function trustedSubject(trustFile: string, workspace: Workspace): Promise<Trust | undefined> {
  const digest = readTrust(trustFile).get(workspace.root);
  if (digest === undefined) return undefined;
  const subject = await trustSubject(workspace).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return subject?.digest === digest ? subject : undefined;
}

export function setTrust(trustFile: string, root: string, digest: string | undefined): void {
  const known = readTrust(trustFile);
  if (digest === undefined) known.delete(root);
  else known.set(root, digest);
  writeAtomic(trustFile, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}

/** A damaged file trusts nothing. */
function readTrust(trustFile: string): Map<string, string> {
  try {
    const json: unknown = JSON.parse(readIfThere(trustFile)?.toString() ?? "{}");
    return new Map(Object.entries(json as Record<string, string>));
  } catch {
    return new Map();
  }
}
