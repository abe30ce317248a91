import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { Jail } from "./jail.ts";
import { surveyTree } from "./survey.ts";
import type { Survey, SurveyedFolders } from "./workspace.ts";

let root: string;
let jail: Jail;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wield-survey-"));
  jail = new Jail(root);
});
afterEach(() => {
  jail.close();
  removeFolder(root);
});

function write(path: string, text = path): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const filesIn = (folders: SurveyedFolders) =>
  [...folders.values()].flatMap(({ path, files }) => files.map((name) => join(path, name))).sort();
const changedIn = ({ changed }: Survey) => changed.map(({ path }) => path).sort();

/** Until the time stamps of everything written so far can be trusted. */
async function aged(): Promise<void> {
  const now = Date.now();
  while (Date.now() < now + 60) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("all files but ignored ones and links; hidden ones too; nothing has changed the second time", async () => {
  for (const path of ["a.ts", ".env", "src/b.ts", "src/out/c.ts", "src/out/keep.ts", ".git/config", "x.log"])
    write(path);
  write(".gitignore", "*.log\nsrc/out/*\n!keep.ts\n");
  symlinkSync("a.ts", join(root, "link.ts"));
  symlinkSync("src", join(root, "folder-link"));
  await aged();
  const first = await surveyTree(jail, undefined);
  const all = [".env", ".gitignore", "a.ts", "src/b.ts", "src/out/keep.ts"];
  expect(filesIn(first.folders)).toEqual(all);
  expect(changedIn(first)).toEqual(all);
  const second = await surveyTree(jail, first.folders);
  expect([second.changed, second.gone]).toEqual([[], []]);
  expect([...second.folders.values()]).toEqual([...first.folders.values()]);
});

test("a change in place, a new rule far above and a folder that became a link are all seen", async () => {
  for (const path of ["deep/er/a.ts", "deep/er/b.txt", "other/c.ts"]) write(path);
  await aged();
  const first = await surveyTree(jail, undefined);
  write("deep/er/a.ts", "changed");
  const second = await surveyTree(jail, first.folders);
  expect([changedIn(second), second.gone]).toEqual([["deep/er/a.ts"], []]);
  write(".gitignore", "*.txt\n");
  const third = await surveyTree(jail, second.folders);
  expect(third.gone).toEqual(["deep/er/b.txt"]);
  renameSync(join(root, "other"), join(root, "moved"));
  symlinkSync("moved", join(root, "other"));
  const fourth = await surveyTree(jail, third.folders);
  expect(filesIn(fourth.folders)).toEqual([".gitignore", "deep/er/a.ts", "moved/c.ts"]);
  expect(fourth.gone).toEqual(["other/c.ts"]);
});

test("a survey that finds nothing gives back the very map; one of some names leaves the rest for later", async () => {
  for (const path of ["a.ts", "b.md", "d/c.ts", "d/e.md"]) write(path);
  await aged();
  const first = await surveyTree(jail, undefined);
  expect((await surveyTree(jail, first.folders)).folders).toBe(first.folders);
  for (const path of ["a.ts", "b.md", "d/e.md"]) write(path, "changed");
  const isWanted = (name: string) => name.endsWith(".ts");
  const some = await surveyTree(jail, first.folders, { isWanted });
  expect(changedIn(some)).toEqual(["a.ts"]);
  rmSync(join(root, "b.md"));
  write("d/f.md");
  await aged();
  const more = await surveyTree(jail, some.folders, { isWanted });
  expect([changedIn(more), more.gone]).toEqual([expect.arrayContaining(["d/f.md"]), ["b.md"]]);
  write("d/e.md", "changed again");
  expect(changedIn(await surveyTree(jail, more.folders))).toEqual(["d/e.md"]);
});

test("what a later survey tells from an earlier one is what a new one would find", async () => {
  const path = fc.constantFrom("a", "b", "d/a", "d/b", "d/e/a", "f/a", "d/a.log", "f/g/h/a");
  const step = fc.oneof(
    fc.record({ kind: fc.constant("write" as const), path, text: fc.constantFrom("x", "y", "long") }),
    fc.record({ kind: fc.constant("remove" as const), path }),
    fc.record({
      kind: fc.constant("ignore" as const),
      path: fc.constantFrom(".", "d"),
      text: fc.constantFrom("", "*.log\n", "e/\n", "a\n"),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      for (const name of ["a", "b", "d", "f", ".gitignore"])
        rmSync(join(root, name), { recursive: true, force: true });
      let known: SurveyedFolders | undefined;
      let expected = new Set<string>();
      for (const steps of rounds) {
        for (const one of steps) {
          if (one.kind === "write") write(one.path, one.text);
          else if (one.kind === "ignore") write(join(one.path, ".gitignore"), one.text);
          else rmSync(join(root, one.path), { force: true });
        }
        const later = await surveyTree(jail, known);
        const anew = await surveyTree(jail, undefined);
        expect(filesIn(later.folders)).toEqual(filesIn(anew.folders));
        for (const gone of later.gone) expected.delete(gone);
        for (const { path: changed } of later.changed) expected.add(changed);
        expect([...expected].sort()).toEqual(filesIn(anew.folders));
        expected = new Set(expected);
        known = later.folders;
      }
    }),
    { numRuns: 60 },
  );
});
