import { type ErrorCode, Failure } from "../failure/failure.ts";

/** Converts an operating-system error into a failure that a model can act on. Failures are returned unchanged. */
export function osFailure(thrown: unknown, path: string): Error {
  if (!isErrno(thrown)) return thrown instanceof Error ? thrown : new Error(String(thrown));
  const [code, message] = explain(thrown.code, path);
  return new Failure(code, message, { errno: thrown.code });
}

export function isErrno(thrown: unknown): thrown is NodeJS.ErrnoException & { code: string } {
  return thrown instanceof Error && !(thrown instanceof Failure) && "syscall" in thrown && "code" in thrown;
}

export function hasCode(thrown: unknown, ...codes: string[]): boolean {
  return isErrno(thrown) && codes.includes(thrown.code);
}

function explain(errno: string, path: string): [ErrorCode, string] {
  switch (errno) {
    case "ENOENT":
      return ["FILE_NOT_FOUND", `\`${path}\` does not exist. List its directory to see what exists.`];
    case "EACCES":
    case "EPERM":
      return [
        "PERMISSION_DENIED",
        `The operating system does not permit this on \`${path}\` (${errno}). Ask the user to change its permissions.`,
      ];
    case "EROFS":
      return [
        "PERMISSION_DENIED",
        `\`${path}\` is on a read-only file system. It can be read but not changed.`,
      ];
    case "ENAMETOOLONG":
      return ["INVALID_PATH", `A name in \`${path}\` is too long for the file system. Use shorter names.`];
    case "ENOTDIR":
      return [
        "INVALID_PATH",
        `A part of \`${path}\` is a file where a directory is needed. List the directory above it.`,
      ];
    case "EISDIR":
      return ["INVALID_PATH", `\`${path}\` is a directory where a file is needed.`];
    case "EEXIST":
    case "ENOTEMPTY":
      return ["CONFLICT", `Something else has appeared at \`${path}\`. Look at it and try again.`];
    case "ELOOP":
      return ["CONFLICT", `\`${path}\` has become a symlink. List its directory and try again.`];
    case "ENOSPC":
    case "EDQUOT":
      return [
        "EXECUTION_ERROR",
        `There is no space left on the disk for \`${path}\`. Nothing was changed; free some space first.`,
      ];
    case "EMFILE":
    case "ENFILE":
      return ["EXECUTION_ERROR", `Too many files are open to work on \`${path}\`. Try again in a moment.`];
    case "EBUSY":
    case "ETXTBSY":
      return [
        "EXECUTION_ERROR",
        `\`${path}\` is in use (${errno}), perhaps a mount point or a running program. Leave it, or stop the program that uses it.`,
      ];
    default:
      return [
        "EXECUTION_ERROR",
        `The operating system failed on \`${path}\` (${errno}). Try again or leave this path.`,
      ];
  }
}
