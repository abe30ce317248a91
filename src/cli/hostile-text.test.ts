import { afterEach, describe, expect, test } from "vitest";
import type { Ask } from "../approval/approval.ts";
import { briefReason } from "../approval/ask-facts.ts";
import type { WieldEvent } from "../events/events.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { diffTexts } from "../text/diff.ts";
import { showAsk } from "./asker.ts";
import { chatView } from "./chat-view.ts";
import { colourDiff, showFile } from "./diff-view.ts";
import { describe as describeOutcome } from "./outcome.ts";
import { runCli } from "./run-cli.suite.ts";
import { watchRun } from "./run-view.ts";
import type { Io } from "./terminal.ts";

const plain = { colour: false, terminal: true };
const evil = "a\u001b[8mb\u202ec\rd\u009b2Je\nf";
const drives = /[\u001b\u009b\u202e\r]/;

const open: TestWield[] = [];
afterEach(async () => {
  for (const place of open.splice(0)) await place.close();
});

/** A terminal without colours, and what was written to it. */
function screen(): { io: Io; said(): string } {
  let said = "";
  const say = (text: string) => {
    said += text;
  };
  const io = { ...plain, out: say, write: say, err: say, columns: 80 } as unknown as Io;
  return { io, said: () => said };
}

describe("a diff that is to be approved", () => {
  test("shows lines that look like its own headers", () => {
    const { diff } = diffTexts("a.js", "let x;\n-- old;\n", "let x;\n++ globalThis.take();\n");
    const shown = colourDiff(diff, plain);
    expect(shown).toContain("2 +++ globalThis.take();");
    expect(shown).toContain("2 --- old;");
    expect(shown.join("\n")).not.toContain("+++ a.js");
  });

  test("a file's name stays in its line", () => {
    const file = { path: evil, from: evil, change: "move" as const, diff: "", added: 0, removed: 0 };
    const shown = showFile(file, plain);
    expect(shown).not.toMatch(drives);
    expect(shown.split("\n")).toHaveLength(1);
  });
});

test("warnings come before what the model says, of which only the beginning is in the question", () => {
  const summary = `edit .envrc: ${"Fix a typo. ".repeat(800)}the end`;
  const warnings = ["changes .envrc, which runs when you enter this folder"];
  const preview = { summary, seen: new Map(), notes: [], files: [] };
  const reason = `${summary} — it needs your approval`;
  const ask = {
    title: "Edit",
    tool: "edit_file",
    reason,
    args: {},
    warnings,
    counts: [],
    preview,
  } as unknown as Ask;
  const shown = showAsk(ask, plain, { reason: briefReason(ask).text });
  expect(shown.split("\n")[1]).toBe(`! ${warnings[0]}`);
  expect(shown.length).toBeLessThan(500);
  expect(shown).toContain("it needs your approval");
  // On the screen of its own it is whole.
  expect(showAsk(ask, plain)).toContain("the end");
  expect(showAsk(ask, plain).split("\n")[1]).toBe(`! ${warnings[0]}`);
});

test("an ask shows title, tool and reason of a stranger as they are", () => {
  const ask = {
    title: evil,
    tool: evil,
    reason: evil,
    args: { [evil]: evil },
    warnings: [evil],
    counts: [evil],
    preview: undefined,
  } as unknown;
  expect(showAsk(ask as Ask, plain)).not.toMatch(drives);
});

test.each([
  ["chat", (io: Io) => chatView(io, true)],
  [
    "ask",
    (io: Io) => {
      let listener: (event: WieldEvent) => void = () => undefined;
      const on = (given: typeof listener) => {
        listener = given;
        return () => undefined;
      };
      watchRun({ on }, io, false);
      return listener;
    },
  ],
])("%s: names of tools and words that a model makes up", (_name, view) => {
  const { io, said } = screen();
  const hear = view(io);
  hear({ type: "call-start", callId: "c", session: "s", tool: evil, input: evil, at: "" } as WieldEvent);
  hear({ type: "call-progress", callId: "c", message: evil } as WieldEvent);
  const record = { tool: evil, ok: false, durationMs: 1, tokensOut: 1 };
  hear({
    type: "call-end",
    callId: "c",
    record,
    error: { code: "X", message: evil },
  } as unknown as WieldEvent);
  hear({ type: "call-result", tool: evil, ok: false, text: evil } as unknown as WieldEvent);
  hear({ type: "text-delta", text: evil } as unknown as WieldEvent);
  // Its own: a status line is written again and again.
  expect(said().replaceAll("\r\u001b[2K", "")).not.toMatch(drives);
});

test("escape codes of a file do not drive a terminal without colours", async () => {
  const place = await testWield({ "a.txt": "x\u001b[2Jy\n" });
  open.push(place);
  const outcome = await place.wield.call("read_file", { path: "a.txt" });
  expect(describeOutcome(outcome, { colour: false, terminal: true })).not.toMatch(drives);
  expect(describeOutcome(outcome, { colour: false, terminal: false })).not.toMatch(drives);
  expect(outcome.text).toContain("x\\u{1b}[2Jy");
});

test("what was called by a made-up name is counted, not obeyed", async () => {
  const place = await testWield();
  open.push(place);
  await place.wield.callAny(evil, {});
  const { out } = await runCli(place, ["stats"]);
  expect(out).toContain("UNKNOWN_TOOL");
  expect(out).not.toMatch(drives);
});
