import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { commands } from "./commands.ts";
import { localTime } from "./local-time.ts";
import { runCli } from "./run-cli.suite.ts";
import { processIo } from "./terminal.ts";

let place: TestWield;
beforeEach(async () => {
  place = await testWield({ "a.txt": "one\n" });
});
afterEach(() => place.close());
const wield = (...args: string[]) => runCli(place, args);

function settings(file: string, json: unknown): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify(json));
}
const userSettings = () => join(place.env["XDG_CONFIG_HOME"] ?? "", "wield/settings.json");
const workspaceSettings = () => join(place.root, ".wield/settings.json");

describe("help", () => {
  test.each(commands.map((command) => command.name))("wield %s --help has examples", async (name) => {
    const { code, out } = await wield(name, "--help");
    expect(code).toBe(0);
    expect(out).toContain(`wield ${name}`);
    expect(out).toContain("Examples:");
    expect(out).not.toContain("\u001b");
  });

  test("call TOOL --help shows the fields of that tool", async () => {
    const { code, out } = await wield("call", "read_file", "--help");
    expect(code).toBe(0);
    expect(out).toMatch(/startLine \(integer, optional\)[\s\S]*Examples/);
    expect((await wield("call", "--help")).out).toContain("wield call <tool> [json]");
  });

  test("wield --help lists every command", async () => {
    const { out } = await wield("--help");
    for (const { name } of commands) expect(out).toContain(name);
  });

  test("fits a narrow screen, and in a pipe nothing is cut", async () => {
    for (const args of [["--help"], ["ask", "--help"], ["tools", "--help"]]) {
      const { out } = await runCli(place, args, "", { columns: 60 });
      const words = (text: string) => text.split(/\s+/).join(" ");
      expect(words(out)).toBe(words((await wield(...args)).out));
      expect(out.split("\n").filter((line) => line.length > 60)).toEqual([]);
    }
    expect((await wield("tools")).out).not.toContain("…");
  });

  test("a terminal that does not know its size is taken for a wide one", () => {
    const { columns } = process.stdout;
    try {
      process.stdout.columns = 0;
      expect(processIo().columns).toBe(Number.POSITIVE_INFINITY);
    } finally {
      process.stdout.columns = columns;
    }
  });

  test.each([
    [["cal"], "Did you mean call?"],
    [["call", "read_file", "{}", "--jsno"], "Did you mean --json?"],
    [["call"], "Which tool?"],
    [["call", "read_file", "{}", "{}"], "single quotes"],
    [["changes", "--limit", "no"], "whole number"],
    [["help", "cal"], "Did you mean call?"],
    [["stats", "read_file"], 'takes only options, not "read_file"'],
    [["--prot", "0"], "Did you mean --port?"],
    [["../other"], "wield -w ../other"],
  ])("%j is wrong use: told, exit 2", async (args, told) => {
    const { code, err } = await wield(...args);
    expect(code).toBe(2);
    expect(err).toContain(told);
  });
});

describe("call", () => {
  test("prints what a model reads; with --json the envelope", async () => {
    expect(await wield("call", "read_file", '{"path":"a.txt"}')).toEqual({
      code: 0,
      out: "1\tone\n",
      err: "",
    });
    const { out } = await wield("call", "read_file", '{"path":"a.txt"}', "--json");
    expect(JSON.parse(out)).toMatchObject({ ok: true, value: { content: "one\n" } });
  });

  test("reads the input from a pipe", async () => {
    const { out } = await runCli(place, ["call", "read_file"], '{"path":"a.txt"}');
    expect(out).toBe("1\tone\n");
  });

  test("--yes approves what is asked, never what a rule denies", async () => {
    const write = ["call", "write_file", '{"path":"a.txt","content":"two\\n"}', "--yes"];
    settings(userSettings(), { rules: [{ decision: "deny", path: "a.txt" }] });
    const denied = await wield(...write);
    expect([denied.code, place.read("a.txt")]).toEqual([1, "one\n"]);
    expect(denied.out).toContain("APPROVAL_DENIED");
    settings(userSettings(), {});
    expect((await wield(...write)).code).toBe(0);
    expect(place.read("a.txt")).toBe("two\n");
  });

  test("--workspace works in another folder", async () => {
    const there = { root: "/", env: place.env };
    const { out } = await runCli(there, ["call", "read_file", '{"path":"a.txt"}', "--workspace", place.root]);
    expect(out).toBe("1\tone\n");
  });

  test("a folder that does not exist is told", async () => {
    const { code, err } = await wield("call", "git_status", "{}", "--workspace", "nowhere");
    expect(code).toBe(1);
    expect(err).toContain("nowhere");
  });
});

test("a call that is stopped ends as the shell expects", async () => {
  const sleep = ["call", "run_code", '{"language":"bash","code":"sleep 60"}'];
  const { code, out } = await runCli(place, sleep, "", { signal: AbortSignal.abort() });
  expect([code, out]).toEqual([130, expect.stringContaining("ABORTED")]);
});

test("an index that is stopped says so, and is no success", async () => {
  const { code, out, err } = await runCli(place, ["index"], "", { signal: AbortSignal.abort() });
  expect([code, out]).toEqual([130, ""]);
  expect(err).toContain("continue with: wield index");
});

test("times are those of the person's own clock", async () => {
  const before = process.env["TZ"];
  try {
    process.env["TZ"] = "Asia/Tokyo";
    expect(localTime("2026-11-15T20:04:59.000Z")).toBe("2026-11-16 05:04");
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
});

test("changes, undo, redo", async () => {
  await wield("call", "write_file", '{"path":"a.txt","content":"two\\n"}', "--yes");
  const listed = await wield("changes");
  const [id = ""] = listed.out.split(" ");
  expect(listed.out).toContain("write a.txt");
  expect((await wield("changes", id)).out).toContain("1 -one\n1 +two");
  expect((await wield("undo", id.slice(0, 6), "--yes")).code).toBe(0);
  expect(place.read("a.txt")).toBe("one\n");
  expect((await wield("changes")).out).toContain("(undone)");
  await wield("redo", "--yes");
  expect(place.read("a.txt")).toBe("two\n");
  const alone = await wield("undo");
  expect(alone.out).toMatch(/^undo needs a person's approval/);
  expect(alone.err).toContain("run this in a terminal without piped input, or add --yes");
  expect((await wield("changes", "no-such-id")).code).toBe(1);
});

test("stats count what was called", async () => {
  expect((await wield("stats")).out).toContain("No calls yet");
  await wield("call", "read_file", '{"path":"a.txt"}');
  await wield("call", "read_file", '{"path":"missing"}');
  const [row] = JSON.parse((await wield("stats", "--json")).out);
  expect(row).toMatchObject({
    tool: "read_file",
    calls: 2,
    failures: 1,
    failuresByCode: { FILE_NOT_FOUND: 1 },
  });
  expect((await wield("stats")).out).toContain("read_file");
});

test("tools: all, by words, one in full, none", async () => {
  expect((await wield("tools")).out).toContain("Editing");
  expect((await wield("tools", "git")).out).toContain("git_push");
  expect((await wield("tools", "read_file")).out).toContain("startLine (integer, optional)");
  expect((await wield("tools", "zzz")).code).toBe(1);
});

describe("settings and trust", () => {
  const write = ["call", "write_file", '{"path":"a.txt","content":"two\\n"}'];

  test("workspace rules loosen only once the folder is trusted, and no longer when they change", async () => {
    settings(workspaceSettings(), { rules: [{ decision: "allow", tool: "write_file" }] });
    expect((await wield(...write)).out).toContain("APPROVAL_REQUIRED");
    expect((await wield("trust", "--status")).out).toBe("not trusted\n");
    expect((await wield("trust")).code).toBe(1);
    expect((await wield("trust", "--yes")).out).toContain(".wield/settings.json");
    expect((await wield(...write)).code).toBe(0);
    place.write("a.txt", "three\n");
    settings(workspaceSettings(), { rules: [{ decision: "allow" }] });
    expect((await wield(...write)).out).toContain("APPROVAL_REQUIRED");
    await wield("trust", "--yes");
    await wield("trust", "--revoke");
    expect((await wield(...write)).out).toContain("APPROVAL_REQUIRED");
  });

  test("a file under .wield ends the trust, too", async () => {
    await wield("trust", "--yes");
    expect((await wield("trust", "--status")).code).toBe(0);
    place.write(".wield/tools/evil.ts", "");
    expect((await wield("trust", "--status")).code).toBe(1);
  });

  test("changed notes are asked for alone: the rest stays trusted", async () => {
    settings(workspaceSettings(), { rules: [{ decision: "allow", tool: "write_file" }] });
    place.write("AGENTS.md", "Use tabs.\n");
    expect((await wield("trust", "--yes")).out).toMatch(/AGENTS\.md\n.*\.wield\/settings\.json/);
    place.write("AGENTS.md", "Use spaces.\n");
    expect((await wield(...write)).code).toBe(0);
    expect((await wield("trust", "--status")).out).toBe(
      "trusted, except for AGENTS.md, which changed or came later\n",
    );
    const { out } = await wield("trust", "--yes");
    expect(out).toContain("The folder is trusted, but AGENTS.md changed or came later.");
    expect(out).not.toContain("settings.json");
    expect((await wield("trust", "--status")).out).toBe("trusted\n");
    expect((await wield("trust")).out).toContain("is trusted");
  });

  test("a trust file of another shape trusts nothing", async () => {
    place.writeConfig("trust.json", JSON.stringify({ [place.root]: "abc" }));
    expect((await wield("trust", "--status")).out).toBe("not trusted\n");
  });

  test.each(["the folder", "a folder in it", "a file"])(
    "nothing is trusted that a link leads to: %s",
    async (what) => {
      const rules = '{"rules": [{"decision": "allow", "tool": "write_file"}]}';
      place.write("conf/settings.json", rules);
      if (what === "the folder") symlinkSync("conf", join(place.root, ".wield"));
      else {
        mkdirSync(join(place.root, ".wield"));
        if (what === "a file") symlinkSync("../conf/settings.json", join(place.root, ".wield/settings.json"));
        else symlinkSync("../conf", join(place.root, ".wield/tools"));
      }
      const { code, err } = await wield("trust", "--yes");
      expect([code, err]).toEqual([1, expect.stringContaining("leads elsewhere")]);
      expect((await wield("trust", "--status")).out).toBe("not trusted\n");
    },
  );

  test("workspace rules tighten at once", async () => {
    settings(workspaceSettings(), {
      rules: [{ decision: "deny", path: "a.txt" }],
      tools: { off: ["git_push"] },
    });
    expect((await wield(...write, "--yes")).out).toContain("APPROVAL_DENIED");
    expect((await wield("call", "git_push", "{}")).out).toContain("TOOL_DISABLED");
  });

  test.each([
    ["broken JSON", "{", "not valid JSON"],
    ["an unknown key", '{"rule": []}', "Unrecognized key"],
    ["a rule with a wrong decision", '{"rules": [{"decision": "maybe"}]}', "allow"],
  ])("%s: refused, with the file named", async (_name, text, told) => {
    mkdirSync(join(place.root, ".wield"), { recursive: true });
    writeFileSync(workspaceSettings(), text);
    const { code, err } = await wield("call", "read_file", '{"path":"a.txt"}');
    expect(code).toBe(1);
    expect(err).toContain(".wield/settings.json");
    expect(err).toContain(told);
  });

  test("check-policy tests the rules against their examples", async () => {
    const rule = {
      decision: "deny",
      path: "secret/**",
      match: [{ tool: "read_file", path: "secret/key" }],
      notMatch: [{ tool: "read_file", path: "public" }],
    };
    settings(userSettings(), { rules: [rule] });
    expect((await wield("check-policy")).code).toBe(0);
    settings(userSettings(), { rules: [{ ...rule, path: "*.key" }] });
    const { code, out } = await wield("check-policy");
    expect(code).toBe(1);
    expect(out).toContain("should match");
  });
});

test("the console in a pipe takes one call a line", async () => {
  const { code, out } = await runCli(
    place,
    ["console"],
    'read_file {"path":"a.txt"}\nfind_files {"pattern":"*.txt"}\n',
  );
  expect([code, out]).toEqual([0, "1\tone\na.txt\n"]);
  expect((await runCli(place, ["console"], "")).err).toContain("needs a terminal");
});

test("an ask that a process left open is listed and answered", async () => {
  const asked = Promise.withResolvers<void>();
  const dying = await place.reopen({
    asker: () => {
      asked.resolve();
      return new Promise(() => undefined);
    },
  });
  dying.call("write_file", { path: "a.txt", content: "two\n" }).catch(() => undefined);
  await asked.promise;
  const [id = ""] = (await wield("approvals")).out.split(" ");
  expect(JSON.parse((await wield("approvals", "--json")).out)).toMatchObject([{ id, tool: "write_file" }]);
  expect((await wield("approvals", "approve", id)).code).toBe(0);
  expect(place.read("a.txt")).toBe("two\n");
  expect((await wield("approvals")).out).toContain("No approval requests are pending");
});

describe("bin/wield", () => {
  const bin = resolve(import.meta.dirname, "../../bin/wield");
  const run = promisify(execFile);

  test("runs from any directory, through a link, on the right Node", async () => {
    const link = join(place.root, "wield-link");
    symlinkSync(bin, link);
    const { stdout } = await run(link, ["call", "read_file", '{"path":"a.txt"}'], {
      cwd: place.root,
      env: { ...place.env, PATH: "/usr/bin:/bin" },
    });
    expect(stdout).toBe("1\tone\n");
  });

  test("ends with the code of the call", async () => {
    const failing = run(bin, ["call", "read_file", '{"path":"missing"}', "--json"], {
      cwd: place.root,
      env: place.env,
    });
    await expect(failing).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining("FILE_NOT_FOUND"),
    });
    expect(existsSync(join(place.root, "missing"))).toBe(false);
  });

  // acp opens the folders that an editor names, and answers there; the commands of a team have a database and no folder.
  const withoutFolder = ["help", "console", "acp", "migrate", "users", "projects", "secrets"];
  test.each(commands.map(({ name }) => name).filter((name) => !withoutFolder.includes(name)))(
    "%s ends when the folder's settings cannot be read",
    async (name) => {
      place.write(".wield/settings.json", "{");
      const args: Record<string, string[]> = {
        call: ["read_file", '{"path":"a.txt"}'],
        completion: ["names", "session"],
        ...Object.fromEntries(["ask", "explore", "research"].map((asking) => [asking, ["hello"]])),
      };
      const failing = run(bin, [name, ...(args[name] ?? [])], { cwd: place.root, env: place.env });
      failing.child.stdin?.end();
      await expect(failing).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("settings") });
    },
  );
});
