import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import type { Command } from "./process.ts";
import { runCommand } from "./run.ts";
import { watch } from "./watchdog.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "process-"));
});
afterAll(() => removeFolder(dir));

const bash = (code: string, more: Partial<Command> = {}) =>
  runCommand({ file: "/bin/bash", args: ["-c", code], cwd: dir, env: { PATH }, ...more });

const isAlive = (pid: number) => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};
const pids = (text: string) => text.trim().split(/\s+/).map(Number);

describe("what a command gives back", () => {
  test("output, exit code and streams are exact", async () => {
    const outcome = await bash("printf 'a\\nb'; printf 'e\\n' >&2; exit 7");
    expect(outcome).toMatchObject({ exitCode: 7, signal: null, ended: "exit" });
    expect(outcome.stdout).toEqual({ text: "a\nb", bytes: 3, truncated: false });
    expect(outcome.stderr).toEqual({ text: "e\n", bytes: 2, truncated: false });
  });

  test("a signal is told by its name", async () => {
    expect(await bash("kill -SEGV $$")).toMatchObject({ exitCode: null, signal: "SIGSEGV", ended: "exit" });
  });

  test("arguments stay literal", async () => {
    const args = ["-c", 'printf "%s|" "$@"', "x", "$(id)", "--help", "a b", "", "é\n'"];
    const { stdout } = await runCommand({ file: "/bin/bash", args, cwd: dir, env: {} });
    expect(stdout.text).toBe("$(id)|--help|a b||é\n'|");
  });

  test("the environment holds nothing but what was given", async () => {
    const { stdout } = await runCommand({ file: "/usr/bin/env", args: [], cwd: dir, env: { ONLY: "this" } });
    expect(stdout.text).toBe("ONLY=this\n");
  });

  test("/dev/stdin, /dev/stdout and /dev/stderr can be opened", async () => {
    const outcome = await bash("cat /dev/stdin > /dev/stdout; echo e > /dev/stderr", { input: "in" });
    expect([outcome.stdout.text, outcome.stderr.text]).toEqual(["in", "e\n"]);
  });

  test("input larger than a pipe arrives whole, and may be left unread", async () => {
    const input = Buffer.alloc(300_000, "x");
    expect((await bash("wc -c", { input })).stdout.text.trim()).toBe("300000");
    expect(await bash("exit 3", { input })).toMatchObject({ exitCode: 3, ended: "exit" });
  });

  test("without input, stdin is at its end", async () => {
    expect((await bash("cat; echo done")).stdout.text).toBe("done\n");
  });

  test("sixteen at once and two hundred in a row stay exact", async () => {
    const one = async (n: number) => {
      const { stdout, stderr, exitCode } = await bash(`echo out ${n}; echo err ${n} >&2; exit ${n % 256}`);
      expect([stdout.text, stderr.text, exitCode]).toEqual([`out ${n}\n`, `err ${n}\n`, n % 256]);
    };
    let next = 0;
    const lane = async () => {
      while (next < 200) await one(next++);
    };
    await Promise.all(Array.from({ length: 16 }, lane));
  });
});

describe("much output", () => {
  test("head and tail are kept, the rest is counted", async () => {
    const { stdout } = await bash("seq 1 100000", { keepBytes: 2_000 });
    expect(stdout).toMatchObject({ bytes: 588_895, truncated: true });
    expect(stdout.text.startsWith("1\n2\n3\n")).toBe(true);
    expect(stdout.text.endsWith("99999\n100000\n")).toBe(true);
    expect(stdout.text).toContain("[… 586895 of 588895 bytes left out …]");
  });

  test("a cut makes no half characters", async () => {
    const { stdout } = await bash("printf '€%.0s' {1..1000}", { keepBytes: 100 });
    expect(stdout.text).toMatch(/^€+\n\[… 2904 of 3000 bytes left out …\]\n€+$/);
  });

  test("exactly the cap is not truncated, and bytes that are no text become valid text", async () => {
    expect((await bash("printf '0123456789'", { keepBytes: 10 })).stdout).toMatchObject({
      text: "0123456789",
      truncated: false,
    });
    const { stdout } = await bash("printf '\\xff\\xfe ok'");
    expect(stdout.text).toBe("\uFFFD\uFFFD ok");
    expect(stdout.bytes).toBe(5);
  });

  test("an endless writer is ended at the limit", async () => {
    const outcome = await bash("yes", { maxBytes: 1_000_000 });
    expect(outcome.ended).toBe("output-limit");
    expect(outcome.stdout.bytes).toBeGreaterThan(1_000_000);
    expect(outcome.exitCode).toBeNull();
  });

  test("onStdout sees the raw bytes and can stop the run", async () => {
    const chunks: Buffer[] = [];
    const whole = await bash("printf '\\xff1'; printf 2", { onStdout: (chunk) => void chunks.push(chunk) });
    expect(Buffer.concat(chunks)).toEqual(Buffer.from([0xff, 0x31, 0x32]));
    expect(whole.stdout).toEqual({ text: "", bytes: 3, truncated: false });

    let calls = 0;
    const stopped = await bash("yes", {
      onStdout: () => {
        calls++;
        return false;
      },
    });
    expect([stopped.ended, calls]).toEqual(["stopped", 1]);
  });

  test("an error in onStdout ends the run and is passed on", async () => {
    const failing = bash("echo $$; sleep 100", {
      onStdout: () => {
        throw new Error("no more");
      },
    });
    await expect(failing).rejects.toThrow("no more");
  });
});

describe("ending a run", () => {
  /** Runs until the command has said as much as expected, then aborts. */
  const abortAfter = async (lines: number, code: string) => {
    const controller = new AbortController();
    let said = "";
    const onStdout = (chunk: Buffer) => {
      said += chunk;
      if (said.split("\n").length > lines) controller.abort();
      return undefined;
    };
    return { outcome: await bash(code, { signal: controller.signal, onStdout }), said };
  };

  test("children, groups and sessions of their own all end", async () => {
    const { outcome, said } = await abortAfter(
      4,
      "echo $$; sleep 100 & echo $!; set -m; sleep 100 & echo $!; set +m; setsid sh -c 'trap \"\" TERM; echo $$; sleep 100; :' & wait",
    );
    expect(outcome.ended).toBe("abort");
    expect(pids(said)).toHaveLength(4);
    expect(pids(said).filter(isAlive)).toEqual([]);
  });

  test("what ignores SIGTERM is killed", async () => {
    const { outcome, said } = await abortAfter(1, "trap '' TERM; echo $$; while :; do sleep 1; done");
    expect(outcome).toMatchObject({ ended: "abort", signal: "SIGKILL" });
    expect(pids(said).filter(isAlive)).toEqual([]);
  });

  test("what heeds SIGTERM may clean up", async () => {
    const { outcome } = await abortAfter(
      1,
      "trap 'rm lock; exit 4' TERM; touch lock; echo ready; sleep 100 & wait",
    );
    expect(outcome).toMatchObject({ ended: "abort", exitCode: 4 });
    expect(existsSync(join(dir, "lock"))).toBe(false);
  });

  test("a timeout ends the run", async () => {
    const outcome = await bash("sleep 100", { timeoutMs: 200 });
    expect(outcome).toMatchObject({ ended: "timeout", exitCode: null });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(190);
  });

  test("a fork storm is ended whole", async () => {
    const mark = `storm-${process.pid}`;
    const code = `f() { exec -a ${mark} sleep 100; }; while :; do (f) & (setsid sleep 0.05 &) ; sleep 0.01; done`;
    expect((await bash(code, { timeoutMs: 500 })).ended).toBe("timeout");
    const left = readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(mark);
      } catch {
        return false;
      }
    });
    expect(left.map(Number).filter(isAlive)).toEqual([]);
  });

  test("a background job neither holds up the result nor survives it", async () => {
    const outcome = await bash("sleep 100 & echo $!");
    expect(outcome).toMatchObject({ exitCode: 0, ended: "exit" });
    expect(outcome.durationMs).toBeLessThan(60_000);
    expect(isAlive(pids(outcome.stdout.text)[0] ?? 0)).toBe(false);
  });

  test("an abort ends the run; one that came earlier prevents it", async () => {
    const controller = new AbortController();
    const running = bash("echo $$; sleep 100", {
      signal: controller.signal,
      onStdout: () => void controller.abort(),
    });
    expect(await running).toMatchObject({ ended: "abort", exitCode: null });
    await expect(bash("touch started", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect(existsSync(join(dir, "started"))).toBe(false);
  });

  test("no descriptor of ours is left behind", async () => {
    const open = () => readdirSync("/proc/self/fd").length;
    for (let n = 0; n < 20; n++) await bash("cat", { input: "x" });
    const before = open();
    for (let n = 0; n < 64; n++) await bash("cat", { input: "x" });
    await Promise.allSettled(
      Array.from({ length: 64 }, () => runCommand({ file: "/no/such", args: [], cwd: dir, env: {} })),
    );
    expect(open()).toBeLessThanOrEqual(before + 64);
  });
});

describe("a command that cannot start", () => {
  const start = (more: Partial<Command>) =>
    runCommand({ file: "true", args: [], cwd: dir, env: { PATH }, ...more });

  test("says why, with a code", async () => {
    writeFileSync(join(dir, "plain"), "x", { mode: 0o644 });
    await expect(start({ file: "no-such-program" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(start({ cwd: join(dir, "gone") })).rejects.toThrow(/directory .*gone does not exist/);
    await expect(start({ file: join(dir, "plain") })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(start({ args: ["x".repeat(300_000)] })).rejects.toMatchObject({ code: "TOO_LARGE" });
    await expect(start({ args: ["a\0b"] })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

test("the watchdog counts threads as the kernel does, and tells once", async () => {
  const start = (threads: number) =>
    spawn("/usr/bin/python3", [
      "-c",
      `import threading, time
for _ in range(${threads}): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print("ready", flush=True)
time.sleep(600)`,
    ]);
  const [few, many] = [start(10), start(60)];
  const told: string[] = [];
  const limits = { memory: 2 ** 40, processes: 40 };
  await Promise.all([few, many].map((child) => once(child.stdout, "data")));
  const stops = [few, many].map((child, at) =>
    watch(child.pid ?? 0, limits, (limit) => told.push(`${at} ${limit}`)),
  );
  await expect.poll(() => told).toEqual(["1 processes"]);
  for (const stop of stops) stop();
  for (const child of [few, many]) child.kill("SIGKILL");
});
