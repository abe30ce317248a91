import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../failure/failure.ts";
import fc from "../testing/properties.ts";
import { readPath } from "./files.ts";
import { hostilePath } from "./hostile-paths.suite.ts";
import { Jail } from "./jail.ts";
import { asNobody, failureOf, makeFolder, openDescriptors, plant } from "./workspace.suite.ts";

const isLinux = process.platform === "linux";

describe.each(isLinux ? (["descriptor", "path"] as const) : (["path"] as const))("by %s", (anchoring) => {
  function makeJail(files: Record<string, string>): { jail: Jail; root: string; folder: string } {
    const made = makeFolder(files);
    const jail = new Jail(made.root, anchoring);
    onTestFinished(() => jail.close());
    return { jail, ...made };
  }

  const refusals: [name: string, path: string | ((root: string) => string), code: string, message: RegExp][] =
    [
      ["an empty path", "", "INVALID_PATH", /is empty/],
      ["a NUL byte", "a\0b", "INVALID_PATH", /NUL byte/],
      ["a control character", "a\nb", "INVALID_PATH", /control character U\+000A/],
      ["a C1 control character", "a\u0085b", "INVALID_PATH", /control character U\+0085/],
      ["half a character", "a\ud800b", "INVALID_PATH", /not valid Unicode/],
      ["a path that is too long", "a/".repeat(2_100), "INVALID_PATH", /longer than 4096 bytes/],
      ["a name that is too long", "a".repeat(300), "INVALID_PATH", /too long for the file system/],
      ["an absolute path", "/etc/passwd", "INVALID_PATH", /absolute path/],
      ["an absolute path inside", (root) => `${root}/src/a.ts`, "INVALID_PATH", /use `src\/a\.ts`/],
      ["a sibling with the same prefix", (root) => `${root}-evil/a.txt`, "INVALID_PATH", /nothing outside/],
      ["the sibling by dots", "../ws-evil/a.txt", "INVALID_PATH", /leaves the workspace/],
      ["a Windows path", "C:\\Windows\\system.ini", "INVALID_PATH", /absolute path/],
      ["a Windows path with slashes", "C:/Windows", "INVALID_PATH", /absolute path/],
      ["a network path", "\\\\server\\share", "INVALID_PATH", /absolute path/],
      ["dots that leave", "../x", "INVALID_PATH", /leaves the workspace/],
      ["dots that leave later", "src/../../x", "INVALID_PATH", /leaves the workspace/],
      ["dots that leave through what is missing", "no/../../x", "INVALID_PATH", /leaves the workspace/],
      ["a link that leads out", "out", "INVALID_PATH", /outside the workspace through a symlink/],
      [
        "a directory link that leads out",
        "outdir/secret.txt",
        "INVALID_PATH",
        /outside the workspace through a symlink/,
      ],
      ["an absolute link that leads out", "abs", "INVALID_PATH", /outside the workspace through a symlink/],
      [
        "a link to a sibling with the same prefix",
        "evil",
        "INVALID_PATH",
        /outside the workspace through a symlink/,
      ],
      ["links whose text stays inside but whose way does not", "e", "INVALID_PATH", /outside the workspace/],
      ["a loop of links", "loop", "INVALID_PATH", /loop of symlinks/],
      ["a directory", "src", "INVALID_PATH", /is a directory, not a file/],
      ["the root", ".", "INVALID_PATH", /is a directory, not a file/],
      ["a path through a file", "src/a.ts/b", "INVALID_PATH", /is not a directory/],
      ["a reserved name", ".wield-1.tmp", "INVALID_PATH", /reserved/],
      ["a missing file", "src/b.ts", "FILE_NOT_FOUND", /Did you mean `src\/a\.ts`/],
      ["a missing file in another case", "src/A.TS", "FILE_NOT_FOUND", /Did you mean `src\/a\.ts`/],
      ["a missing directory", "scr/a.ts", "FILE_NOT_FOUND", /no `scr` in `\.`.*Did you mean `src`/],
      ["a path with backslashes", "src\\zzz", "FILE_NOT_FOUND", /Write `\/` between names/],
      ["a link to nothing", "dangling", "FILE_NOT_FOUND", /does not exist/],
    ];

  test.each(refusals)("refuses %s", async (_, path, code, message) => {
    const { jail, root, folder } = makeJail({
      "src/a.ts": "a",
      out: "->../outside/secret.txt",
      outdir: "->../outside",
      evil: "->../ws-evil/a.txt",
      loop: "->loop",
      d: "->.",
      e: "->d/../outside/secret.txt",
      dangling: "->nothing",
    });
    plant(folder, { "outside/secret.txt": "SECRET", "ws-evil/a.txt": "SECRET" });
    plant(root, { abs: `->${folder}/outside/secret.txt` });
    const failure = await failureOf(() => readPath(jail, typeof path === "string" ? path : path(root)));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
  });

  test("follows links that stay inside, relative and absolute", () => {
    const { jail, root } = makeJail({ "src/a.ts": "content", "lib/up": "->../src", near: "->src/a.ts" });
    plant(root, { full: `->${root}/src/a.ts` });
    for (const path of [
      "near",
      "full",
      "lib/up/a.ts",
      "lib/up/../src/a.ts",
      "./src//a.ts",
      "lib/../src/a.ts",
    ]) {
      expect(readPath(jail, path).bytes.toString()).toBe("content");
    }
  });

  test.runIf(isLinux)("answers at once for pipes, sockets and devices, and never opens them", async () => {
    const { jail, root } = makeJail({});
    execFileSync("mkfifo", [join(root, "pipe")]);
    const server = createServer().listen(join(root, "socket"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    expect((await failureOf(() => readPath(jail, "pipe"))).message).toContain("a named pipe");
    expect((await failureOf(() => readPath(jail, "socket"))).message).toContain("a socket");
  });

  test("a fuzzed path never reaches what lies outside, and every descriptor is closed", () => {
    const { jail, folder } = makeJail({
      "a/b/c.txt": "inside",
      "a/out": "->../../outside",
      "a/b/up": "->../..",
      out: "->../outside",
      self: "->.",
      "a/root": "->/",
    });
    plant(folder, { "outside/secret.txt": "SECRET", "ws-evil/secret.txt": "SECRET", "secret.txt": "SECRET" });
    const before = openDescriptors();
    fc.assert(
      fc.property(hostilePath(folder), (tried) => {
        try {
          expect(readPath(jail, tried).bytes.toString()).toBe("inside");
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          expect(["INVALID_PATH", "FILE_NOT_FOUND"]).toContain(error.code);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(openDescriptors()).toBe(before);
  });
});

test.runIf(isLinux)("what the system does not permit is PERMISSION_DENIED", async () => {
  const { folder, root } = makeFolder({ "a.txt": "a" });
  chmodSync(folder, 0o755);
  mkdirSync(join(root, "closed"), { mode: 0 });
  writeFileSync(join(root, "unreadable"), "x", { mode: 0 });
  asNobody();
  const jail = new Jail(root);
  onTestFinished(() => jail.close());
  expect((await failureOf(() => readPath(jail, "unreadable"))).code).toBe("PERMISSION_DENIED");
  expect((await failureOf(() => readPath(jail, "closed/x"))).code).toBe("PERMISSION_DENIED");
});

test("a root that is missing or no directory is told", async () => {
  const { folder } = makeFolder({});
  expect((await failureOf(() => new Jail(join(folder, "nowhere")))).code).toBe("FILE_NOT_FOUND");
  writeFileSync(join(folder, "file"), "");
  expect((await failureOf(() => new Jail(join(folder, "file")))).code).toBe("INVALID_PATH");
});
