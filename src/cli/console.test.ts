import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bin, editorThat, hasTmux, terminal } from "./terminal.suite.ts";

describe.skipIf(!hasTmux)("the console in a terminal", () => {
  test("pick a tool, fill in its fields, see the result", async () => {
    const { type, see } = await terminal({ "a.txt": "hello\n" }, `${bin} console`);
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
    expect(await see(/1\s+hello/)).toMatch(/read_file · \d+ ms · \d+ tokens/);
    type("C-c");
    await see(/ended with 0/);
  });
});

describe.skipIf(!hasTmux || !existsSync("/usr/bin/bwrap"))("a long call in a terminal", () => {
  test("says for how long it has been at it, and ends with Ctrl+C", async () => {
    const code = JSON.stringify({ language: "bash", code: "sleep 600" });
    const { type, see } = await terminal({}, `${bin} call run_code '${code}'`);
    await see(/^run_code … \d+ s$/m);
    type("C-c");
    const screen = await see(/ended with 130/);
    expect(screen).toMatch(/ABORTED/);
    expect(screen).not.toMatch(/run_code … \d+ s/);
  });
});

describe.skipIf(!hasTmux)("approval in a terminal", () => {
  const write = `${bin} call write_file '{"path":"a.txt","content":"one\\nTWO\\n"}'`;
  const files = { "a.txt": "one\ntwo\n" };

  test("the diff is shown; yes applies it", async () => {
    const { type, see, place } = await terminal(files, write);
    const shown = await see(/Allow write_file\?/);
    expect(shown).toMatch(/2 -two\s+2 \+TWO/);
    type("Enter");
    await see(/ended with 0/);
    expect(place.read("a.txt")).toBe("one\nTWO\n");
  });

  test("y, n, e and a answer at once; after the arrow keys, too", async () => {
    const yes = await terminal(files, write);
    await yes.see(/Yes \(y\)[\s\S]*Edit first \(e\)[\s\S]*\(a\)[\s\S]*No \(n\)/);
    yes.type("Down", "y");
    expect(await yes.see(/ended with 0/)).toMatch(/Allow write_file\?\n│ {2}Yes\n/);
    expect(yes.place.read("a.txt")).toBe("one\nTWO\n");

    const no = await terminal(files, write);
    await no.see(/Allow write_file\?/);
    no.type("n");
    await no.see(/ended with 1/);
    expect(no.place.read("a.txt")).toBe("one\ntwo\n");

    const always = await terminal(files, `${write} && ${write}`);
    await always.see(/Allow write_file\?/);
    always.type("a");
    await always.see(/Do not ask again about[\s\S]*write_file on a\.txt, always in this folder \(3\)/);
    always.type("3");
    await always.see(/ended with 0/);
    expect(always.place.read("a.txt")).toBe("one\nTWO\n");
  });

  test("no is no: nobody would read why", async () => {
    const { type, see, place } = await terminal(files, write);
    await see(/Allow write_file\?/);
    type("Up", "Enter");
    const shown = await see(/ended with 1/);
    expect(shown).toContain("User rejected changes");
    expect(shown).not.toContain("Why not");
    expect(place.read("a.txt")).toBe("one\ntwo\n");
  });

  test("edit first: $EDITOR opens on the proposed content, and the edited bytes are written", async () => {
    const { type, see, place } = await terminal(files, `EDITOR=../editor.sh ${write}`);
    editorThat(place.root, `sed -i s/TWO/zwei/ "$1"`);
    await see(/Allow write_file\?/);
    type("Down", "Enter");
    await see(/Apply your version/);
    type("Enter");
    expect(await see(/ended with 0/)).toContain("The person edited this call");
    expect(place.read("a.txt")).toBe("one\nzwei\n");
  });

  test("remember says in words what it covers and holds next time", async () => {
    const { type, see, place } = await terminal(files, write);
    await see(/Allow write_file\?/);
    type("Down", "Down", "Enter");
    await see(/Do not ask again about[\s\S]*always in this folder/);
    type("Down", "Down", "Enter");
    await see(/ended with 0/);
    const next = await place.reopen();
    expect((await next.call("write_file", { path: "a.txt", content: "again" })).result.ok).toBe(true);
  });
});
