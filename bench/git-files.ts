// The files of a commit, straight from a git directory: nothing is checked out. What the copy lacks is left out.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import type { SourceFiles } from "../src/code/files/files.ts";
import { logOf, parseLog } from "../src/tools/git/past-commits.ts";

/** The content of a commit never changes. */
const longAgo = 0;
const environment = { ...process.env, GIT_NO_LAZY_FETCH: "1" };

export class GitFiles {
  readonly #gitDir: string;
  readonly #reader: ChildProcessWithoutNullStreams;
  readonly #waiting: ((bytes: Buffer | undefined) => void)[] = [];
  #received: Buffer[] = [];
  #missing = 1;

  constructor(gitDir: string) {
    this.#gitDir = gitDir;
    this.#reader = spawn("git", ["--git-dir", gitDir, "cat-file", "--batch"], { env: environment });
    this.#reader.stdout.on("data", (data: Buffer) => this.#receive(data));
  }

  at(commit: string, folder = "."): SourceFiles {
    const tree = new Map<string, { id: string; size: number }>();
    const list = this.#git([
      "ls-tree",
      "-r",
      "-z",
      "-l",
      commit,
      ...(folder === "." ? [] : [folder]),
    ]).toString();
    for (const line of list.split("\0")) {
      const [, mode, id, size, path] = /^(\d+) blob (\w+) +(\d+)\t(.*)$/s.exec(line) ?? [];
      if (id && path && mode !== "120000") tree.set(path, { id, size: Number(size) });
    }
    return {
      root: undefined,
      survey: async () => ({
        folders: new Map(),
        changed: [...tree].map(([path, { size }]) => ({ path, size, time: longAgo })),
        gone: [],
      }),
      stat: async (path) => {
        const blob = tree.get(path);
        return blob && { size: blob.size, isFile: true };
      },
      read: async (path) => {
        const id = tree.get(path)?.id;
        const bytes = id && (await this.#one(id));
        if (!bytes) throw new Error(`${path} is not there`);
        return bytes;
      },
      pastCommits: async (most) => parseLog(this.#git([...logOf(most), commit]).toString()),
    };
  }

  close(): void {
    this.#reader.stdin.end();
  }

  #one(id: string): Promise<Buffer | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#reader.stdin.write(`${id}\n`);
    });
  }

  /** `<id> blob <size>`, the bytes and a line end for each; or `<id> missing`. */
  #receive(data: Buffer): void {
    this.#received.push(data);
    this.#missing -= data.length;
    while (this.#missing <= 0 && this.#waiting.length > 0) {
      const all = Buffer.concat(this.#received);
      const end = all.indexOf(10);
      const size = end < 0 ? undefined : sizeIn(all.toString("latin1", 0, end));
      const whole = end < 0 ? all.length + 1 : end + 1 + (size === undefined ? 0 : size + 1);
      if (whole <= all.length)
        this.#waiting.shift()?.(size === undefined ? undefined : all.subarray(end + 1, end + 1 + size));
      this.#received = [whole <= all.length ? all.subarray(whole) : all];
      this.#missing = whole <= all.length ? (all.length > whole ? 0 : 1) : whole - all.length;
    }
  }

  #git(args: string[]): Buffer {
    return spawnSync("git", ["--git-dir", this.#gitDir, ...args], {
      maxBuffer: 2 ** 31,
      env: environment,
    }).stdout;
  }
}

function sizeIn(header: string): number | undefined {
  const size = / blob (\d+)$/.exec(header)?.[1];
  return size === undefined ? undefined : Number(size);
}
