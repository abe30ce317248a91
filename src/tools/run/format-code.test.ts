import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { no, scriptedPerson, type TestWield, testWield, yes } from "../../testing/testing.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const modules = resolve(import.meta.dirname, "../../../node_modules/@biomejs");
const open: TestWield[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});
const start = async (...given: Parameters<typeof testWield>) => {
  const made = await testWield(...given);
  open.push(made);
  return made;
};

describe.skipIf(!hasBubblewrap)("format_code", () => {
  const files = {
    "biome.json": "{}\n",
    "a.ts": "const  x = 1",
    "b.ts": "const y = 2;\n",
    "bad.ts": "const = ;",
  };
  const withBiome = async (...given: Parameters<typeof testWield>) => {
    const place = await start(...given);
    const to = join(place.root, "node_modules/@biomejs");
    mkdirSync(dirname(to), { recursive: true });
    cpSync(modules, to, { recursive: true });
    return place;
  };

  test("check lists what is not formatted, asks nobody and changes nothing", async () => {
    const place = await withBiome(files);
    const { result } = await place.wield.call("format_code", { check: true });
    expect(result).toMatchObject({
      ok: true,
      value: { changed: ["a.ts"], problems: [expect.stringMatching(/^biome .*bad\.ts/s)] },
    });
    expect(place.read("a.ts")).toBe("const  x = 1");
    expect((await place.wield.call("format_code", { paths: ["b.ts"], check: true })).text).toBe(
      "All files are formatted.",
    );
  });

  test("Prettier is found in the versions that projects have", async () => {
    for (const program of ["bin/prettier.cjs", "bin-prettier.js"]) {
      // Says what it was asked to do, as a formatter with a problem would.
      const says = "console.error('formats', process.argv.at(-1)); process.exit(1);";
      const place = await start({ "a.ts": "1", [`node_modules/prettier/${program}`]: says });
      const { text } = await place.wield.callAny("format_code", { path: "a.ts", check: true });
      expect(text).toContain("formats");
    }
  });

  test("a person sees the diff; no means no, yes writes it, undo takes it back", async () => {
    const person = scriptedPerson(no, yes, yes);
    const place = await withBiome(files, { asker: person.asker });
    const denied = await place.wield.call("format_code", { paths: ["a.ts"] });
    expect(denied.result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(person.asked[0]?.[0]?.preview?.files).toMatchObject([
      { path: "a.ts", diff: expect.stringContaining("+const x = 1;") },
    ]);
    expect(place.read("a.ts")).toBe("const  x = 1");
    expect((await place.wield.call("format_code", { paths: ["a.ts"] })).result).toMatchObject({
      ok: true,
      value: { changed: ["a.ts"] },
    });
    expect(place.read("a.ts")).toBe("const x = 1;\n");
    await place.wield.call("undo", {});
    expect(place.read("a.ts")).toBe("const  x = 1");
  });

  test("what is written is what was shown, however the formatter behaves the next time", async () => {
    const person = scriptedPerson(yes);
    const command = ["bash", "-c", "date +%s%N > a.ts; echo other > created"];
    const place = await start(
      { "a.ts": "x\n" },
      { asker: person.asker, settings: { execution: { formatCommand: command } } },
    );
    const { result } = await place.wield.call("format_code", {});
    expect(result).toMatchObject({ ok: true, value: { changed: ["a.ts"] } });
    expect(person.asked[0]?.[0]?.preview?.files[0]?.diff).toContain(`+${place.read("a.ts").trim()}`);
    expect(existsSync(join(place.root, "created"))).toBe(false);
  });

  test("paths that the person edited are the ones that are formatted", async () => {
    const person = scriptedPerson({ approved: true, modifiedArgs: { paths: ["b.ts"] } }, yes);
    const place = await start(
      { "a.ts": "x\n", "b.ts": "x\n" },
      {
        asker: person.asker,
        settings: { execution: { formatCommand: ["bash", "-c", 'echo formatted > "$0"'] } },
      },
    );
    const { result } = await place.wield.call("format_code", { paths: ["a.ts"] });
    expect(result).toMatchObject({ ok: true, value: { changed: ["b.ts"] } });
    expect([place.read("a.ts"), place.read("b.ts")]).toEqual(["x\n", "formatted\n"]);
    // The edit reaches another file, so its diff is shown before it is made.
    expect(person.asked.map(([ask]) => ask?.args["paths"])).toEqual([["a.ts"], ["b.ts"]]);
  });

  test("without a formatter it says what would do; a broken one tells why", async () => {
    const none = await (await start({ "a.txt": "" })).wield.call("format_code", { check: true });
    expect(none.text).toMatch(
      /^UNAVAILABLE: No formatter of this workspace fits .*biome, prettier, ruff, black, gofmt, rustfmt/,
    );
    const broken = await start(
      { "a.ts": "" },
      { settings: { execution: { formatCommand: ["bash", "-c", "echo oops >&2; exit 3"] } } },
    );
    expect((await broken.wield.call("format_code", { check: true })).text).toMatch(
      /^EXECUTION_ERROR: bash ended with exit code 3: oops/,
    );
  });

  test("paths outside or missing are refused", async () => {
    const place = await start({ "a.ts": "" });
    expect((await place.wield.call("format_code", { paths: ["../x"], check: true })).text).toMatch(
      /^INVALID_PATH/,
    );
    expect((await place.wield.call("format_code", { paths: ["none.ts"], check: true })).text).toMatch(
      /^FILE_NOT_FOUND/,
    );
  });
});
