import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";

/** A person at a real terminal: tmux types the keys and reads the screen. */
const bin = resolve(import.meta.dirname, "../../bin/wield");
const hasTmux = (() => {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const step of cleanUp.splice(0).reverse()) step();
});

interface Terminal {
  place: TestWield;
  type(...keys: string[]): void;
  /** Waits until the screen shows something. */
  see(pattern: RegExp): Promise<string>;
}

async function terminal(
  files: Record<string, string>,
  command: string,
  env: Record<string, string> = {},
): Promise<Terminal> {
  const place = await testWield(files);
  const socket = join(place.env["HOME"] ?? "", "tmux");
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...process.env, ...place.env, ...env, TERM: "xterm-256color", NO_COLOR: "" },
    });
  tmux(
    "new-session",
    "-d",
    "-x",
    "110",
    "-y",
    "45",
    "-c",
    place.root,
    `${command}; echo "ended with $?"; cat`,
  );
  cleanUp.push(
    () => place.close(),
    () => tmux("kill-server"),
  );
  const screen = () => tmux("capture-pane", "-p", "-J");
  return {
    place,
    type: (...keys) => {
      tmux("send-keys", ...keys);
    },
    see: (pattern) =>
      vi.waitFor(
        () => {
          const shown = screen();
          if (!pattern.test(shown)) throw new Error(`The screen does not show ${pattern}:\n${shown}`);
          return shown;
        },
        { timeout: 20_000, interval: 40 },
      ),
  };
}

/** An editor that replaces a word: what a person would do by hand. */
function editorThat(place: string, script: string): string {
  const file = join(place, "..", "editor.sh");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe.skipIf(!hasTmux)("the console in a terminal", () => {
  test("pick a tool, fill in its fields, see the result", async () => {
    const { type, see } = await terminal({ "a.txt": "hello\n" }, bin);
    await see(/Which tool\?/);
    type("read_file");
    await see(/read_file/);
    type("Enter");
    await see(/path: File/);
    type("a.txt", "Enter");
    await see(/encoding/);
    type("Enter");
    await see(/startLine/);
    type("Enter");
    await see(/numLines/);
    type("Enter");
    expect(await see(/1 {2}hello/)).toMatch(/read_file · \d+ ms · \d+ tokens/);
    type("C-c");
    await see(/ended with 0/);
  });
});

describe.skipIf(!hasTmux)("approval in a terminal", () => {
  const write = `${bin} call write_file '{"path":"a.txt","content":"one\\nTWO\\n"}'`;
  const files = { "a.txt": "one\ntwo\n" };

  test("the diff is shown; yes applies it", async () => {
    const { type, see, place } = await terminal(files, write);
    const shown = await see(/Allow write_file\?/);
    expect(shown).toMatch(/-two\s+\+TWO/);
    type("Enter");
    await see(/ended with 0/);
    expect(place.read("a.txt")).toBe("one\nTWO\n");
  });

  test("no, with a reason", async () => {
    const { type, see, place } = await terminal(files, write);
    await see(/Allow write_file\?/);
    type("Up", "Enter");
    await see(/Why not\?/);
    type("keep it", "Enter");
    expect(await see(/ended with 1/)).toContain("User rejected changes: keep it");
    expect(place.read("a.txt")).toBe("one\ntwo\n");
  });

  test("edit first: $EDITOR opens on the proposed content, and the edited bytes land", async () => {
    const { type, see, place } = await terminal(files, `EDITOR=../editor.sh ${write}`);
    editorThat(place.root, `sed -i s/TWO/zwei/ "$1"`);
    await see(/Allow write_file\?/);
    type("Down", "Enter");
    await see(/Apply your version/);
    type("Enter");
    expect(await see(/ended with 0/)).toContain("The person edited this call");
    expect(place.read("a.txt")).toBe("one\nzwei\n");
  });

  test("remember shows the rule and holds next time", async () => {
    const { type, see, place } = await terminal(files, write);
    await see(/Allow write_file\?/);
    type("Down", "Down");
    await see(/"decision":"allow","tool":"write_file","path":"a.txt"/);
    type("Enter");
    await see(/ended with 0/);
    const next = await place.reopen();
    expect((await next.call("write_file", { path: "a.txt", content: "again" })).result.ok).toBe(true);
  });
});
