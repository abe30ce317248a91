import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { bin, hasTmux, terminal } from "./terminal.suite.ts";

const small = { columns: 80, rows: 24 };
const words = (text: string): WireReply => ({ content: [{ type: "text", text }] });
const files = { "src/main.js": "export function start() {}\n", "AGENTS.md": "Use tabs.\n" };

async function chatWith(
  answer: (index: number, said: string) => WireReply,
  more = files as Record<string, string>,
) {
  const server = await anthropicServer(({ messages }, index) => answer(index, JSON.stringify(messages)));
  onTestFinished(() => server.close());
  const env = {
    ANTHROPIC_API_KEY: "key-for-tests",
    ANTHROPIC_BASE_URL: server.url,
    OLLAMA_HOST: "127.0.0.1:1",
  };
  return { server, ...(await terminal(more, `${bin} chat --model anthropic/claude-haiku-4-5`, env, small)) };
}

const writing: WireReply = {
  content: [
    {
      type: "tool_use",
      id: "t1",
      name: "create_file",
      input: { path: "made.md", content: "made\n", description: "m" },
    },
  ],
};

describe.skipIf(!hasTmux)("daily work in a terminal of 80 × 24", () => {
  test("calls of one reply keep their order; words are never cut, tables are drawn, code and lists are rendered", async () => {
    const long =
      "A sentence with several considerable words that goes past the margin of a small terminal window.";
    const answer = [
      long,
      "",
      "| name | what it does |",
      "|---|---|",
      "| alpha | reads files and tells what is in them, line by line, with numbers |",
      "| beta | writes |",
      "",
      "- [x] done",
      `- ${long}`,
      "```js",
      'const a = "text"; // note',
      "```",
      "> quoted",
      "End of it.",
    ].join("\n");
    const path = "src/main.js";
    const edit = { path, edits: [{ oldText: "start", newText: "begin" }], description: "d" };
    const editAndRead: WireReply = {
      content: [
        { type: "tool_use", id: "t1", name: "replace_in_file", input: edit },
        { type: "tool_use", id: "t2", name: "read_file", input: { path } },
      ],
    };
    const { type, see, rows, server } = await chatWith((index) =>
      index === 0 ? editAndRead : words(answer),
    );
    await see(/ask › /);
    type("BTab");
    await see(/edits › /);
    type("Go", "Enter");
    await see(/End of it\.[\s\S]*edits › $/m);
    // What was read together with an edit is the new text.
    const results = JSON.stringify(server.requests.at(-1)?.messages.at(-1));
    expect(results).toContain("1\\texport function begin() {}");
    expect(results).not.toContain("1\\texport function start() {}");
    const shown = rows().map((row) => row.trimEnd());
    const text = shown.join("\n");
    expect(text).toMatch(/past the margin of a small\nterminal/);
    expect(text).toMatch(/name +│ what it does\n─+┼─+\nalpha +│ reads/);
    expect(text).toMatch(/☑ done\n• A sentence[^\n]*\n {2}[a-z]/);
    expect(text).toContain("│ quoted");
    for (const row of shown) expect(row.length).toBeLessThanOrEqual(80);
    for (const word of long.split(" ")) expect(shown.some((row) => row.includes(word))).toBe(true);
  });

  test("/ and @ open a menu, Tab takes the first; the mode is always shown; an untrusted AGENTS.md is said", async () => {
    const named = { ...files, "src/menu.js": "", "src/mad\u001b]0;owned\u0007.js": "" };
    const { type, see } = await chatWith(() => words("Yes."), named);
    const start = await see(/ask › /);
    expect(start.replaceAll(/\s+/g, " ")).toContain(
      "Agents do not follow AGENTS.md, because this folder is not trusted",
    );
    expect(start).toMatch(/mode ask, Shift\+Tab changes it/);
    type("/ef");
    await see(/→ \/effort +How much the model thinks first/);
    type("Tab");
    await see(/ask › \/effort $/m);
    type("low", "Enter");
    await see(/Effort: low/);
    type("BTab");
    await see(/Mode: Accept edits[\s\S]*edits › /);
    type("C-u", "/help", "Enter");
    await see(/\/exit +Quit[\s\S]*!command/);
    type("Show me @main", "Tab");
    await see(/› Show me @src\/main\.js /);
    type("and @src/m");
    expect(await see(/→ @src\/main\.js\n +@src\/menu\.js/)).not.toContain("src/mad");
    type("Tab");
    await see(/and @src\/main\.js $/m);
    type("C-c");
    await see(/edits › $/m);
    type("C-c");
    await see(/ended with 0/);
  });

  test("y, n, e and a answer an approval, and so does somebody elsewhere; what a remembers is said in words", async () => {
    const { type, see, place, server } = await chatWith((index) =>
      index % 2 === 0 ? writing : words("Done."),
    );
    await see(/ask › /);
    type("Write it", "Enter");
    const asked = await see(/Allow create_file\?/);
    expect(asked).toMatch(/\(y\)[\s\S]*\(e\)[\s\S]*\(a\)[\s\S]*\(n\)/);
    expect(asked).toMatch(/1 \+made/);
    type("n");
    await see(/Why not\?/);
    type("Enter");
    await see(/Done\.[\s\S]*ask › $/m);
    type("Write it", "Enter");
    await see(/Done\.[\s\S]*Allow create_file\?/);
    type("a");
    const widths = await see(/Do not ask again about/);
    expect(widths).toMatch(/create_file on made\.md, for this session/);
    expect(widths).not.toContain('{"');
    type("Escape");
    // An answer that is given elsewhere is the answer here, too.
    await see(/Do not ask again about\n│ {2}back\n[\s\S]*Allow create_file\?/);
    const [pending] = await place.wield.approvals.pending();
    await place.wield.approvals.answer(pending?.id ?? "", { approved: true });
    const there = await see(
      /Answered elsewhere: approved\.[\s\S]*● create_file made\.md[\s\S]*Done\.[\s\S]*ask › $/m,
    );
    expect(there).toMatch(/Allow create_file\?\n│ {2}not answered here\n/);
    expect(place.read("made.md")).toBe("made\n");
    const results = JSON.stringify(server.requests.at(-1)?.messages.at(-1));
    expect(results).toContain("made.md");
    expect(results).not.toMatch(/reject|is_error":true/);
    rmSync(join(place.root, "made.md"));
    type("Write it", "Enter");
    await see(/Answered[\s\S]*Write it[\s\S]*Allow create_file\?/);
    type("a");
    await see(/Write it[\s\S]*Do not ask again about/);
    type("1");
    const done = await see(
      /Do not ask again[\s\S]*● create_file made\.md \d+\.\d s[\s\S]*Done\.[\s\S]*ask › $/m,
    );
    expect(done).toMatch(/%.* in, .* out · \$0\.\d+/);
    expect(place.read("made.md")).toBe("made\n");
  });

  test("a long diff leaves the question on the screen; what runs is shown with its output, and Esc stops it; /processes", async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
    const call = (name: string, input: object): WireReply => ({
      content: [{ type: "tool_use", id: `toolu_${name}`, name, input }],
    });
    const { type, see, place } = await chatWith((index) =>
      index === 0
        ? call("create_file", { path: "long.md", content: lines.join("\n"), description: "Create long.md." })
        : index === 1
          ? words("Not written.")
          : index === 2
            ? call("run_code", { language: "bash", code: "echo tests begin; sleep 600" })
            : index === 3
              ? call("run_code", { language: "bash", code: "echo it serves; sleep 900", background: true })
              : index === 5
                ? call("run_code", { language: "bash", code: "sleep 901", background: true })
                : words("It runs."),
    );
    await see(/ask › /);
    type("Write it", "Enter");
    await see(
      /Create file +create_file\s+create long\.md\n[\s\S]* 1 \+line 1\n[\s\S]*… \d+ more lines, v to view\n[\s\S]*Allow create_file\?[\s\S]*\(y\)[\s\S]*\(v\)[\s\S]*\(n\)/,
    );
    type("v");
    await see(/lines 1–23 of 6\d/);
    type("End");
    await see(/\+line 60\n/);
    type("q");
    await see(/Create file[\s\S]*Allow create_file\?[\s\S]*\(n\)/);
    type("Escape");
    await see(/│ {2}No \(Esc\)[\s\S]*Not written\.[\s\S]*ask › $/m);
    type("Run it", "Enter");
    await see(/◌ run_code echo tests begin; sleep 600 \d\S* s\n {2}tests begin\n.*Esc stops the agent/);
    type("Escape");
    expect(await see(/Stopped\.\n[\s\S]*ask › $/m)).not.toContain("◌");
    type("Serve it", "Enter");
    await see(
      /◌ p_\w+ runs in the background: echo it serves; sleep 900[\s\S]*Runs in the background as p_\w+\. See \/processes\.\n[\s\S]*1 in the background, \/processes\n[\s\S]*ask › $/m,
    );
    type("/processes", "Enter");
    const [, id = ""] =
      /(p_\w+) +running +echo it serves/.exec(await see(/p_\w+ +running +echo it serves/)) ?? [];
    type(`/processes ${id}`, "Enter");
    await see(/› \/processes p_\w+\s+it serves\n/);
    type(`/processes stop ${id}`, "Enter");
    await see(/Stopped p_\w+\.[\s\S]*ask › $/m);
    type("!echo begun; sleep 600", "Enter");
    await see(/◌ run_code echo begun; sleep 600 \d\S* s\n {2}begun\n.*Esc stops the command/);
    type("C-c");
    await see(/begun\nStopped\.\n[\s\S]*ask › $/m);
    type("!echo mark > ../mark", "Enter");
    await see(/Read-only file system|Permission denied|No such file/i);
    expect(() => place.read("../mark")).toThrow();
    place.write("../config/wield/settings.json", '{ "execution": { "shell": "outside" } }');
    type("!echo mark > ../mark; echo written", "Enter");
    await see(/written[\s\S]*cannot be undone[\s\S]*ask › $/m);
    expect(place.read("../mark")).toBe("mark\n");
    type("Serve again", "Enter");
    await see(/sleep 901[\s\S]*1 in the background, \/processes\n[\s\S]*ask › $/m);
    type("/exit", "Enter");
    await see(/Stopping 1 background process\./);
  });

  test("/rewind, !command, /cost, /compact, own commands and /export", async () => {
    const { type, see, place, server } = await chatWith(
      (index) => (index === 0 ? writing : words(`Answer ${index}.`)),
      {},
    );
    const folder = join(place.env["XDG_CONFIG_HOME"] ?? "", "wield", "commands");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "greet.md"), "---\ndescription: Say hello\n---\nGreet $1 warmly.\n");
    await see(/ask › /);
    const saved = { path: "saved.md", content: "before\n", description: "saved" };
    const approved = async (asks: readonly unknown[]) => asks.map(() => ({ approved: true }) as const);
    await place.wield.call("create_file", saved, { asker: approved });
    type("Write it", "Enter");
    await see(/Allow create_file\?/);
    type("y");
    await see(/Answer 1\.[\s\S]*ask › $/m);
    type("/cost", "Enter");
    await see(/this session +\$0\.\d+ .* in, .* out/);
    type("!echo from the shell", "Enter");
    await see(/stdout\s+from the shell/);
    type("/greet Ada", "Enter");
    await see(/Answer 2\.[\s\S]*ask › $/m);
    expect(JSON.stringify(server.requests[2]?.messages)).toMatch(
      /ran this in the shell[\s\S]*Greet Ada warmly\./,
    );
    type("/compact", "Enter");
    await see(/What the person said[\s\S]*This is kept: /);
    type("/export md", "Enter");
    await see(/Saved Write-it\.md/);
    expect(place.read("Write-it.md")).toContain("Greet Ada warmly.");
    // The export is the person's: it is no change that is taken back.
    type("/undo", "Enter");
    await see(/Undid .*made\.md/);
    // What others changed, before the conversation or beside it, is asked about.
    type("/undo", "Enter");
    await see(/saved\.md[\s\S]*Undo this change, which the agent did not make in this conversation\?/);
    type("Enter");
    await see(/Nothing was undone\./);
    expect(place.read("saved.md")).toBe("before\n");
    type("/redo", "Enter");
    await see(/Undid[\s\S]*\(made\.md\)[\s\S]*ask › $/m);
    type("/rewind 9", "Enter");
    await see(/This conversation has 2 messages of yours, so it cannot go back 9/);
    type("/exprt", "Enter");
    expect(await see(/There is no \/exprt\. Did you mean \/export/)).not.toContain("Shift+Tab");
    type("/rewind 2 both", "Enter");
    await see(/Restored: made\.md[\s\S]*ask › Write it/);
    expect(() => place.read("made.md")).toThrow();
    expect(place.read("Write-it.md")).toContain("Greet Ada warmly.");
    // A session without a message cannot be continued.
    type("C-u", "/clear", "Enter");
    await see(/A new session/);
    type("/exit", "Enter");
    expect(await see(/ended with 0/)).not.toContain("--resume");
  });

  test("wield login reads a key without showing it, checks it, and wield logout removes it", async () => {
    const server = await anthropicServer(() => words("Hello."), ["claude-large-6"]);
    onTestFinished(() => server.close());
    const env = { ANTHROPIC_BASE_URL: server.url, OLLAMA_HOST: "127.0.0.1:1" };
    const commands = `${bin} login anthropic && ${bin} ask --model anthropic/claude-large-6 "Hi" && ${bin} logout anthropic && ${bin} stats`;
    const { type, see, rows, place } = await terminal({}, commands, env, small);
    await see(/Key of Anthropic/);
    type("sk-typed-secret-42", "Enter");
    await see(
      /Stored the key of Anthropic; it is accepted\.[\s\S]*Hello\.[\s\S]*Removed the stored key of Anthropic\./,
    );
    // A warning about a model that nobody knows is a sentence, and an unknown price is not zero.
    await see(/ended with 0/);
    const shown = rows().join("\n");
    expect(shown).toMatch(/claude-large-6 [\s\S]*outputTokens/);
    expect(shown).not.toMatch(/\(node:\d+\)|\$0\.00/);
    expect(shown).toMatch(/price unknown:\s+anthropic\/claude-large-6/);
    expect(shown).not.toContain("sk-typed-secret-42");
    expect(place.wield.keys.list()[0]).toMatchObject({ provider: "anthropic", source: "none" });
  });

  test("/worktree: the chat goes on in a checkout of its own, shows what is in it, merges and comes back", async () => {
    const { place, type, see } = await chatWith((index) => (index === 0 ? writing : words("Made it.")));
    await see(/mode ask/);
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", place.root, ...args], { env: place.env, encoding: "utf8" });
    type("/worktree new fix", "Enter");
    await see(/A worktree needs a git repository/);
    git("init", "--quiet", "--initial-branch=main");
    for (const [name, value] of Object.entries({ "user.name": "T", "user.email": "t@e.org" }))
      git("config", "--global", name, value);
    git("add", ".");
    git("commit", "--quiet", "--message=first");
    type("/worktree new fix", "Enter");
    await see(
      /A new session begins in the worktree; it does not know this conversation[\s\S]*worktree fix, branch wield\/fix/,
    );
    type("Make it", "Enter");
    await see(/Allow create_file\?/);
    type("y");
    await see(/Made it\./);
    type("/diff", "Enter");
    await see(/new, not in git: made\.md/);
    type("/review", "Enter");
    await see(/› \/review[\s\S]*Made it\./);
    type("/worktree", "Enter");
    await see(/Compared with main, 1 file changed \(\+1 −0\): 0 commits, 1 uncommitted file\./);
    expect(git("status", "--short")).toBe("");
    type("/worktree merge", "Enter");
    await see(/Merge fix\?/);
    type("y");
    const merged = await see(/Merged 1 commit with 1 changed file \(\+1 −0\) into main[\s\S]*mode ask/);
    expect(merged).toContain("A new session begins in");
    // Its folder is gone: there is nothing to continue.
    expect(merged).not.toContain("Continue later with");
    expect(place.read("made.md")).toBe("made\n");
    const { worktree } = await place.wield.worktrees.open("next");
    writeFileSync(join(worktree.folder, "left.md"), "left\n");
    type("/worktree next", "Enter");
    await see(/worktree next, branch wield\/next/);
    type("/exit", "Enter");
    expect(await see(/ended with 0/)).toContain("The worktree next has 1 uncommitted file.");
    const [earlier] = await place.wield.sessions.list();
    const again = [bin, "chat", "--resume", earlier?.id ?? ""].join(" ");
    const resumed = spawnSync("sh", ["-c", again], { cwd: place.root, env: place.env, encoding: "utf8" });
    expect(resumed.stderr).toMatch(
      /The worktree fix was merged on \d{4}-\d\d-\d\d\. Its chat cannot be continued/,
    );
    expect(resumed.stderr).toContain(`wield sessions ${earlier?.id}`);
  });
});
