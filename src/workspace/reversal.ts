import { applyPatch } from "diff";
import { Failure } from "../failure/failure.ts";
import { diffBytes } from "../text/diff.ts";
import { readText } from "../text/encoding.ts";
import { whatChanged } from "./conflict.ts";
import { readFileAt } from "./file-bytes.ts";
import type { Jail } from "./jail.ts";
import type { Entry, Journal } from "./journal.ts";
import { fingerprintOf, hashOf, type Node } from "./node.ts";
import type { Mismatch } from "./simulation.ts";
import { spliced, splicesBetween } from "./splice.ts";
import type { Which } from "./workspace.ts";

const maxShownBytes = 1_000_000;
const maxDiffLines = 200;
const maxChangesNamed = 5;

/** The changes to undo or redo, in that order. */
export function selectEntries(journal: Journal, direction: "undo" | "redo", which: Which): Entry[] {
  const entries =
    which.changeId === undefined
      ? journal.next(direction, which.steps ?? 1)
      : uniqueById([which.changeId].flat().map((id) => named(journal, id)))
          // The change that was reversed last depends on those reversed before it.
          .sort((one, other) => other.turned - one.turned);
  if (entries.length === 0) throw new Failure("INVALID_INPUT", `There is nothing to ${direction}.`);
  for (const entry of entries) {
    const isThere = entry.state === (direction === "undo" ? "undone" : "done");
    if (isThere)
      throw new Failure(
        "INVALID_INPUT",
        `Change ${entry.id} is ${direction === "undo" ? "undone" : "done"} already.`,
      );
    if (!entry.undoable) {
      const why = "what it replaced was too much to keep, or was dropped to stay within the journal's quota";
      const message = `Change ${entry.id} (${entry.description}) cannot be undone: ${why}.`;
      throw new Failure("LIMIT_EXCEEDED", [message, ...entry.notices].join(" "));
    }
  }
  return entries;
}

/** Why a change cannot be reversed: later changes depend on it, or someone else changed the path since. */
export async function reversalConflict(
  jail: Jail,
  journal: Journal,
  direction: "undo" | "redo",
  entry: Entry,
  { path, expected, actual }: Mismatch,
): Promise<Failure> {
  const turned = direction === "undo" ? "undone" : "done again";
  const later = journal.laterOn(path, entry);
  if (later.length > 0) {
    const names = later.slice(0, maxChangesNamed).map(({ id, description }) => `${id} (${description})`);
    const more = later.length > names.length ? ` and ${later.length - names.length} more` : "";
    const message = `Change ${entry.id} cannot be ${turned}: later changes touched \`${path}\`: ${names.join(", ")}${more}. Undo those first, newest first.`;
    return new Failure("CONFLICT", message, { path, later: later.map(({ id }) => id) });
  }
  const what = whatChanged(path, fingerprintOf(expected), fingerprintOf(actual));
  const difference = await differenceOf(jail, journal, entry, path, expected, actual);
  const message = `Change ${entry.id} cannot be ${turned}: ${what}, and not by Wield. ${
    difference ? `The difference to what was expected:\n${difference}` : "Look at it and change it by hand."
  }`;
  return new Failure("CONFLICT", message, {
    path,
    expected: fingerprintOf(expected),
    actual: fingerprintOf(actual),
    ...(difference && { difference }),
  });
}

/** Two id prefixes may refer to the same change. */
function uniqueById(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

function named(journal: Journal, id: string): Entry {
  const entry = journal.lookUp(id);
  if (entry) return entry;
  throw new Failure("INVALID_INPUT", `Change ${id} does not exist. List the changes to see their ids.`);
}

async function differenceOf(
  jail: Jail,
  journal: Journal,
  entry: Entry,
  path: string,
  expected: Node | null,
  actual: Node | null,
): Promise<string> {
  const before = await bytesOf(journal, entry, expected);
  if (before === undefined || (actual && (actual.type !== "file" || actual.size > maxShownBytes))) return "";
  const difference = await diffBytes(path, before, actual && presentBytes(jail, path));
  const lines = difference.split("\n");
  const more = lines.length - maxDiffLines;
  return more <= 0
    ? lines.join("\n")
    : `${lines.slice(0, maxDiffLines).join("\n")}\n... and ${more} more lines of difference`;
}

function presentBytes(jail: Jail, path: string): Buffer | null {
  using place = jail.findExact(path);
  return place && readFileAt(place.directory, place.name, path, maxShownBytes).bytes;
}

/** The contents that a change wrote are not stored; they are computed from the previous content and the diff. */
async function bytesOf(
  journal: Journal,
  entry: Entry,
  node: Node | null,
): Promise<Buffer | null | undefined> {
  if (node === null) return null;
  if (node.type !== "file") return undefined;
  if (journal.blobs.has(node.hash)) return journal.blobs.read(node.hash);
  const file = entry.files.find(({ after }) => after === fingerprintOf(node));
  if (!file?.diff) return undefined;
  const [, , hash = ""] = file.before.split(":");
  // A file that was not there before has no content to start from.
  const before = hash !== "" && journal.blobs.has(hash) ? journal.blobs.read(hash) : Buffer.alloc(0);
  const old = await readText(before);
  const text = old && applyPatch(old.text, file.diff);
  if (!old || typeof text !== "string") return undefined;
  const after = await spliced({ bytes: before, ...old }, splicesBetween(old.text, text));
  return hashOf(after.bytes) === node.hash ? after.bytes : undefined;
}
