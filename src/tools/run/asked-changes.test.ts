import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../testing/remove-folder.ts";
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
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever value the tool gave
async function run(place: TestWield, input: Record<string, unknown>): Promise<any> {
  const { result, text } = await place.wield.callAny("run_code", { language: "bash", ...input });
  if (!result.ok) throw new Error(text);
  return result.value;
}

describe.skipIf(!hasBubblewrap)("what a run changes, with somebody there", () => {
  test("changes are applied, told with their diff, and one undo takes back the run", async () => {
    const person = scriptedPerson(yes, yes);
    const place = await start({ "a.txt": "1\n", "old/b.txt": "2\n" }, { asker: person.asker });
    const outcome = await place.wield.call("run_code", {
      language: "bash",
      code: "echo 2 >> a.txt; mv old new; echo n > made",
    });
    expect(outcome.text).toMatch(/files changed \(undo: change \w+\)\n(.|\n)*modify a\.txt \(\+1 −0\)/);
    expect(outcome.details.changes).toHaveLength(1);
    expect([place.read("a.txt"), place.read("new/b.txt"), place.read("made")]).toEqual([
      "1\n2\n",
      "2\n",
      "n\n",
    ]);
    await place.wield.call("undo", {});
    expect(readdirSync(place.root).sort()).toEqual(["a.txt", "old"]);
    expect([place.read("a.txt"), place.read("old/b.txt")]).toEqual(["1\n", "2\n"]);
  });

  test("a person who says no is told of by path, and nothing of the run is applied", async () => {
    const person = scriptedPerson({ approved: false, reason: "not that file" });
    const place = await start({ "a.txt": "1\n" }, { asker: person.asker });
    const value = await run(place, { code: "echo 2 > a.txt; echo n > made" });
    expect(value).toMatchObject({ changes: null, held: null });
    expect(value.refused).toContainEqual({ path: "a.txt", reason: "User rejected changes: not that file" });
    expect(readdirSync(place.root)).toEqual(["a.txt"]);
    expect(await place.wield.approvals.pending()).toEqual([]);
  });

  test("a commit is offered as a commit, and looking at the status changes nothing", async () => {
    const person = scriptedPerson(yes);
    const place = await start({ "a.txt": "1\n", "b.bin": new Uint8Array([0, 1]) }, { asker: person.asker });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: place.root, encoding: "utf8" });
    const names = "-c user.name=a -c user.email=a@example.com";
    git("init", "-q");
    git("add", ".");
    git(...`${names} commit -q -m first`.split(" "));
    // Files that nobody touched are the same inside, too: git would list what is not text.
    expect(await run(place, { code: "git diff --stat" })).toMatchObject({ stdout: "" });
    place.write("a.txt", "1\n");
    expect(await run(place, { code: "git status" })).toMatchObject({ held: null, refused: [] });
    // A file whose time changed and whose content did not: git would note that in the index.
    expect(await run(place, { code: "git diff; git diff --stat" })).toMatchObject({
      held: null,
      refused: [],
    });
    // Objects that nothing leads to any more are no change; what is staged is one.
    const aside = `git ${names} stash push -q a.txt; cat a.txt; git ${names} stash pop -q`;
    place.write("a.txt", "edited\n");
    expect(await run(place, { code: aside })).toMatchObject({ stdout: "1\n", held: null, changes: null });
    git("checkout", "-q", "a.txt");
    const commit = (message: string) => `git add --all; git ${names} commit -q -m '${message}'`;
    const { text } = await place.wield.call("run_code", {
      language: "bash",
      code: `mkdir src; echo n > src/b.txt; echo 2 > a.txt; ${commit("second one")}`,
    });
    const [ask] = person.asked[0] ?? [];
    const told = 'this run made 1 commit: "second one" by a <a@example.com> (a.txt, src/b.txt)';
    expect(ask?.preview?.notes).toEqual([told]);
    expect(ask?.preview?.files.map(({ path }) => path)).toEqual(["a.txt", "src/b.txt"]);
    expect(text).toContain(told);
    expect(text).not.toContain(".git");
    expect(git("log", "--format=%s")).toBe("second one\nfirst\n");
    expect(git("status", "--porcelain")).toBe("");

    // Packed objects cannot be read here; nobody is there to ask.
    git("gc", "-q");
    const held = await place.reopen({});
    const waiting = await held.call("run_code", {
      language: "bash",
      code: `echo 3 > src/b.txt; ${commit("third")}; git rm -q a.txt; git ${names} commit -q -m fourth`,
    });
    const reason = /this run made 2 commits: .*"third" by a <a@example\.com> \(src\/b\.txt\)/;
    expect(waiting.text).toMatch(reason);
    expect(waiting.text).not.toContain(".git");
    const [pending] = await held.approvals.pending();
    expect(pending?.reason).toMatch(reason);
    expect(pending?.reason).toContain('"fourth" by a <a@example.com> (a.txt)');
    const { result } = await held.approvals.answer(pending?.id ?? "", yes);
    expect(result.ok).toBe(true);
    expect(git("log", "--format=%s", "-2")).toBe("fourth\nthird\n");
    expect(git("status", "--porcelain")).toBe("");
  });

  test("links and modes that are held are told to the person", async () => {
    const person = scriptedPerson(no);
    const place = await start({ Makefile: "all:\n" }, { asker: person.asker });
    await run(place, { code: "chmod +x Makefile; ln -s Makefile .envrc" });
    expect(person.asked[0]?.[0]?.preview?.notes).toEqual([
      "the mode of Makefile changes from 644 to 755",
      ".envrc becomes a link to Makefile",
    ]);
  });
});

describe.skipIf(!hasBubblewrap)("held changes", () => {
  test("what a person wrote after the run is not overwritten", async () => {
    const place = await start({ "a.txt": "1\n" });
    const { held } = await run(place, { code: "echo 2 >> a.txt" });
    place.write("a.txt", "1\nmine\n");
    const person = scriptedPerson(yes);
    const { text } = await place.wield.call("apply_held_changes", { id: held.id }, { asker: person.asker });
    expect(text).toMatch(/^CONFLICT: Changed since the run: a\.txt\./);
    expect(person.asked).toEqual([]);
    expect(place.read("a.txt")).toBe("1\nmine\n");
  });

  test("with one path that leads outside by now, nothing is applied, and the conflict is named", async () => {
    const place = await start({ "a.txt": "1\n", "sub/b.txt": "1\n" });
    const { held } = await run(place, { code: "echo 2 | tee a.txt > sub/b.txt" });
    const outside = mkdtempSync(join(tmpdir(), "outside-"));
    renameSync(join(place.root, "sub"), join(place.root, "before"));
    symlinkSync(outside, join(place.root, "sub"));
    const { text } = await place.wield.approvals.answer(held.id, yes);
    expect(text).toMatch(
      /^CONFLICT: Changed since the run: `sub\/b\.txt` leads outside .* Nothing was applied/,
    );
    expect([place.read("a.txt"), readdirSync(outside)]).toEqual(["1\n", []]);
    removeFolder(outside);
  });

  test("when a person edits the file and then approves, the run says that nothing was applied and why", async () => {
    const person = scriptedPerson(() => {
      place.write("a.txt", "1\nmine\n");
      return yes;
    });
    const place = await start({ "a.txt": "1\n" }, { asker: person.asker });
    const { result, text } = await place.wield.callAny("run_code", {
      language: "bash",
      code: "echo 2 >> a.txt",
    });
    expect(result).toMatchObject({ ok: true, value: { held: null, changes: null } });
    expect(text).toMatch(/1 file refused\n {2}a\.txt: Changed since the run: a\.txt\. Nothing was applied/);
    expect(text).not.toContain("Not applied yet");
    expect(place.read("a.txt")).toBe("1\nmine\n");
    expect(await place.wield.store.held(place.root).ids()).toEqual([]);
  });
});
