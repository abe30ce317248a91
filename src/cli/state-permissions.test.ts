import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";

const cli = resolve(import.meta.dirname, "wield.ts");
let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wield-modes-"));
});
afterEach(() => removeFolder(home));

/** As on a machine where everybody may read what anybody makes. */
const wield = (...args: string[]) =>
  execFileSync("/bin/sh", ["-c", 'umask 000; exec "$@"', "x", process.execPath, cli, ...args], {
    cwd: join(home, "ws"),
    env: { PATH: process.env["PATH"] ?? "", HOME: home, WIELD_MODEL: "offline" },
    encoding: "utf8",
  });

/** What others could read or enter. What Node compiles holds no data of anybody's, and the folder above it is closed. */
const openToOthers = () =>
  [".local/state/wield", ".config/wield"].flatMap((place) => {
    const folder = join(home, place);
    const below = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
    return [".", ...below]
      .filter((name) => !name.startsWith("compile-cache/") && existsSync(join(folder, name)))
      .filter((name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0)
      .map((name) => join(place, name));
  });

test("everything under the state folder is its owner's alone from the first moment, and is closed again when found open", () => {
  execFileSync("mkdir", [join(home, "ws")]);
  writeFileSync(join(home, "ws/a.ts"), "export const a = 1;\n");
  wield("call", "write_file", '{"path":"b.txt","content":"secret"}');
  wield("call", "search_code", '{"query":"a"}');
  wield("call", "references", '{"symbol":"a"}');
  expect(openToOthers()).toEqual([]);
  wield("ask", "what does a do?");
  wield("call", "createDocument", '{"title":"Notes","kind":"text","content":"secret"}');
  wield("call", "run_code", '{"language":"bash","code":"echo 2 > a.ts"}');
  wield("trust", "--yes");
  wield("index");
  wield("clean", "--yes");
  expect(openToOthers()).toEqual([]);
  truncateSync(join(home, ".local/state/wield/wield.db"), 6_000);
  wield("doctor", "--repair");
  expect(readdirSync(join(home, ".local/state/wield")).join(" ")).toContain("damaged-");
  expect(openToOthers()).toEqual([]);

  const state = join(home, ".local/state/wield");
  const journal = join("journals", readdirSync(join(state, "journals"))[0] ?? "");
  for (const name of [".", journal]) chmodSync(join(state, name), 0o755);
  for (const name of ["wield.db", join(journal, "journal.db")]) chmodSync(join(state, name), 0o644);
  wield("call", "write_file", '{"path":"c.txt","content":"secret"}');
  expect(openToOthers()).toEqual([]);
});
