import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";

/** A whole tool file; `body` is what its execute does. */
function source(name: string, body: string, more = ""): string {
  return `import { defineTool } from "wield";
import { z } from "zod";

export default defineTool({
  name: ${JSON.stringify(name)},
  title: "Mine",
  description: "Turn a text into gold.",
  category: "Mine",
  input: z.object({ text: z.string().min(2) }),
  output: z.object({ out: z.string() }),
  ${more}
  execute: async ({ text }: { text: string }, context) => { ${body} },
  render: ({ out }) => "says " + out,
});
`;
}

let place: TestWield;
let wield: TestWield["wield"];
beforeEach(async () => {
  place = await testWield({ "a.txt": "alpha\n" });
  wield = place.wield;
});
afterEach(() => place.close());

function userTool(file: string, text: string): string {
  return place.writeConfig(`tools/${file}`, text);
}

describe("a tool file of the user", () => {
  test("is a tool like any other: found, called, checked, rendered", async () => {
    userTool("gold.ts", source("gold", "return { out: text.toUpperCase() };"));
    const { result, text } = await wield.callAny("gold", { text: "lead" });
    expect(result).toEqual({ ok: true, value: { out: "LEAD" } });
    expect(text).toBe("says LEAD");
    expect(wield.tools.discovery.search("turn into gold").map((tool) => tool.name)).toEqual(["gold"]);
    expect((await wield.callAny("gold", { text: "x" })).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
    expect(wield.tools.problems()).toEqual([]);
  });

  test("is loaded anew when it is saved, and gone when it is removed", async () => {
    const path = userTool("gold.ts", source("gold", 'return { out: "one" };'));
    expect((await wield.callAny("gold", { text: "xx" })).text).toBe("says one");
    writeFileSync(path, source("gold", 'return { out: "the second" };'));
    expect((await wield.callAny("gold", { text: "xx" })).text).toBe("says the second");
    rmSync(path);
    expect((await wield.callAny("gold", { text: "xx" })).result).toMatchObject({
      error: { code: "UNKNOWN_TOOL" },
    });
  });

  test("uses the workspace through its context, within the jail and with approval", async () => {
    const person = scriptedPerson(yes);
    const asking = await place.reopen({ asker: person.asker });
    userTool(
      "copy.ts",
      source(
        "copy",
        `const { bytes } = await context.workspace.read(text);
         await context.workspace.apply([{ op: "write", path: "b.txt", bytes }], { callId: context.callId, tool: "copy", description: "copy" });
         context.progress("copied");
         return { out: bytes.toString() };`,
        'can: ["write"], effects: () => [{ kind: "write", path: "b.txt", replaces: false }],',
      ),
    );
    const outcome = await asking.callAny("copy", { text: "a.txt" });
    expect(outcome.result.ok).toBe(true);
    expect(place.read("b.txt")).toBe("alpha\n");
    expect(person.asked.flat().map((ask) => ask.tool)).toEqual(["copy"]);
    expect(outcome.details.changes).toHaveLength(1);
    const outside = await asking.callAny("copy", { text: "../../etc/passwd" });
    expect(outside.result.ok).toBe(false);
  });

  test("is told what the rules hide, also in the middle of a filter", async () => {
    userTool(
      "gold.ts",
      source("gold", 'return { out: JSON.stringify(["a.txt", "b"].filter((p) => context.mayRead(p))) };'),
    );
    const denying = await place.reopen({ settings: { rules: [{ decision: "deny", path: "a.txt" }] } });
    expect((await denying.callAny("gold", { text: "xx" })).result).toEqual({
      ok: true,
      value: { out: '["b"]' },
    });
  });

  test("that throws fails its call, with file and line", async () => {
    const path = userTool("bad.ts", source("bad", '\nthrow new Error("no lead left");'));
    const { result } = await wield.callAny("bad", { text: "xx" });
    expect(result).toMatchObject({ ok: false, error: { code: "EXECUTION_ERROR" } });
    expect(result.ok ? "" : result.error.message).toBe(`${path}:13: Error: no lead left`);
  });

  test("whose thread died has one new thread, however many calls come at once", async () => {
    const body = 'if (text === "die") process.exit(); return { out: text };';
    const log = join(place.root, "../loads");
    const onLoad = `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(log)}, "x");`;
    userTool("mortal.ts", `${source("mortal", body)}\n${onLoad}\n`);
    expect((await wield.callAny("mortal", { text: "one" })).text).toBe("says one");
    const before = readFileSync(log, "utf8").length;
    expect((await wield.callAny("mortal", { text: "die" })).result).toMatchObject({ ok: false });
    const texts = await Promise.all(
      ["aa", "bb", "cc", "dd"].map(async (text) => (await wield.callAny("mortal", { text })).text),
    );
    expect(texts).toEqual(["says aa", "says bb", "says cc", "says dd"]);
    expect(readFileSync(log, "utf8").length - before).toBe(1);
  });

  test("that never ends is stopped with its thread, and works again afterwards", async () => {
    userTool(
      "loop.ts",
      source("loop", 'if (text === "loop") for (;;); return { out: text };', "timeoutMs: 400,"),
    );
    const { result } = await wield.callAny("loop", { text: "loop" });
    expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
    await expect
      .poll(async () => (await wield.callAny("loop", { text: "fine" })).text, { timeout: 60_000 })
      .toBe("says fine");
  });
});

describe("a file that is no tool is told with file and line, and the rest works", () => {
  test.each([
    ["a syntax error", "export default {\n  name: 'x',\n  oops oops\n};\n", /broken\.ts:3.*SyntaxError/s],
    [
      "a type error",
      source("x", "return { out: text };").replace('"Mine",\n', "null as never,\n"),
      /broken\.ts.*title/s,
    ],
    [
      "a throw while loading",
      'const a = 1;\nthrow new Error("at load");\nexport default a;\n',
      /broken\.ts:2: Error: at load/,
    ],
    ["no default export", "export const x = 1;\n", /exports its tool as default/],
    ["a bad name", source("has space", "return { out: text };"), /use 1 to 64 letters/],
    ["an unknown import", 'import "no-such-package";\nexport default {};\n', /no-such-package/],
  ])("%s", async (_name, text, expected) => {
    userTool("good.ts", source("good", "return { out: text };"));
    userTool("broken.ts", text);
    expect((await wield.callAny("good", { text: "still" })).text).toBe("says still");
    expect(wield.tools.problems()).toHaveLength(1);
    expect(wield.tools.problems()[0]).toMatch(expected);
  });

  test("a duplicate name, of a built-in tool or of another file", async () => {
    userTool("a.ts", source("read_file", "return { out: text };"));
    userTool("b.ts", source("twice", 'return { out: "b" };'));
    userTool("c.ts", source("twice", 'return { out: "c" };'));
    expect((await wield.callAny("twice", { text: "xx" })).text).toBe("says b");
    expect((await wield.call("read_file", { path: "a.txt" })).text).toContain("alpha");
    expect(wield.tools.problems()).toHaveLength(2);
    expect(wield.tools.problems().join()).toMatch(/read_file.*twice/s);
  });
});

describe.skipIf(!existsSync("/usr/bin/bwrap"))("the types of tool files", () => {
  const mistyped = source("gold", "const weight: number = text;\nreturn { out: text };");

  test("are checked by the compiler of a trusted workspace, told with file and line; the tool works as far as it works", async () => {
    const path = userTool("gold.ts", mistyped);
    userTool("fine.ts", source("fine", "return { out: text };"));
    withCompiler();
    await place.trust();
    expect((await wield.callAny("gold", { text: "lead" })).result.ok).toBe(true);
    expect(wield.tools.problems()).toEqual([]);
    expect(await wield.tools.check()).toEqual([
      `${path}:12: Type 'string' is not assignable to type 'number'.`,
    ]);
  });

  test("that do not fit Wield's own are told as well", async () => {
    const path = userTool("gold.ts", source("gold", "return { out: 1 };"));
    withCompiler();
    await place.trust();
    await wield.tools.refresh();
    expect(await wield.tools.check()).toEqual([
      expect.stringMatching(`^${path}:12: Type .* is not assignable`),
    ]);
  });

  test("are checked where the compiler can do no harm: any code may have changed it", async () => {
    userTool("gold.ts", mistyped);
    const marker = join(place.env["HOME"] ?? "", "ran");
    const harm = `const fs = require("node:fs");
      for (const file of [${JSON.stringify(marker)}, "/ws/ran"]) try { fs.writeFileSync(file, ""); } catch {}
      console.log("/opt/tools/gold.ts(3,1): error TS1: it ran");`;
    place.write("node_modules/typescript/bin/tsc", harm);
    await place.trust();
    await wield.tools.refresh();
    expect((await wield.tools.check()).join()).toContain("gold.ts:3: it ran");
    expect([existsSync(marker), existsSync(join(place.root, "ran"))]).toEqual([false, false]);
  });

  test("are not checked without a compiler, nor by that of a workspace nobody trusts; that is told", async () => {
    userTool("gold.ts", mistyped);
    await wield.tools.refresh();
    expect(await wield.tools.check()).toEqual([expect.stringContaining("were not checked")]);
    place.write("node_modules/typescript/bin/tsc", 'throw new Error("run without trust");');
    expect(await wield.tools.check()).toEqual([expect.stringContaining("were not checked")]);
  });

  function withCompiler(): void {
    mkdirSync(join(place.root, "node_modules"), { recursive: true });
    for (const name of ["typescript", "@typescript", "@types/node", "undici-types"]) {
      const from = join(import.meta.dirname, "../../node_modules", name);
      if (existsSync(from)) cpSync(from, join(place.root, "node_modules", name), { recursive: true });
    }
  }
});

describe("a tool file of the workspace", () => {
  test("is not even loaded before the workspace is trusted, nor after it changed", async () => {
    place.write(".wield/tools/mine.ts", source("mine", 'return { out: "first" };'));
    expect((await wield.callAny("mine", { text: "xx" })).result).toMatchObject({
      error: { code: "UNKNOWN_TOOL" },
    });
    expect(wield.tools.problems().join()).toContain("wield trust");

    await place.trust();
    expect((await wield.callAny("mine", { text: "xx" })).text).toBe("says first");
    expect(wield.tools.problems()).toEqual([]);

    place.write(".wield/tools/mine.ts", source("mine", 'return { out: "sneaky" };'));
    expect((await wield.callAny("mine", { text: "xx" })).result).toMatchObject({
      error: { code: "UNKNOWN_TOOL" },
    });
    await place.trust();
    expect((await wield.callAny("mine", { text: "xx" })).text).toBe("says sneaky");
  });

  test.each(["import", "require"])("does not %s code that no trust covers", async (way) => {
    const using = (helper: string) =>
      way === "import"
        ? `import { out } from "${helper}";\n${source("mine", "return { out };")}`
        : `import { createRequire } from "node:module";\n${source("mine", `return { out: createRequire(import.meta.url)("${helper}").out };`)}`;
    place.write("src/helper.cjs", 'exports.out = "from outside";\n');
    place.write("node_modules/helper/index.cjs", 'exports.out = "from outside";\n');
    place.write("node_modules/helper/package.json", '{"main":"index.cjs"}');
    place.write(".wield/lib/helper.cjs", 'exports.out = "from inside";\n');
    for (const [helper, said] of [
      ["../../src/helper.cjs", "cannot import"],
      ["helper", "cannot import"],
      ["../lib/helper.cjs", "says from inside"],
    ] as const) {
      place.write(".wield/tools/mine.ts", using(helper));
      await place.trust();
      const { text } = await wield.callAny("mine", { text: "xx" });
      expect(`${text} ${wield.tools.problems()}`).toContain(said);
      expect(text).not.toContain("from outside");
    }
  });
});
