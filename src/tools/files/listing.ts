import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { visibleLine } from "../../text/visible.ts";
import { notText, skipped, skippedLine } from "../../tool/skipped-names.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Entry } from "../../workspace/workspace.ts";

export const listedEntry = z.object({
  name: z.string(),
  type: z.enum(["file", "directory", "symlink"]),
  size: z.number(),
  modified: z.string().describe("ISO 8601"),
});
export type ListedEntry = z.infer<typeof listedEntry>;

export const listingOutput = z.object({
  entries: z.array(listedEntry),
  nextCursor: z.string().optional().describe("Present when there are more entries"),
  notText,
  notShown: z.array(z.string()).optional().describe("Directories that a recursive listing leaves out"),
});

type Listing = z.infer<typeof listingOutput>;

export interface ListingRequest {
  path: string;
  recursive: boolean;
  includeHidden: boolean;
  cursor?: string | undefined;
  pageSize: number;
}

/**
 * One page of a directory. A cursor names the last entry shown, so that a page is right even when files came or went in
 * between. Sockets, pipes and devices are left out: no tool can do anything with them.
 */
export async function listPage(
  request: ListingRequest,
  { workspace, signal }: ToolContext,
): Promise<Listing> {
  const after = request.cursor === undefined ? undefined : readCursor(request.cursor);
  const entries: ListedEntry[] = [];
  const odd: string[] = [];
  for await (const entry of entriesOf(request, { workspace, signal })) {
    const name = relativeTo(request.path, entry.path);
    if (entry.notText) odd.push(name);
    const { type, size, modified } = entry;
    if (type === "other" || (after !== undefined && comparePaths(name, after) <= 0)) continue;
    if (entries.length === request.pageSize)
      return { entries, nextCursor: writeCursor(entries.at(-1)?.name ?? ""), ...skipped(odd) };
    entries.push({ name, type, size, modified });
  }
  const notShown = request.recursive ? await ignoredIn(request.path, workspace) : [];
  return { entries, ...(notShown.length > 0 && { notShown }), ...skipped(odd) };
}

/** Direct subdirectories that a walk skips, so that nobody thinks they are missing. */
async function ignoredIn(path: string, workspace: ToolContext["workspace"]): Promise<string[]> {
  const [isIgnored, entries] = await Promise.all([workspace.ignoring(path), workspace.list(path)]);
  return entries.flatMap((entry) =>
    entry.type === "directory" && !isRepository(entry) && isIgnored(`${entry.path}/x`)
      ? [`${entry.name}/`]
      : [],
  );
}

/** What git keeps about a repository is never worth listing. */
const isRepository = ({ name }: Pick<Entry, "name">) => name === ".git";

async function* entriesOf(
  { path, recursive, includeHidden }: ListingRequest,
  { workspace, signal }: Pick<ToolContext, "workspace" | "signal">,
): AsyncIterable<Entry> {
  if (recursive) {
    yield* workspace.walk({ under: path, hidden: includeHidden, directories: true, notText: true, signal });
    return;
  }
  const entries = await workspace.list(path);
  const shown = entries.filter(
    (entry) => !isRepository(entry) && (includeHidden || !entry.name.startsWith(".")),
  );
  yield* shown.sort((a, b) => comparePaths(a.name, b.name));
}

/** Type, size and date in columns, the name last; directories with a slash, links with their sign. */
export function renderListing(
  listing: Listing,
  path: string,
  tool: string,
  input: Record<string, unknown>,
): string[] {
  const odd = skippedLine(listing.notText);
  const left = listing.notShown ?? [];
  const notShown =
    left.length > 0
      ? [`not shown: ${left.slice(0, 10).join(", ")}${left.length > 10 ? ", …" : ""} (ignored)`]
      : [];
  if (listing.entries.length === 0) return [[`${path} is empty.`, ...odd, ...notShown].join("\n")];
  const width = Math.max(...listing.entries.map((entry) => String(entry.size).length));
  const name = ({ name, type }: ListedEntry) =>
    `${visibleLine(name)}${{ file: "", directory: "/", symlink: "@" }[type]}`;
  const more = listing.nextCursor
    ? [
        `… ${listing.entries.length} shown, there are more: ${tool}(${JSON.stringify({ ...input, cursor: listing.nextCursor })})`,
      ]
    : notShown;
  const full = listing.entries.map((entry) =>
    [
      entry.type === "file" ? String(entry.size).padStart(width) : "-".padStart(width),
      entry.modified.slice(0, 16),
      name(entry),
    ].join("  "),
  );
  // In front, where it is not cut off.
  return [full, listing.entries.map(name)].map((lines) => [...odd, ...lines, ...more].join("\n"));
}

/** Path order: a directory stands right before what is in it. */
function comparePaths(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let i = 0; i < left.length && i < right.length; i++) {
    const x = left[i] ?? "";
    const y = right[i] ?? "";
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length;
}

function relativeTo(base: string, path: string): string {
  const prefix = base.replace(/^(\.\/)+|\/+$/g, "");
  return prefix === "" || prefix === "." || !path.startsWith(`${prefix}/`)
    ? path
    : path.slice(prefix.length + 1);
}

function writeCursor(name: string): string {
  return Buffer.from(name).toString("base64url");
}

function readCursor(cursor: string): string {
  const name = Buffer.from(cursor, "base64url").toString();
  if (writeCursor(name) !== cursor)
    throw new Failure(
      "INVALID_INPUT",
      "This cursor was not given by an earlier page. Leave it out to start at the first page.",
    );
  return name;
}
