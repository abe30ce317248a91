import { Failure } from "../../failure/failure.ts";
import type { Hunk } from "../../workspace/patch-hunks.ts";

/** One change of a patch, in its order. */
export type PatchedFile =
  | { kind: "add"; path: string; content: string }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; hunks: Hunk[]; to?: string };

const fileLine = /^\*\*\* (Update|Add|Delete) File: (.+?)\s*$/;

/** Reads unified diffs (git's too) and the envelope from `*** Begin Patch` to `*** End Patch`, one after the other. */
export function parsePatch(patch: string): PatchedFile[] {
  const lines = patch.replace(/\n$/, "").split("\n");
  const files: PatchedFile[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const read =
      line.startsWith("*** Begin Patch") || fileLine.test(line)
        ? readEnvelope(lines, at)
        : isHeader(lines, at) || line.startsWith("diff --git ")
          ? readUnified(lines, at)
          : undefined;
    if (read) {
      files.push(...read.files);
      at = read.next;
    } else if (/^@@ /.test(line)) {
      throw invalid(`Line ${at + 1} of the patch begins a hunk, but no file is named before it.`);
    } else at++;
  }
  if (files.length > 0) return files;
  throw invalid(
    "This is no patch. Give a unified diff (--- a/file, +++ b/file, @@ … @@), or *** Begin Patch, *** Update File: path, lines with - + or a space in front, *** End Patch.",
  );
}

interface Read {
  files: PatchedFile[];
  next: number;
}

function readEnvelope(lines: readonly string[], from: number): Read {
  const files: PatchedFile[] = [];
  let at = from;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.startsWith("*** End Patch")) return { files, next: at + 1 };
    const [, action, path = ""] = fileLine.exec(line) ?? [];
    at++;
    if (action === undefined) {
      if (line.trim() === "" || line.startsWith("*** Begin Patch")) continue;
      throw invalid(`Line ${at} of the patch belongs to no file: ${JSON.stringify(line.slice(0, 80))}.`);
    }
    if (action === "Delete") files.push({ kind: "delete", path });
    else if (action === "Add") {
      const end = endOfBody(lines, at);
      const added = lines.slice(at, end).map((each) => each.replace(/^\+/, ""));
      files.push({ kind: "add", path, content: added.map((each) => `${each}\n`).join("") });
      at = end;
    } else {
      const to = /^\*\*\* Move to: (.+?)\s*$/.exec(lines[at] ?? "")?.[1];
      const end = endOfBody(lines, at + (to === undefined ? 0 : 1));
      const hunks = anchoredHunks(lines.slice(at + (to === undefined ? 0 : 1), end), path);
      files.push({ kind: "update", path, hunks, ...(to !== undefined && { to }) });
      at = end;
    }
  }
  return { files, next: at };
}

function endOfBody(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (!lines[at]?.startsWith("*** ") || lines[at]?.startsWith("*** End of File")))
    at++;
  return at;
}

/** Hunks of an envelope: `@@` names a line above the place, several narrow it down. */
function anchoredHunks(lines: readonly string[], path: string): Hunk[] {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let current: Hunk | undefined;
  for (const line of lines) {
    if (line.startsWith("*** End of File")) {
      if (current) current.atEnd = true;
    } else if (line.startsWith("@@")) {
      if (current) anchors = [];
      current = undefined;
      const anchor = line
        .slice(2)
        .replace(/@@\s*$/, "")
        .trim();
      const numbers = /^-(\d+)/.exec(anchor);
      if (anchor !== "" && !numbers) anchors.push(anchor);
    } else {
      if (!current) {
        current = { name: `Hunk ${hunks.length + 1} of ${path}`, anchors, old: [], new: [] };
        hunks.push(current);
      }
      addLine(current, line, path);
    }
  }
  return hunks;
}

function addLine(hunk: Hunk, line: string, path: string): void {
  const text = line.slice(1);
  if (line === "" || line.startsWith(" ")) {
    hunk.old.push(text);
    hunk.new.push(text);
  } else if (line.startsWith("-")) hunk.old.push(text);
  else if (line.startsWith("+")) hunk.new.push(text);
  else if (line.startsWith("\t")) {
    // A context line whose space in front was forgotten.
    hunk.old.push(line);
    hunk.new.push(line);
  } else {
    throw invalid(
      `In ${path}: ${JSON.stringify(line.slice(0, 80))} begins with neither "+", "-" nor a space. Put a space in front of lines that stay.`,
    );
  }
}

function isHeader(lines: readonly string[], at: number): boolean {
  return Boolean(lines[at]?.startsWith("--- ") && lines[at + 1]?.startsWith("+++ "));
}

function readUnified(lines: readonly string[], from: number): Read {
  let at = from;
  const named = /^diff --git a\/(.+?) b\/(.+)$/.exec(lines[at] ?? "");
  let [before, after] = [named?.[1], named?.[2]];
  let [isNew, isGone] = [false, false];
  for (; at < lines.length && !isHeader(lines, at) && !lines[at]?.startsWith("@@"); at++) {
    const line = lines[at] ?? "";
    if (at > from && line.startsWith("diff --git ")) break;
    if (/^(GIT binary patch|Binary files )/.test(line))
      throw invalid(`The patch changes ${after ?? before} as binary data. Write that file with write_file.`);
    isNew ||= line.startsWith("new file mode");
    isGone ||= line.startsWith("deleted file mode");
    before = /^rename from (.+)$/.exec(line)?.[1] ?? before;
    after = /^rename to (.+)$/.exec(line)?.[1] ?? after;
    if (at > from && fileLine.test(line)) break;
  }
  if (isHeader(lines, at)) {
    const [old, now] = [sideName(lines[at]), sideName(lines[at + 1])];
    isNew ||= old === undefined;
    isGone ||= now === undefined;
    const isGits = (old ?? now)?.startsWith("a/") || now?.startsWith("b/");
    const plain = (name: string | undefined) => (isGits ? name?.replace(/^[ab]\//, "") : name);
    before = plain(old) ?? before;
    after = plain(now) ?? after;
    at += 2;
  }
  const path = before ?? after ?? "";
  const hunks: Hunk[] = [];
  while (lines[at]?.startsWith("@@")) {
    const read = numberedHunk(lines, at, path, hunks.length + 1);
    hunks.push(read.hunk);
    at = read.next;
  }
  return { files: patchedFile({ before, after, isNew, isGone, hunks }), next: Math.max(at, from + 1) };
}

function patchedFile(given: {
  before: string | undefined;
  after: string | undefined;
  isNew: boolean;
  isGone: boolean;
  hunks: Hunk[];
}): PatchedFile[] {
  const { before, after, isNew, isGone, hunks } = given;
  if (isGone && before !== undefined) return [{ kind: "delete", path: before }];
  if (isNew && after !== undefined) {
    const lines = hunks.flatMap((hunk) => hunk.new);
    const content = lines.join("\n") + (lines.length > 0 && !hunks.at(-1)?.newWithoutEnding ? "\n" : "");
    return [{ kind: "add", path: after, content }];
  }
  const path = before ?? after;
  if (path === undefined) return [];
  const isMoved = after !== undefined && after !== path;
  if (hunks.length === 0 && !isMoved) return [];
  return [{ kind: "update", path, hunks, ...(isMoved && { to: after }) }];
}

/** Counts in the head are often wrong in what models write: they decide only about blank lines at the end. */
function numberedHunk(
  lines: readonly string[],
  from: number,
  path: string,
  number: number,
): { hunk: Hunk; next: number } {
  const [head = "", start, oldCount = "1", newCount = "1"] =
    /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[from] ?? "") ?? [];
  const hunk: Hunk = {
    name: `Hunk ${number} of ${path}${head === "" ? "" : ` (${head})`}`,
    anchors: [],
    old: [],
    new: [],
    ...(start !== undefined && { line: Number(start) + (oldCount === "0" ? 1 : 0) }),
  };
  let at = from + 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const isFull = hunk.old.length >= Number(oldCount) && hunk.new.length >= Number(newCount);
    if (
      /^(@@|diff --git |\*\*\* )/.test(line) ||
      (isHeader(lines, at) && (isFull || lines[at + 2]?.startsWith("@@")))
    )
      break;
    if (line === "" && isFull) continue;
    if (line.startsWith("\\")) {
      const [last = ""] = lines[at - 1] ?? "";
      if (last !== "+") hunk.oldWithoutEnding = true;
      if (last !== "-") hunk.newWithoutEnding = true;
    } else addLine(hunk, line, path);
  }
  return { hunk, next: at };
}

/** Undefined for /dev/null. Behind a tab stands a time. */
function sideName(line = ""): string | undefined {
  const name = line.slice(4).split("\t")[0]?.trimEnd() ?? "";
  return name === "/dev/null" ? undefined : name.replace(/^"(.*)"$/, "$1");
}

function invalid(message: string): Failure {
  return new Failure("INVALID_INPUT", message);
}
