import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { bin, hasTmux, terminal } from "./terminal.suite.ts";

const done: WireReply = { content: [{ type: "text", text: "Done." }] };
const calling = (...calls: [string, object][]): WireReply => ({
  content: calls.map(([name, input], at) => ({ type: "tool_use", id: `t${at}`, name, input })),
});

async function chatWith(files: Record<string, string>, ...replies: WireReply[]) {
  const server = await anthropicServer((_, index) => replies[index] ?? done);
  onTestFinished(() => server.close());
  const env = {
    ANTHROPIC_API_KEY: "key-for-tests",
    ANTHROPIC_BASE_URL: server.url,
    OLLAMA_HOST: "127.0.0.1:1",
  };
  const command = `${bin} chat --model anthropic/claude-haiku-4-5`;
  const chat = { server, ...(await terminal(files, command, env, { columns: 80, rows: 24 })) };
  await chat.see(/ask › /);
  chat.type("Go", "Enter");
  return chat;
}

const manyFiles = `for n in $(seq -w 1 180); do echo text > f$n.txt; done
echo changed > f009.txt; echo 'touch x' > .envrc; mkdir -p .husky; echo 'touch x' > .husky/pre-commit`;

describe.skipIf(!hasTmux)("questions in a terminal of 80 × 24", () => {
  test("what runs by itself is told before 180 other files, and Enter alone approves nothing", async () => {
    const { type, see, place } = await chatWith(
      { "f009.txt": "before\n" },
      calling(["run_code", { language: "bash", code: manyFiles }]),
    );
    const asked = await see(/Allow apply_held_changes\?[\s\S]*\(n\)/);
    expect(asked).toContain("! creates .envrc, which runs when you enter this folder");
    expect(asked).toContain("! creates .husky/pre-commit, which runs when you commit or push");
    expect(asked).toMatch(/creates 181 files: 179 \.txt/);
    expect(asked).toMatch(/changes 1 file: 1 \.txt/);
    expect(asked).not.toContain("●  Yes");
    expect(asked).not.toMatch(/● Yes/);
    type("Enter", "Enter");
    type("v");
    await see(/lines 1–23 of \d+/);
    type("End");
    await see(/create f180\.txt[\s\S]*\+text/);
    type("q");
    await see(/Allow apply_held_changes\?[\s\S]*\(n\)/);
    expect(existsSync(join(place.root, ".envrc"))).toBe(false);
    type("y");
    await see(/Done\.[\s\S]*ask › $/m);
    expect(place.read(".envrc")).toBe("touch x\n");
  });

  test("an edit of 3,000 lines has true counts, and all of it can be looked at", async () => {
    const lines = (word: (at: number) => string) =>
      Array.from({ length: 6_000 }, (_, at) => `${word(at)} ${at}\n`).join("");
    const { type, see } = await chatWith(
      { "long.txt": lines(() => "line") },
      calling([
        "run_code",
        {
          language: "bash",
          code: "awk 'NR % 2 { print \"other \" NR - 1; next } { print }' long.txt > n; mv n long.txt",
        },
      ]),
    );
    expect(await see(/Allow apply_held_changes\?[\s\S]*\(n\)/)).toMatch(
      /modify long\.txt {2}\+3000 −3000[\s\S]*… [\d,]+ more lines, v to view/,
    );
    type("v");
    await see(/lines 1–23 of \d+/);
    type("End");
    await see(/\+other 5998/);
    type("q");
    await see(/Allow apply_held_changes\?[\s\S]*\(n\)/);
    type("y");
    await see(/long\.txt.*\+3000 −3000[\s\S]*Done\.[\s\S]*ask › $/m);
  });

  test("a yes to all includes none that needs care, and what a rule covers is read in full before it is saved", async () => {
    const create = (path: string): [string, object] => [
      "create_file",
      { path, content: "text\n", description: "d" },
    ];
    const long = `echo ${"word ".repeat(30)}end`;
    const { type, see, place } = await chatWith(
      {},
      calling(create("a.txt"), create(".envrc"), create("b.txt")),
      calling(["run_code", { language: "bash", code: long, outside: true, why: "needs the machine" }]),
    );
    await see(/Allow create_file\?[\s\S]*Yes, and to the other 1\n[\s\S]*\(n\)/);
    type("Down", "Enter");
    const second = await see(
      /\.envrc[\s\S]*Allow create_file\?[\s\S]*Choose with its letter or ↑ ↓[\s\S]*\(n\)/,
    );
    expect(second).not.toMatch(/● Yes/);
    type("n");
    await see(/Why not\?/);
    type("Enter");
    await see(/Allow run_code\?[\s\S]*Choose with its letter[\s\S]*\(n\)/);
    type("a");
    await see(
      /1\. the command echo word[\s\S]*end, on your machine, outside the sandbox, for this session[\s\S]*Do not ask again/,
    );
    type("Escape");
    await see(/back[\s\S]*Allow run_code\?[\s\S]*\(n\)/);
    type("Escape");
    await see(/Done\.[\s\S]*ask › $/m);
    expect(place.read("b.txt")).toBe("text\n");
    expect(existsSync(join(place.root, ".envrc"))).toBe(false);
  });
});
