import { sha256 } from "../text/digest.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * A person's word that a folder's own `.wield` files may loosen rules, add tools and let git run hooks. It holds for those
 * files as they were: a changed, added or removed one ends it.
 */
export interface Trust {
  files: string[];
  digest: string;
}

/** What trusting this workspace would cover now. */
export async function trustSubject(workspace: Workspace): Promise<Trust> {
  const files: string[] = [];
  const parts: string[] = [];
  const exists = await workspace.stat(".wield").then(
    (entry) => entry.type === "directory",
    () => false,
  );
  if (exists) {
    for await (const entry of workspace.walk({ under: ".wield", hidden: true, ignored: true })) {
      const state =
        entry.type === "file"
          ? (await workspace.read(entry.path)).fingerprint
          : `${entry.type}:${entry.target}`;
      files.push(entry.path);
      parts.push(`${entry.path}\0${state}`);
    }
  }
  return { files, digest: sha256(parts.join("\n")) };
}

export async function isTrusted(trustFile: string, workspace: Workspace): Promise<boolean> {
  const known = readTrust(trustFile);
  const digest = known.get(workspace.root);
  return digest !== undefined && digest === (await trustSubject(workspace)).digest;
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
