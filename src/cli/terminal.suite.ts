import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, vi } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";

/** A person at a real terminal: tmux types the keys and reads the screen. */
export const bin = resolve(import.meta.dirname, "../../bin/wield");
export const hasTmux = (() => {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

export interface Terminal {
  place: TestWield;
  type(...keys: string[]): void;
  /** As a terminal hands over what was copied elsewhere. */
  paste(text: string): void;
  /** As one who keeps a key pressed: without a word about where it begins and ends. */
  typeFast(text: string): void;
  showsCursor(): boolean;
  /** Every row as it is, without joining what the terminal broke. */
  rows(): string[];
  /** Waits until the screen shows something. */
  see(pattern: RegExp): Promise<string>;
}

export async function terminal(
  files: Record<string, string>,
  command: string,
  env: Record<string, string> = {},
  { columns, rows } = { columns: 110, rows: 45 },
): Promise<Terminal> {
  const place = await testWield(files);
  const socket = join(place.env["HOME"] ?? "", "tmux");
  const tmux = (...args: string[]) => tmuxWith("", ...args);
  const tmuxWith = (input: string, ...args: string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      input,
      env: { ...process.env, ...place.env, ...env, TERM: "xterm-256color", NO_COLOR: "" },
    });
  tmux(
    "new-session",
    "-d",
    "-x",
    String(columns),
    "-y",
    String(rows),
    "-c",
    place.root,
    `${command}; echo "ended with $?"; cat`,
  );
  cleanUp.push(
    () => place.close(),
    () => {
      tmux("kill-server");
    },
  );
  const screen = () => tmux("capture-pane", "-p", "-J");
  return {
    place,
    type: (...keys) => {
      tmux("send-keys", ...keys);
    },
    paste: (text) => {
      tmuxWith(text, "load-buffer", "-");
      tmux("paste-buffer", "-p");
    },
    typeFast: (text) => {
      tmuxWith(text, "load-buffer", "-");
      tmux("paste-buffer");
    },
    rows: () => tmux("capture-pane", "-p", "-S", "-200").split("\n"),
    showsCursor: () => tmux("display-message", "-p", "#{cursor_flag}").trim() === "1",
    see: (pattern) =>
      vi.waitFor(
        () => {
          const shown = screen();
          if (!pattern.test(shown)) throw new Error(`The screen does not show ${pattern}:\n${shown}`);
          return shown;
        },
        { timeout: 60_000, interval: 100 },
      ),
  };
}

/** An editor that replaces a word: what a person would do by hand. */
export function editorThat(place: string, script: string): string {
  const file = join(place, "..", "editor.sh");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
