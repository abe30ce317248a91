import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";

const canRun = ["/usr/bin/bwrap", "/usr/bin/python3"].every((file) => existsSync(file));
let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

/** A Python that a version manager installed: the system's, which says by a variable how it was started. */
function installPython(home: string, version: string): string {
  const prefix = join(home, ".pyenv/versions", version);
  for (const name of ["python3", "pytest"]) {
    const file = join(prefix, "bin", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/bash\nMANAGED=${version} exec /usr/bin/python3 "$@"\n`);
    chmodSync(file, 0o755);
  }
  return prefix;
}

/** What pyenv puts on PATH: a program that starts the version it was set to. */
function launcher(home: string): string {
  const file = join(home, ".pyenv/shims/python3");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho ${join(home, ".pyenv/versions/3.98.7")}\n`);
  chmodSync(file, 0o755);
  return dirname(file);
}

const askPython = "import os; print(os.environ.get('MANAGED', 'system'))";

/** Which Python runs code, and which one a shell finds. */
async function started(
  files: Record<string, string>,
  versions: readonly string[] = ["3.98.1", "3.98.7", "3.99.0"],
  onPath?: (home: string) => string,
) {
  place = await testWield(files);
  const home = place.env["HOME"] ?? "";
  for (const version of versions) installPython(home, version);
  const path = onPath ? `${onPath(home)}:/usr/bin:/bin` : "/usr/bin:/bin";
  const wield = await place.reopen({ env: { ...place.env, PATH: path } });
  const run = async (language: "python" | "bash", code: string) =>
    (await wield.call("run_code", { language, code })).text;
  return [await run("python", askPython), await run("bash", `python3 -c "${askPython}"`)];
}

describe.skipIf(!canRun)("the Python of a run", { timeout: 60_000 }, () => {
  test.each([
    [".python-version", "3.98\n", "3.98.7"],
    [".python-version", "3.98.1\n", "3.98.1"],
    [".tool-versions", "nodejs 20.1.0\npython 3.99.0\n", "3.99.0"],
    ["mise.toml", '[tools]\npython = "3.98"\n', "3.98.7"],
  ])("%s chooses among those that are installed", async (name, content, version) => {
    for (const text of await started({ [name]: content })) expect(text).toContain(`\n${version}`);
  });

  test("a virtual environment runs with the Python that it was made with, whatever else is asked for", async () => {
    const venv = "home = /elsewhere/bin\nversion = 3.98.2\n";
    const texts = await started({ ".venv/pyvenv.cfg": venv, ".python-version": "3.99.0\n" });
    for (const text of texts) expect(text).toContain("\n3.98.7");
  });

  test("one that is not installed is said, and the system's is used", async () => {
    const [python] = await started({ ".python-version": "3.97.2\n" });
    expect(python).toMatch(
      /\.python-version asks for Python 3\.97\.2, which is not installed here: this ran with Python 3\./,
    );
    expect(python).toContain("\nsystem");
  });

  test.each([
    ["its own folder", (home: string) => join(home, ".pyenv/versions/3.98.7/bin")],
    ["a launcher", launcher],
  ])("nothing is asked for: the person's own, found by %s", async (_, onPath) => {
    for (const text of await started({}, undefined, onPath)) expect(text).toContain("\n3.98.7");
    await place?.close();
    for (const text of await started({ ".python-version": "3.99\n" }, undefined, onPath))
      expect(text).toContain("\n3.99.0");
  });

  test("a program on PATH that no version manager installed is not shown inside", async () => {
    const [python] = await started({}, ["3.98.7"], (home) => {
      const file = join(home, "own/bin/python3");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "#!/bin/sh\necho other\n");
      chmodSync(file, 0o755);
      return dirname(file);
    });
    expect(python).toContain("\nsystem");
  });

  test("a file of the workspace names no program", async () => {
    const venv = "home = /ws/evil/bin\nversion = 3.96.1\n";
    const [python] = await started({
      ".venv/pyvenv.cfg": venv,
      "evil/bin/python3": "#!/bin/bash\necho evil\n",
    });
    expect(python).toContain("\nsystem");
  });
});
