import { existsSync } from "node:fs";
import { freemem } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { no, scriptedPerson, type TestWield, testWield, yes } from "../../testing/testing.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const open: TestWield[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});
const start = async (...given: Parameters<typeof testWield>) => {
  const made = await testWield(...given);
  open.push(made);
  return made;
};
const grow = (megabytes: number) => ({
  language: "python" as const,
  code: `x = bytearray(${megabytes}_000_000)\nfor i in range(0, len(x), 4096): x[i] = 1\nprint("grown")`,
});

describe.skipIf(!hasBubblewrap)("limits of runs", () => {
  test.skipIf(freemem() < 3 * 1024 ** 3)("memory follows the machine", async () => {
    const { result } = await (await start()).wield.call("run_code", grow(900));
    expect(result).toMatchObject({ ok: true, value: { stdout: "grown\n" } });
  });

  test("settings say how much, for all folders and for one", async () => {
    const place = await start({}, { settings: { execution: { limits: { memory: 300 } } } });
    const { result, text } = await place.wield.call("run_code", grow(600));
    expect(result).toMatchObject({
      ok: false,
      error: { code: "LIMIT_EXCEEDED", details: { limit: "memory" } },
    });
    expect(text).toContain("It used more than 300 MiB of memory.");
    const limits = { limits: { memory: 300 }, limitsByFolder: { [place.root]: { memory: 900, seconds: 7 } } };
    const other = await place.reopen({ settings: { execution: limits } });
    expect((await other.call("run_code", grow(600))).result).toMatchObject({ ok: true });
    const slept = await other.call("run_code", { language: "bash", code: "sleep 60" });
    expect(slept.text).toMatch(/^TIMEOUT: .*\n.*time limit of 7 s/);
  });

  test("a call may ask for more; the person sees how much, and nobody there means no", async () => {
    const settings = { execution: { limits: { memory: 300 } } };
    const person = scriptedPerson(no, yes);
    const place = await start({}, { settings });
    const more = { ...grow(600), memory: 900, timeout: 1200 };
    expect((await place.wield.callAny("run_code", more)).result).toMatchObject({
      ok: false,
      error: { code: "APPROVAL_REQUIRED" },
    });
    const asked = await place.reopen({ settings, asker: person.asker });
    expect((await asked.callAny("run_code", more)).result).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect((await asked.callAny("run_code", more)).result).toMatchObject({ ok: true });
    const [effect] = person.asked[0]?.[0]?.effects ?? [];
    expect(effect).toMatchObject({
      command: expect.stringContaining('"limits":["memory: up to 900 MiB","time: up to 1200 s"]'),
    });
    // As much as the settings give is no question.
    const less = await asked.callAny("run_code", { language: "bash", code: "echo ok", memory: 200 });
    expect(less.result).toMatchObject({ ok: true });
  });
});
