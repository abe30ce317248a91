import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { scriptedPerson, type TestWield, testWield, yes } from "../../testing/testing.ts";
import { FolderCache } from "../../workspace/folder-cache.ts";
import { executeCode } from "./execute-code.ts";
import { installPackage } from "./install-package.ts";
import { executionWith, PackageIndex } from "./package-index.suite.ts";
import { runCode } from "./run-code.ts";

const canRun = existsSync("/usr/bin/bwrap") && existsSync("/usr/bin/pip3");
let index: PackageIndex;
const open: TestWield[] = [];
beforeAll(async () => {
  index = await PackageIndex.start();
});
afterAll(() => index[Symbol.dispose]());
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});

/** Wield with the tools under test, connected to the registry of the test. */
async function start(files: Record<string, string> = {}, ...answers: (typeof yes)[]) {
  return startWith({}, files, ...answers);
}

async function startWith(
  { packageBytes = 1_000_000 },
  files: Record<string, string> = {},
  ...answers: (typeof yes)[]
) {
  const person = scriptedPerson(...answers);
  const packages = () => new FolderCache(join(place.root, "../cache"), packageBytes);
  const execution = executionWith(index, packages);
  const customTools = [installPackage(execution), executeCode(execution), runCode(execution)];
  const place = await testWield(files, { tools: ["undo"], customTools, asker: person.asker });
  open.push(place);
  return { place, person };
}
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever value the tool gave
async function value(place: TestWield, tool: string, input: unknown): Promise<any> {
  const { result, text } = await place.wield.callAny(tool, input);
  if (!result.ok) throw new Error(text);
  return result.value;
}

describe.skipIf(!canRun)(
  `install_package${canRun ? "" : " (skipped: bubblewrap or pip is not installed)"}`,
  () => {
    test("npm: asks, fetches from the registry alone, runs no scripts, and can be undone", async () => {
      const { place, person } = await start({ "package.json": '{"name":"x"}\n' }, yes, yes);
      const done = await value(place, "install_package", {
        manager: "npm",
        packages: ["tiny-thing"],
        dev: true,
      });
      expect(done).toMatchObject({ installed: [{ name: "tiny-thing", version: "1.2.3" }], refused: [] });
      expect(person.asked[0]?.[0]).toMatchObject({
        tool: "install_package",
        preview: {
          summary: "npm install --save-dev tiny-thing",
          notes: ["Reaches npm.test and nothing else.", "Install scripts are not run."],
        },
      });
      expect(JSON.parse(place.read("package.json")).devDependencies).toEqual({ "tiny-thing": "^1.2.3" });
      expect(place.read("node_modules/tiny-thing/index.js")).toContain("tiny");
      expect(existsSync(join(place.root, "node_modules/.bin/tiny-thing"))).toBe(true);
      expect(existsSync(join(place.root, "ran"))).toBe(false);
      await value(place, "undo", {});
      expect(place.read("package.json")).toBe('{"name":"x"}\n');
      expect(existsSync(join(place.root, "node_modules"))).toBe(false);
    });

    test("npm without names: what package.json asks for", async () => {
      const manifest = '{"name":"x","dependencies":{"tiny-thing":"^1.0.0"}}\n';
      const { place, person } = await start({ "package.json": manifest }, yes);
      const { text } = await place.wield.callAny("install_package", { manager: "npm", packages: [] });
      expect(text).toMatch(/^Installed what package\.json asks for\.\nundo: change/);
      expect(person.asked[0]?.[0]?.preview?.summary).toBe("npm install");
      expect(place.read("package.json")).toBe(manifest);
      expect(place.read("node_modules/tiny-thing/index.js")).toContain("tiny");
      const pip = await place.wield.callAny("install_package", { manager: "pip", packages: [] });
      expect(pip.text).toMatch(/INVALID_INPUT[\s\S]*pip needs the names of packages/);
    });

    test("pip: into the workspace, where code finds it", async () => {
      const { place } = await start({}, yes);
      const done = await value(place, "install_package", { manager: "pip", packages: ["tiny-snake==0.5"] });
      expect(done.installed).toEqual([{ name: "tiny-snake", version: "0.5" }]);
      const run = await value(place, "run_code", {
        language: "python",
        code: "import tiny_snake; print(tiny_snake.word)",
      });
      expect(run.stdout).toBe("hiss\n");
    });

    test("a package that does not exist is a failure that says so, and changes nothing", async () => {
      const { place } = await start({}, yes, yes);
      for (const manager of ["npm", "pip"]) {
        const { text } = await place.wield.callAny("install_package", {
          manager,
          packages: ["no-such-thing"],
        });
        expect(text).toMatch(
          /^EXECUTION_ERROR: The installation failed; nothing was changed:\n(.|\n)*no-such-thing/,
        );
      }
      expect(existsSync(join(place.root, "node_modules"))).toBe(false);
    });

    test.each([
      ["npm", "--ignore-scripts=false"],
      ["npm", "git+https://evil.test/x"],
      ["npm", "../outside"],
      ["npm", "file:/etc"],
      ["pip", "--index-url=http://evil.test"],
      ["pip", "./local"],
      ["pip", "https://evil.test/x.whl"],
      ["pip", "a; rm -rf /"],
    ])("%s %s is no package", async (manager, name) => {
      const { place } = await start();
      const { result, text } = await place.wield.callAny("install_package", { manager, packages: [name] });
      expect(result).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
      expect(text).toMatch(/a package name such as/);
    });
  },
);

describe.skipIf(!canRun)("executeCode", () => {
  test("gives output, files by kind and images by their bytes", async () => {
    const { place } = await start({ "data.csv": "a,b\n1,2\n" });
    const code = `
import base64, os
print(open("/ws/data.csv").read().splitlines()[1], os.getcwd())
open("table.csv", "w").write("x\\n")
open("notes.png", "w").write("not a picture")
open("picture.dat", "wb").write(base64.b64decode("${png.toString("base64")}"))
open("doc.bin", "wb").write(b"%PDF-1.7 ...")
os.mkdir("sub"); open("sub/x.unknown", "w").write("?")
os.symlink("/etc/passwd", "link")
`;
    const outcome = await place.wield.call("executeCode", { code });
    if (!outcome.result.ok) throw new Error(outcome.text);
    const done = outcome.result.value as Awaited<ReturnType<typeof value>>;
    expect(done).toMatchObject({ stdout: "1,2 /out\n", stderr: "", exitCode: 0, omitted: [] });
    expect(done.images).toEqual([
      { name: "picture.dat", mediaType: "image/png", base64: png.toString("base64") },
    ]);
    expect(
      Object.fromEntries(
        done.files.map((file: { name: string; mediaType: string }) => [file.name, file.mediaType]),
      ),
    ).toEqual({
      "table.csv": "text/csv",
      "notes.png": "application/octet-stream",
      "doc.bin": "application/pdf",
      "sub/x.unknown": "application/octet-stream",
    });
    expect(outcome.images).toEqual([{ mediaType: "image/png", base64: png.toString("base64") }]);
    expect(outcome.text).toContain("image picture.dat (image/png)");
  });

  test("errors show the line of the code; the workspace is not changed", async () => {
    const { place } = await start();
    const done = await value(place, "executeCode", {
      code: "x = 1\nopen('/ws/new', 'w')\nraise ValueError('here')",
    });
    expect(done.stderr).toMatch(/line 3, in <module>\n\s+raise ValueError\('here'\)/);
    expect([done.exitCode, existsSync(join(place.root, "new"))]).toEqual([1, false]);
  });

  test("what is too large is named, not handed over; pictures have caps of their own", async () => {
    const { place } = await start();
    const huge = Buffer.from(png);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    const code = `
import base64
open("a.bin", "wb").write(b"x" * 21_000_000)
open("huge.png", "wb").write(base64.b64decode("${huge.toString("base64")}"))
for n in range(12): open("p%02d.png" % n, "wb").write(base64.b64decode("${png.toString("base64")}"))
`;
    const done = await value(place, "executeCode", { code });
    expect(done.omitted).toEqual(["a.bin (21000000 bytes)"]);
    expect(done.images).toHaveLength(10);
    expect(done.files.map(({ name }: { name: string }) => name)).toContain("huge.png");
  });

  const hasMatplotlib = existsSync("/usr/lib/python3/dist-packages/matplotlib");
  test.skipIf(!hasMatplotlib)("plots that are shown come back as pictures", async () => {
    const { place } = await start();
    const code = `
import matplotlib.pyplot as plt
for _ in range(2):
    plt.figure()
    plt.plot([1, 3, 2])
plt.show()
plt.plot([1])
plt.show()`;
    const { images, stderr } = await value(place, "executeCode", { code });
    expect(stderr).toBe("");
    expect(images.map(({ name }: { name: string }) => name)).toEqual([
      "chart-1.png",
      "chart-2.png",
      "chart-3.png",
    ]);
  });

  test("packages: a person is asked, they are fetched once, and the run itself is offline", async () => {
    const { place, person } = await start({}, yes, yes);
    const before = index.asked.filter((url) => url.endsWith(".whl")).length;
    const code =
      "import tiny_snake\nprint(tiny_snake.word)\nimport urllib.request\ntry:\n    urllib.request.urlopen('http://pip.test/simple', timeout=60)\nexcept OSError:\n    print('offline')";
    for (let n = 0; n < 2; n++) {
      expect((await value(place, "executeCode", { code, installPackages: ["tiny-snake"] })).stdout).toBe(
        "hiss\noffline\n",
      );
    }
    expect(person.asked).toHaveLength(2);
    expect(index.asked.filter((url) => url.endsWith(".whl")).length - before).toBe(1);
  });

  test("packages that are more than may be kept serve their run and go", async () => {
    const { place } = await startWith({ packageBytes: 0 }, {}, yes);
    const code = "import tiny_snake\nprint(tiny_snake.word)";
    expect((await value(place, "executeCode", { code, installPackages: ["tiny-snake"] })).stdout).toBe(
      "hiss\n",
    );
    expect(readdirSync(join(place.root, "../cache"))).toEqual(["lock.db"]);
  });
});

/** One white pixel. */
const png = (() => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, body, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    start,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from([0, 255]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
})();
