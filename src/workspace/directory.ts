import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
} from "node:fs";
import { hasCode } from "./os-failure.ts";
import { refused, temporaryName } from "./path.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Linux: a descriptor that only names a place. Node does not export it. */
const O_PATH = 0o10000000;
/** macOS: no symlink in any part of the path. Node does not export it. */
const O_NOFOLLOW_ANY = 0x20000000;

/**
 * How a directory is accessed. `descriptor` (Linux) reaches names through `/proc/self/fd/<fd>/<name>`: even if
 * something is renamed or replaced at the same time, a name is looked up in the directory that was opened. `path`
 * (elsewhere) uses the resolved path and refuses symlinks when opening, which leaves a small window for calls that
 * open nothing (rename, unlink).
 */
export type Anchoring = "descriptor" | "path";

/** An open directory of the workspace. It resolves one name at a time and never follows a symlink. */
export class Directory implements Disposable {
  readonly #fd: number;
  readonly #anchoring: Anchoring;
  /** The directory's prefix in paths passed to `node:fs`. */
  readonly base: string;

  private constructor(path: string | Buffer, anchoring: Anchoring) {
    const noLinks = process.platform === "darwin" ? O_NOFOLLOW_ANY : O_NOFOLLOW;
    const flags = anchoring === "descriptor" ? O_PATH | O_NOFOLLOW : O_RDONLY | noLinks;
    this.#fd = openSync(path, flags | O_DIRECTORY);
    this.#anchoring = anchoring;
    this.base = anchoring === "descriptor" ? `/proc/self/fd/${this.#fd}` : path.toString();
  }

  static open(realPath: string, anchoring: Anchoring): Directory {
    return new Directory(realPath, anchoring);
  }

  at(name: string): string {
    return `${this.base}/${name}`;
  }

  /** A directory in this one. Fails with ENOTDIR or ELOOP when the name is anything else, symlinks included. */
  enter(name: string | Buffer): Directory {
    return new Directory(this.spell(name), this.#anchoring);
  }

  /** Like `at`, also for names that are not text. */
  spell(name: string | Buffer): string | Buffer {
    return typeof name === "string" ? this.at(name) : Buffer.concat([Buffer.from(`${this.base}/`), name]);
  }

  /** About the name itself, not its target. */
  stats(name: string): Stats | undefined {
    return lstatSync(this.at(name), { throwIfNoEntry: false });
  }

  names(): string[] {
    return readdirSync(this.base)
      .filter((name) => !temporaryName.test(name))
      .sort();
  }

  /**
   * A descriptor of a regular file, for reading. Pipes, sockets and devices are never opened: the name is first
   * opened as a path-only descriptor, checked, and then opened through that descriptor.
   */
  openFile(name: string, path: string): { fd: number; stats: Stats } {
    if (this.#anchoring === "path") {
      mustBeFile(lstatSync(this.at(name)), path);
      const fd = openSync(this.at(name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      return { fd, stats: fstatSync(fd) };
    }
    const pin = openSync(this.at(name), O_PATH | O_NOFOLLOW);
    try {
      const stats = fstatSync(pin);
      mustBeFile(stats, path);
      return { fd: openSync(`/proc/self/fd/${pin}`, O_RDONLY | O_NONBLOCK), stats };
    } finally {
      closeSync(pin);
    }
  }

  /** Makes renames and removals in this directory survive a power cut, where the file system can. */
  sync(): void {
    try {
      const fd = openSync(this.base, O_RDONLY | O_DIRECTORY);
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (!hasCode(error, "EACCES", "EINVAL", "ENOTSUP")) throw error;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

function mustBeFile(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory())
    throw refused(`\`${path}\` is a directory, not a file. List it to see its contents.`);
  if (stats.isSymbolicLink()) throw refused(`\`${path}\` is a symlink. Use the path it points to.`);
  throw refused(`\`${path}\` is ${kindOf(stats)}, not a regular file. It cannot be read.`);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}
