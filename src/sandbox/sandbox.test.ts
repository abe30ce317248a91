import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { nobody, type Runner, runnerBehind } from "./corpus/attempt.suite.ts";
import { openSandbox } from "./open-sandbox.ts";
import { policies, type SandboxPolicy, within } from "./policy.ts";
import type { Job } from "./sandbox.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const isRoot = process.getuid?.() === 0;
const offline = () => Promise.reject(new Error("no network here"));
const sandbox = openSandbox(offline);
let home = "";
let workspace = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "sandbox-"));
  workspace = join(home, "ws");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "file"), "content\n");
  mkdirSync(join(home, "tmp"));
  vi.stubEnv("TMPDIR", join(home, "tmp"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  removeFolder(home);
});

const bash = (code: string, policy: SandboxPolicy = policies.code, more: Partial<Job> = {}) =>
  sandbox.run({ workspace, command: ["/bin/bash", "-c", code, "bash"], ...more }, policy);

describe.skipIf(!hasBubblewrap)(
  `runs${hasBubblewrap ? "" : " (skipped: bubblewrap is not installed)"}`,
  () => {
    test("network interfaces can be listed, and programs of the project's packages are found", async () => {
      const bin = join(workspace, "node_modules/.bin");
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, "mine"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
      const code = "import socket; print([name for _, name in socket.if_nameindex()])";
      const { stdout, stderr } = await bash(`/usr/bin/python3 -c '${code}'; mine`);
      expect([stdout.text, stderr.text]).toEqual(["['lo']\nmine\n", ""]);
      rmSync(join(workspace, "node_modules"), { recursive: true });
    });

    test.skipIf(!isRoot)(
      "shared memory that no process has mapped counts where control groups are",
      async () => {
        const code = `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
libc.shmdt.argtypes = [ctypes.c_void_p]
for _ in range(9):
    at = libc.shmat(libc.shmget(0, 100_000_000, 0o1600), None, 0)
    ctypes.memset(at, 1, 100_000_000)
    libc.shmdt(at)
print("grown")`;
        const { limit, stdout } = await sandbox.run(
          { workspace, command: ["/usr/bin/python3", "-c", code] },
          policies.code,
        );
        expect([limit, stdout.text]).toEqual(["memory", ""]);
      },
    );

    test("it says what it is", async () => {
      expect(await sandbox.describe()).toMatch(/^bubblewrap, changes in (an overlay|a copy), limits by /);
    });

    test.each([
      ["in a row", 1],
      ["sixteen at once", 16],
    ])("two hundred runs %s: exact output and exit codes, and nothing is left", async (_how, lanes) => {
      const before = traces();
      const one = async (n: number) => {
        const { stdout, stderr, exitCode, limit } = await bash(
          `echo out ${n}; echo err ${n} >&2; exit ${n % 120}`,
        );
        expect([stdout.text, stderr.text, exitCode, limit]).toEqual([
          `out ${n}\n`,
          `err ${n}\n`,
          n % 120,
          null,
        ]);
      };
      let next = 0;
      const lane = async () => {
        while (next < 200) await one(next++);
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      expect(traces()).toEqual(before);
    });

    test("a signal is told as a shell tells it", async () => {
      expect((await bash("kill -SEGV $$")).exitCode).toBe(139);
      expect((await bash("kill -KILL $$")).exitCode).toBe(137);
    });

    test("input, variables, files, mounts and the directory arrive", async () => {
      mkdirSync(join(workspace, "sub"), { recursive: true });
      mkdirSync(join(home, "shown"), { recursive: true });
      writeFileSync(join(home, "shown/one"), "seen");
      const { stdout } = await bash(
        'cat; echo "|$V|"; cat /run/wield/f; pwd; cat /opt/shown/one; ls /opt/none',
        policies.code,
        {
          input: "in",
          env: { V: "a\nb'\"$" },
          files: { f: "from a file\n" },
          mounts: [
            { from: join(home, "shown"), to: "/opt/shown" },
            { from: join(home, "missing"), to: "/opt/none" },
          ],
          cwd: "sub",
        },
      );
      expect(stdout.text).toBe("in|a\nb'\"$|\nfrom a file\n/ws/sub\nseen");
    });

    test("/dev/stdout and /dev/stderr can be opened, /tmp and localhost are there", async () => {
      const { stdout, stderr } = await bash(
        "echo o > /dev/stdout; echo e > /dev/stderr; echo t > /tmp/t; cat /tmp/t; getent hosts localhost",
      );
      expect([stdout.text.startsWith("o\nt\n"), stderr.text]).toEqual([true, "e\n"]);
      expect(stdout.text).toContain("localhost");
    });

    test("the workspace itself is not touched; what was changed comes back", async () => {
      const { changes } = await bash("echo more >> file; echo n > new; mkdir d; rm -r sub");
      expect(changes.incomplete).toBeNull();
      expect(changes.entries).toContainEqual({
        kind: "file",
        path: "new",
        mode: 0o644,
        bytes: Buffer.from("n\n"),
      });
      expect(changes.entries).toContainEqual({ kind: "deleted", path: "sub" });
      expect(readFileSync(join(workspace, "file"), "utf8")).toBe("content\n");
      expect(existsSync(join(workspace, "new"))).toBe(false);
    });

    test("what may be written follows the policy", async () => {
      const discarded = await bash("echo x > file; echo r > /out/report; cat file", policies.tests);
      expect(discarded).toMatchObject({
        stdout: { text: "x\n" },
        changes: { entries: [], incomplete: null },
      });
      expect(discarded.outbox).toEqual([
        { kind: "file", path: "report", mode: 0o644, bytes: Buffer.from("r\n") },
      ]);
      const direct = await bash("echo x > direct", { ...policies.code, changes: "direct" });
      expect([direct.exitCode, existsSync(join(workspace, "direct"))]).toEqual([0, true]);
      rmSync(join(workspace, "direct"));
    });

    test("an abort ends it and changes nothing; one that came before prevents it", async () => {
      const controller = new AbortController();
      const running = bash("echo started; sleep 100", policies.code, {
        signal: controller.signal,
        onStdout: () => void controller.abort(),
      });
      await expect(running).rejects.toMatchObject({ code: "ABORTED" });
      await expect(bash("true", policies.code, { signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: "ABORTED",
      });
    });

    test.each([
      "with space",
      "quote'\"s",
      "colon:comma,",
      "new\nline",
      "-dash",
      "back\\slash",
      "ünï $(id) *",
      "100%",
    ])("a workspace named %j works", async (name) => {
      const odd = join(home, name);
      mkdirSync(odd, { recursive: true });
      writeFileSync(join(odd, "here"), "yes");
      const { stdout, changes } = await sandbox.run(
        { workspace: odd, command: ["/bin/bash", "-c", "cat here; echo new > made"] },
        policies.code,
      );
      expect(stdout.text).toBe("yes");
      expect(changes.entries.map(({ path }) => path)).toEqual(["made"]);
      expect(readdirSync(odd)).toEqual(["here"]);
    });
  },
);

describe.skipIf(!hasBubblewrap)("limits", () => {
  const limited = (limits: Partial<SandboxPolicy["limits"]>): SandboxPolicy => ({
    ...policies.code,
    limits: { ...policies.code.limits, ...limits },
  });
  const MiB = 1024 * 1024;

  test.each<[string, string, Partial<SandboxPolicy["limits"]>]>([
    ["time", "sleep 60", { wallMs: 500 }],
    ["cpu", "while :; do :; done", { cpu: 1 }],
    [
      "memory",
      "exec python3 -c 'x = b\"x\" * 400_000_000; import time; time.sleep(5)'",
      { memory: 128 * MiB },
    ],
    ["output", "yes", { output: 1_000_000 }],
    ["fileSize", "exec head -c 3000000 /dev/zero > big", { fileSize: MiB }],
    ["disk", "for i in 1 2 3 4 5 6; do head -c 1000000 /dev/zero > $i || exit; done", { disk: 4 * MiB }],
    ["disk", "for i in $(seq 500); do echo > $i || exit; done", { files: 300 }],
  ])("the result names %s", async (limit, code, limits) => {
    const result = await bash(code, limited(limits));
    expect(result.limit).toBe(limit);
    expect(result.exitCode).not.toBe(0);
  });

  test("a run within its limits names none, also when it fails", async () => {
    expect(await bash("exit 3")).toMatchObject({ limit: null, exitCode: 3 });
  });

  test("what was written before the end still comes back", async () => {
    const { changes, limit } = await bash("echo early > early; sleep 60", within(policies.code, 800));
    expect(limit).toBe("time");
    expect(changes).toMatchObject({ incomplete: null, entries: [{ path: "early" }] });
  });
});

/** Processes whose working directory is this folder of the machine. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

describe.skipIf(!hasBubblewrap)("when the process that runs it is killed", () => {
  test.each([
    ["a plain run", ""],
    ["a run in the background", "isLive: true, onStart: () => undefined,"],
    ["a run with ways out", "tools: async () => ({ ok: true, text: '' }),"],
  ])("%s leaves no process, control group or temporary file", async (_name, more) => {
    const temporary = mkdtempSync(join(home, "killed-"));
    const mark = `killed-${process.pid}`;
    const script = `
      import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, "open-sandbox.ts"))};
      import { policies } from ${JSON.stringify(join(import.meta.dirname, "policy.ts"))};
      const code = "echo x > /out/x; (exec -a ${mark} sleep 600) & echo running; exec -a ${mark} sleep 600";
      await openSandbox(() => Promise.reject()).run({
        workspace: ${JSON.stringify(workspace)},
        command: ["/bin/bash", "-c", code],
        onStdout: () => void console.log("running"),
        ${more}
      }, policies.code);`;
    const parent = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: temporary },
    });
    await new Promise((resolve) => parent.stdout.once("data", resolve));
    await until(() => withMark(mark).length === 2);
    parent.kill("SIGKILL");
    const left = () => [
      ...[...withMark(mark), ...groupsOf(parent.pid ?? 0), ...readdirSync(temporary)],
      ...processesIn(workspace),
    ];
    await until(() => left().length === 0);
    expect(left()).toEqual([]);
  });
});

describe.skipIf(!hasBubblewrap)("when the process that runs it is killed in the first moments", () => {
  /** How many processes of twenty runs there are when it happens. */
  test.each([1, 20, 60])("nothing is left: %i processes", async (processes) => {
    const mark = `early-${process.pid}-${processes}`;
    const script = `
      import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, "open-sandbox.ts"))};
      import { policies } from ${JSON.stringify(join(import.meta.dirname, "policy.ts"))};
      const sandbox = openSandbox(() => Promise.reject());
      const workspace = ${JSON.stringify(workspace)};
      const run = (code, more) => sandbox.run({ workspace, command: ["/bin/bash", "-c", code], ...more }, policies.code);
      await run("true");
      for (let n = 0; n < 20; n++)
        run("exec sleep 600 # ${mark}", n % 4 === 0 ? { tools: async () => ({ ok: true, text: "" }) } : {});`;
    const parent = spawn(process.execPath, ["--input-type=module-typescript"], {
      stdio: ["pipe", "inherit", "inherit"],
    });
    parent.stdin.end(script);
    const left = () => withMark(mark, true);
    await until(() => left().length >= processes, 1);
    parent.kill("SIGKILL");
    await until(() => left().length === 0);
    expect(left()).toEqual([]);
  });
});

describe("where nothing confines", () => {
  const refusal = async (runner: Runner) => {
    try {
      const order = {
        workspace,
        stateDir: join(home, "state"),
        language: "bash" as const,
        code: "touch ran",
        env: {},
        wallMs: 60_000,
      };
      return await runner.attempt(order).then(
        () => "it ran",
        (error: Error) => error.message,
      );
    } finally {
      runner.close();
    }
  };
  const uid = isRoot ? nobody : (process.getuid?.() ?? nobody);
  beforeAll(() => chmodSync(home, 0o755));

  test.skipIf(!hasBubblewrap)("without user namespaces every run is refused, with what to do", async () => {
    const without = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
    const message = await refusal(
      runnerBehind(uid, ["/usr/bin/unshare", "-Ur", "/bin/sh", "-c", without, "x"]),
    );
    expect(message).toMatch(/only in a sandbox.*does not let users make namespaces/);
    expect(existsSync(join(workspace, "ran"))).toBe(false);
  });

  test.skipIf(!hasBubblewrap)("without bubblewrap every run is refused, with how to get it", async () => {
    const without = 'mount --bind /dev/null /usr/bin/bwrap; exec "$@"';
    const message = await refusal(
      runnerBehind(uid, ["/usr/bin/unshare", "-Urm", "/bin/sh", "-c", without, "x"]),
    );
    expect(message).toMatch(/\/usr\/bin\/bwrap is missing.*apt-get install bubblewrap/);
  });

  test.skipIf(!hasBubblewrap || !isRoot)(
    "root without control groups is refused, for nothing would limit it",
    async () => {
      const without = 'umount -R -l /sys/fs/cgroup; exec "$@"';
      const message = await refusal(
        runnerBehind(0, ["/usr/bin/unshare", "-m", "/bin/sh", "-c", without, "x"]),
      );
      expect(message).toMatch(/runs as root here.*Run Wield as an ordinary user/);
    },
  );

  test.each([
    ["win32", "WSL2"],
    ["darwin", "Linux container or virtual machine"],
  ] as const)("on %s it names what to use", async (platform, advice) => {
    const none = openSandbox(offline, platform);
    await expect(none.run({ workspace, command: ["/bin/true"] }, policies.code)).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      message: expect.stringContaining(advice),
    });
    expect(await none.describe()).toMatch(/^none: /);
  });
});

/** Whatever a run could leave on the machine. */
function traces() {
  return {
    mounts: readFileSync("/proc/self/mountinfo", "utf8").split("\n").length,
    groups: groupsOf(process.pid),
    files: readdirSync(tmpdir()),
    processes: execFileSync("/bin/ps", ["-o", "comm=", "--ppid", String(process.pid)], { encoding: "utf8" })
      .split("\n")
      .filter((name) => /setpriv|bwrap|unshare/.test(name)),
  };
}

function groupsOf(pid: number): string[] {
  const { stdout } = spawnSync("/usr/bin/find", ["/sys/fs/cgroup", "-name", `wield-${pid}-*`], {
    encoding: "utf8",
  });
  return stdout.split("\n").filter(Boolean);
}

/** Processes with this name or, `anywhere`, with this in one of their arguments. */
function withMark(mark: string, anywhere = false): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return false;
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1");
      return anywhere ? command.includes(mark) : command.startsWith(mark);
    } catch {
      return false;
    }
  });
}

async function until(done: () => boolean, everyMs = 50): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!done() && performance.now() < deadline) await setTimeout(everyMs);
}
