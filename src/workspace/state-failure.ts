import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../failure/failure.ts";
import { isErrno } from "./os-failure.ts";

/** What is wrong with one of Wield's own files. */
export type StateFault = "damaged" | "full" | "not writable" | "busy" | "failing";

/**
 * Converts an error of the operating system or of SQLite about one of Wield's own files into one sentence with the
 * file and the remedy. Other errors are returned unchanged.
 */
export function stateFailure(error: unknown, file: string): Error {
  const fault = faultOf(error, file);
  if (fault === undefined) return error instanceof Error ? error : new Error(String(error));
  return new Failure("UNAVAILABLE", sentence(fault, file, error as Error), { file, fault });
}

/** The file that a failure is about, if it is damaged. */
export function damagedFile(error: unknown): string | undefined {
  const details = error instanceof Failure ? error.details : undefined;
  return details?.["fault"] === "damaged" ? String(details["file"]) : undefined;
}

function sentence(fault: StateFault, file: string, error: Error): string {
  switch (fault) {
    case "damaged":
      return `${file} is damaged. Run \`wield doctor --repair\`: it moves the file aside and saves what can still be read.`;
    case "full":
      return `There is no space left on the disk for ${file}. Free some space, for example with \`wield clean\`, and try again.`;
    case "not writable":
      return `${file} cannot be written: ${whyNot(file)}. Make it writable for this user, or set XDG_STATE_HOME to another folder.`;
    case "busy":
      return `Another process has kept ${file} locked for too long. Wait for it, or stop it, and try again.`;
    case "failing":
      return `The disk failed to read or write ${file} (${error.message}). Check the disk, and run \`wield doctor\`.`;
  }
}

const ofSqlite: Readonly<Record<number, StateFault>> = {
  3: "not writable",
  5: "busy",
  6: "busy",
  8: "not writable",
  10: "failing",
  11: "damaged",
  13: "full",
  14: "not writable",
  // Other processes kept changing the locks of a write-ahead log while this one tried to read it.
  15: "busy",
  23: "not writable",
  26: "damaged",
};

const ofSystem: Readonly<Record<string, StateFault>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EACCES: "not writable",
  EPERM: "not writable",
  EROFS: "not writable",
  // The error for creating a folder on a read-only file system.
  ENOENT: "not writable",
  ENOTDIR: "not writable",
  EISDIR: "not writable",
  EEXIST: "not writable",
  EIO: "failing",
};

function faultOf(error: unknown, file: string): StateFault | undefined {
  if (isErrno(error)) return ofSystem[error.code];
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0;
  // The low byte is the kind of error. A disk without space shows as an I/O error where SQLite enlarges its companions.
  const fault = ofSqlite[code & 0xff];
  return fault === "failing" && isFull(dirname(file)) ? "full" : fault;
}

/** Whether the disk of a folder is practically full. */
export function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < 65_536;
  } catch {
    return false;
  }
}

function whyNot(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory() && file.endsWith(".db")) return "there is a folder in its place";
    if (found && found.uid !== process.getuid?.()) return "it belongs to another user";
  } catch {
    return "the folder that holds it does not let this user in";
  }
  return "it or its folder is read-only or belongs to another user";
}
