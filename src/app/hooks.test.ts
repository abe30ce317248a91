import { afterEach, describe, expect, test } from "vitest";
import { scriptedModel, type TestWield, testWield } from "../testing/testing.ts";

let opened: TestWield | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const writing = (path: string) =>
  scriptedModel([{ calls: [{ tool: "write_file", input: { path, content: "text" } }] }, { say: "done" }]);

const hooks = {
  beforeCall: [
    { command: "grep -q secret && { echo 'not this file' >&2; exit 2; } || exit 0", tools: ["write_*"] },
  ],
  afterCall: [{ command: "echo 'run the linter'; exit 1", tools: ["write_file"] }],
  endOfRun: [{ command: "cat > ../ended.json" }],
};

describe("hooks", () => {
  test.each(["auto", "edits"] as const)(
    "a file that a hook runs is asked about, in mode %s too",
    async (mode) => {
      opened = await testWield();
      const named = { afterCall: [{ command: "sh ./scripts/lint.sh --all", tools: ["*"] }] };
      opened.writeConfig("settings.json", JSON.stringify({ hooks: named }));
      const wield = await opened.reopen({ mode });
      const write = (path: string) => wield.call("write_file", { path, content: "exit 0", createDirs: true });
      expect((await write("scripts/lint.sh")).result).toMatchObject({
        error: { code: "APPROVAL_REQUIRED" },
      });
      expect((await write("scripts/other.sh")).result.ok).toBe(true);
    },
  );

  test("a folder's hook does not run once a file of what was trusted has changed", async () => {
    opened = await testWield({
      ".wield/settings.json": JSON.stringify({
        hooks: { afterCall: [{ command: "sh .wield/check.sh", tools: ["*"] }] },
      }),
      ".wield/check.sh": "echo one >> ../ran",
      "a.txt": "a",
    });
    await opened.trust();
    const wield = await opened.reopen();
    await wield.call("read_file", { path: "a.txt" });
    opened.write(".wield/check.sh", "echo two >> ../ran");
    await wield.call("read_file", { path: "a.txt" });
    expect(opened.read("../ran")).toBe("one\n");
  });

  test("a command before a call may refuse it, one after a call is told to the model, one at the end knows how it ended", async () => {
    opened = await testWield();
    opened.writeConfig("settings.json", JSON.stringify({ hooks }));
    const wield = await opened.reopen();
    const refused = writing("secret.txt");
    await (await wield.agent({ model: refused })).send("write");
    expect(JSON.stringify(refused.requests[1]?.prompt)).toContain(
      "A hook in the person's settings refused this call: not this file",
    );
    expect(() => opened?.read("secret.txt")).toThrow();
    const told = writing("fine.txt");
    const agent = await wield.agent({ model: told });
    await agent.send("write");
    expect(opened.read("fine.txt")).toBe("text");
    expect(JSON.stringify(told.requests[1]?.prompt)).toContain(
      "A hook in the person's settings says: run the linter",
    );
    // What the person does themselves is not checked by their own hooks.
    const own = await wield.call("write_file", { path: "secret2.txt", content: "x" }, { byPerson: true });
    expect(own.result.ok).toBe(true);
    await wield.close();
    expect(JSON.parse(opened.read("../ended.json"))).toMatchObject({
      event: "endOfRun",
      session: agent.session,
      stop: "done",
    });
  });

  test("a hook that cannot start or takes too long refuses the call", async () => {
    opened = await testWield();
    const slow = { beforeCall: [{ command: "exec sleep 60", seconds: 0.2 }] };
    opened.writeConfig("settings.json", JSON.stringify({ hooks: slow }));
    const wield = await opened.reopen();
    const { result } = await wield.call("write_file", { path: "a.txt", content: "x" });
    expect(result).toMatchObject({ ok: false, error: { code: "PERMISSION_DENIED" } });
    expect(JSON.stringify(result)).toContain("took longer than 0.2 seconds");
  });

  test("hooks of a folder run only while it is trusted", async () => {
    const settings = JSON.stringify({ hooks: { beforeCall: [{ command: "exit 1" }] } });
    opened = await testWield({ ".wield/settings.json": settings });
    const untrusted = await opened.wield.call("write_file", { path: "a.txt", content: "x" });
    expect(untrusted.result.ok).toBe(true);
    await opened.trust();
    const trusted = await opened.reopen();
    const { result } = await trusted.call("write_file", { path: "b.txt", content: "x" });
    expect(result.ok).toBe(false);
  });
});
