import { Failure } from "../failure/failure.ts";

const maxPathBytes = 4096;
const control = /[\u0000-\u001f\u007f-\u009f]/;

/** The maximum length in bytes of a path below the root, so that the system accepts the absolute path. */
export function longestBelow(root: string): number {
  return maxPathBytes - Buffer.byteLength(root) - 2;
}

/** Names of Wield's temporary files: never listed, never accepted from a caller. */
export const temporaryName = /^\.wield-.*\.tmp$/;

/**
 * The names of a relative path. `..` stays in the list, since the walk resolves it against the real directories, but
 * a path with more `..` than names before them is refused here.
 */
export function namesOf(path: string, root: string): string[] {
  if (path === "") throw refused('The path is empty. Use "." for the workspace root.');
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw refused(`The path is longer than ${maxPathBytes} bytes. Give a shorter one.`);
  }
  const odd = control.exec(path)?.[0];
  if (odd === "\0") throw refused("The path contains a NUL byte. Remove it.");
  if (odd !== undefined) {
    const code = odd.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    throw refused(`The path contains the control character U+${code}. Remove it.`);
  }
  if (!path.isWellFormed()) throw refused("The path is not valid Unicode text. Copy it from a listing.");
  if (path.startsWith("/") || path.startsWith("\\") || /^[A-Za-z]:[\\/]/.test(path)) {
    throw refused(`\`${path}\` is an absolute path. ${relativeHint(path, root)}`);
  }
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  let depth = 0;
  for (const name of names) {
    depth += name === ".." ? -1 : 1;
    if (depth < 0) throw outsideWorkspace(path);
    if (temporaryName.test(name)) {
      throw refused(
        `\`${path}\` uses a name that is reserved for Wield's temporary files. Choose another name.`,
      );
    }
  }
  return names;
}

export function outsideWorkspace(path: string): Failure {
  return refused(`\`${path}\` leaves the workspace. Only paths inside the workspace root can be used.`);
}

export function outsideThroughSymlink(path: string): Failure {
  return refused(`\`${path}\` leads outside the workspace through a symlink. Use a path that stays inside.`);
}

export function symlinkLoop(path: string): Failure {
  return refused(`\`${path}\` runs through a loop of symlinks. Use another path.`);
}

/** The names of a symlink's target, to be walked from the root when it is absolute. `path` is for the failure. */
export function namesOfTarget(
  target: string,
  root: string,
  path: string,
): { fromRoot: boolean; names: string[] } {
  const fromRoot = target.startsWith("/");
  if (fromRoot && target !== root && !target.startsWith(root === "/" ? root : `${root}/`))
    throw outsideThroughSymlink(path);
  const below = fromRoot ? target.slice(root.length) : target;
  return { fromRoot, names: below.split("/").filter((name) => name !== "" && name !== ".") };
}

export function refused(message: string): Failure {
  return new Failure("INVALID_PATH", message);
}

/** The root is `.`; everything else is names with `/` between. */
export function joinPath(directory: string, name: string): string {
  return directory === "." ? name : `${directory}/${name}`;
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether `path` is `directory` or lies below it, by names and not by prefix. */
export function isWithin(path: string, directory: string): boolean {
  return directory === "." || path === directory || path.startsWith(`${directory}/`);
}

function relativeHint(path: string, root: string): string {
  if (!path.startsWith(`${root}/`))
    return "Paths are relative to the workspace root, and nothing outside it can be used.";
  return `Paths are relative to the workspace root: use \`${path.slice(root.length + 1)}\`.`;
}
