import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { serverPrompt, showServers, withResources } from "./chat-servers.ts";
import type { Io } from "./terminal.ts";

let place: TestWield;
const printed: string[] = [];
const io = {
  out: (text: string) => printed.push(text),
  columns: 80,
  signal: new AbortController().signal,
} as unknown as Io;
beforeAll(async () => {
  const curious = join(import.meta.dirname, "../mcp/fixtures/curious-server.mjs");
  const mcp = { curious: { command: process.execPath, args: [curious] } };
  place = await testWield({}, { settings: { mcp } });
});
afterAll(() => place.close());
const chat = () => ({ wield: place.wield, agent: { session: "c_1" }, io });

test("/mcp lists what servers offer", async () => {
  await showServers(place.wield, [], io);
  expect(printed.join("\n")).toMatch(/\/curious:essay topic=… tone=….*Writes an essay/);
  expect(printed.join("\n")).toContain("@curious:curious://facts");
  await expect(showServers(place.wield, ["remove"], io)).rejects.toThrow("/mcp add");
});

test("a file of another program that cannot be read offers nothing, and stops nobody", async () => {
  mkdirSync(join(place.env["HOME"] ?? "", ".cursor/mcp.json"), { recursive: true });
  expect(await place.wield.mcp.found()).toEqual({ servers: [], problems: [] });
});

test("/mcp add shows what each server runs, and adds what was shown", async () => {
  const serve = (...args: string[]) =>
    place.write(".mcp.json", JSON.stringify({ mcpServers: { extra: { command: "nothing-there", args } } }));
  serve("a");
  printed.length = 0;
  await showServers(place.wield, ["add"], io);
  const [, shown = ""] = /^To add it as shown: \/mcp add (extra@\w+)$/m.exec(printed.join("\n")) ?? [];
  expect(printed.join("\n")).toMatch(/extra {2}\(\.mcp\.json\) {2}nothing-there a/);
  serve("b");
  await expect(showServers(place.wield, ["add", shown], io)).rejects.toThrow("has changed");
  serve("a");
  await showServers(place.wield, ["add", shown], io);
  expect(place.wield.settings.user().mcp["extra"]).toMatchObject({ args: ["a"] });
});

test.each([
  ["/curious:essay rain", "An essay on rain, plain."],
  ['/curious:essay "heavy \\"rain\\"" loud', 'An essay on heavy "rain", loud.'],
  ["/curious:essay tone=dry topic=a=b", "An essay on a=b, dry."],
])("%s", async (typed, text) => {
  expect(await serverPrompt(typed, chat())).toContain(text);
});

test("a prompt that is unknown, incomplete or given too much is refused; another command is left alone", async () => {
  await expect(serverPrompt("/curious:poem", chat())).rejects.toThrow("It has: /curious:essay");
  await expect(serverPrompt("/curious:essay", chat())).rejects.toThrow("needs topic: What about");
  await expect(serverPrompt("/curious:essay a b c", chat())).rejects.toThrow("no more arguments");
  expect(await serverPrompt("/other:essay x", chat())).toBeUndefined();
  expect(await serverPrompt("/undo", chat())).toBeUndefined();
});

test("@server:uri brings the content as data; an address of nobody's stays text", async () => {
  const text = await withResources("Sum up @curious:curious://facts for ada@example.com @x:y", chat());
  expect(text).toMatch(/^Sum up @curious:curious:\/\/facts for .*\n\n<untrusted \w+> from curious:\/\/facts/);
  expect(text.match(/<untrusted/g)).toHaveLength(1);
});
