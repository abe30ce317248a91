import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { keptTokens } from "./kept-tokens.ts";

test("tokens survive a restart for a month, differ by folder, and are readable by their owner alone", () => {
  const state = mkdtempSync(join(tmpdir(), "wield-tokens-"));
  onTestFinished(() => removeFolder(state));
  const day = 24 * 60 * 60 * 1000;
  const first = keptTokens(state, "/a", { now: 1000 });
  expect(first.page).not.toBe(first.mcp);
  expect(keptTokens(state, "/a", { now: 1000 + 29 * day })).toEqual(first);
  expect(keptTokens(state, "/b", { now: 1000 })).not.toEqual(first);
  const later = keptTokens(state, "/a", { now: 1000 + 31 * day });
  expect(later).not.toEqual(first);
  const renewed = keptTokens(state, "/b", { now: 1000, renew: true });
  expect(keptTokens(state, "/b", { now: 1000 })).toEqual(renewed);
  // From the future: the clock was wrong, or somebody wants them to last.
  expect(keptTokens(state, "/a", { now: 1000 })).not.toEqual(later);
  const folder = join(state, "tokens");
  for (const file of readdirSync(folder)) {
    expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
    writeFileSync(join(folder, file), '{"page":"weak","mcp":"weak","made":1000}');
  }
  expect(keptTokens(state, "/a", { now: 1000 }).page).toHaveLength(43);
});
