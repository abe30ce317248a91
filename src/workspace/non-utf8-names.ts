import { readdirSync } from "node:fs";
import type { Directory } from "./directory.ts";
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

/** The same for one whose path is too long for the system: listed under its beginning and its end. */
export function tooLongEntry(path: string): Entry {
  return { ...nothing, path: shortened(path), name: path.slice(path.lastIndexOf("/") + 1) };
}

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
