import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import type { SettingsInput } from "./settings.ts";
import { createWield, type Wield } from "./wield.ts";

const trouble = join(import.meta.dirname, "../mcp/fixtures/trouble-server.mjs");

function stdio(...args: string[]) {
  return { command: process.execPath, args };
}

describe("a new server that does not answer", () => {
  let place: TestWield;
  let wield: Wield;
  let gate: string;
  beforeEach(async () => {
    place = await testWield({ "a.txt": "a", "echo.txt": "Says it again." });
    gate = join(place.root, "gate");
    const late = stdio(trouble, join(place.root, "echo.txt"), gate);
    wield = await createWield({ workspace: place.root, env: place.env, settings: { mcp: { late } } });
    return () => place.close();
  });

  test("holds nobody up, is told, and its tools join when it answers", async () => {
    expect(wield.tools.problems()).toEqual([expect.stringContaining("late is new and has not answered yet")]);
    expect((await wield.call("read_file", { path: "a.txt" })).result.ok).toBe(true);
    expect(wield.tools.registry.get("late__echo")).toBeUndefined();
    writeFileSync(gate, "");
    await vi.waitFor(() => expect(wield.tools.registry.get("late__echo")).toBeDefined(), { timeout: 60_000 });
    expect(wield.tools.problems()).toEqual([]);
    await wield.close();
  });

  test("is waited for by a call of its own tool", async () => {
    const call = wield.callAny("late__echo", { text: "at last" });
    writeFileSync(gate, "");
    expect((await call).text).toContain("echo at last");
    await wield.close();
  });

  test("ends at once when Wield does", async () => {
    const running = () =>
      execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.includes(gate));
    await vi.waitFor(() => expect(running()).not.toEqual([]), { timeout: 60_000 });
    await wield.close();
    await vi.waitFor(() => expect(running()).toEqual([]), { timeout: 60_000 });
  });
});

test("tools that a running server adds are told, and join once they are approved, also by another process", async () => {
  const place = await testWield({ "echo.txt": "Says it again." });
  const settings: SettingsInput = {
    mcp: { trouble: stdio(trouble, join(place.root, "echo.txt")) },
    rules: [{ decision: "allow", tool: "trouble__*" }],
  };
  const wield = await place.reopen({ settings });
  await wield.callAny("trouble__grow", {});
  await expect.poll(() => wield.tools.problems().join()).toContain("has new tools: extra");
  expect((await wield.callAny("trouble__extra", {})).result).toMatchObject({
    error: { code: "UNKNOWN_TOOL" },
  });

  const other = await place.reopen({ settings });
  await other.callAny("trouble__grow", {});
  await other.mcp.approve("trouble");
  expect((await wield.callAny("trouble__extra", {})).text).toContain("extra work");
  expect(wield.tools.problems()).toEqual([]);
  await place.close();
});
