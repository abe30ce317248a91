import { readdirSync } from "node:fs";
import type { Directory } from "./directory.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { joinPath } from "./path.ts";
import type { Entry } from "./workspace.ts";

/** Decoding invalid UTF-8 produces this character. */
export function isText(name: string): boolean {
  return !name.includes("\ufffd");
}

/** Names in a directory that are not UTF-8, of all its names as they are decoded. */
export function nonUtf8Names(directory: Directory, names: readonly string[]): Buffer[] {
  if (names.every(isText)) return [];
  return readdirSync(directory.base, { encoding: "buffer" })
    .filter((raw) => !Buffer.from(raw.toString()).equals(raw))
    .sort(Buffer.compare);
}

/** Listed under its escaped name; no path can refer to it. */
export function nonUtf8Entry(raw: Buffer, folder: string): Entry {
  const name = escapedName(raw);
  return { ...nothing, path: joinPath(folder, name), name };
}

/** The same for one whose path is too long for the system. The path is whole, as rules judge it. */
export function tooLongEntry(path: string): Entry {
  return { ...nothing, path, name: path.slice(path.lastIndexOf("/") + 1), tooLong: true };
}

/**
 * What an escaped path may be called in a rule: as it is escaped, with any character for each invalid byte, and as Latin-1.
 * All of them must be free to read.
 */
export function spellingsOf(path: string): string[] {
  if (!path.includes("\\x")) return [path];
  const asText = (text: (byte: number) => string) =>
    path.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) => text(Number.parseInt(hex, 16)));
  return [path, asText(() => "\ufffd"), asText((byte) => String.fromCharCode(byte))];
}

/** For what no tool can open: as a file or as a directory, however its name is spelt. */
export function mayBeIgnored(path: string, rules: IgnoreRules | undefined): boolean {
  return spellingsOf(path).some((one) => rules?.ignores(one, false) || rules?.ignores(one, true));
}

/** For display only: its beginning and its end. */
export function shortened(path: string): string {
  return path.length <= mostShown ? path : `${path.slice(0, mostShown / 2)}…${path.slice(-mostShown / 2)}`;
}

const mostShown = 80;
const nothing: Omit<Entry, "path" | "name"> = {
  ...{ size: 0, modified: new Date(0).toISOString(), mode: 0 },
  type: "other",
  notText: true,
};

/** Invalid bytes are shown as `\xNN`. */
export function escapedName(raw: Buffer): string {
  let text = "";
  for (let at = 0; at < raw.length; ) {
    const length = [1, 2, 3, 4].find((size) => isText(raw.toString("utf8", at, at + size)));
    if (length === undefined) text += `\\x${raw.toString("hex", at, at + 1)}`;
    else text += raw.toString("utf8", at, at + length);
    at += length ?? 1;
  }
  return text;
}
