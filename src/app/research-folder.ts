import type { Workspace } from "../workspace/workspace.ts";

const longestSlug = 60;

/** A folder below `ideas/`, named by the day and the idea, that does not exist yet or is ours already. */
export async function freeFolder(
  workspace: Workspace,
  idea: string,
  day: Date,
  isOurs: (folder: string) => Promise<boolean>,
): Promise<string> {
  const base = `ideas/${day.toISOString().slice(0, 10)}-${await slugOf(idea)}`;
  for (let count = 1; ; count++) {
    const folder = count === 1 ? base : `${base}-${count}`;
    const isTaken = await workspace.stat(folder).then(
      () => true,
      () => false,
    );
    if (!isTaken || (await isOurs(folder))) return folder;
  }
}

/**
 * The idea as a name of lower-case Latin letters, digits and hyphens. Other scripts are transliterated: `read_research`
 * takes only such paths, and a report must be readable by the next research.
 */
export async function slugOf(idea: string): Promise<string> {
  const { default: anyAscii } = await import("any-ascii");
  const words =
    anyAscii(idea.normalize("NFC"))
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  let slug = "";
  for (const word of words) {
    if (slug.length + word.length >= longestSlug) break;
    slug += slug === "" ? word : `-${word}`;
  }
  return slug || (words[0] ?? "idea").slice(0, longestSlug);
}
