import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../testing/remove-folder.ts";
import { type TestWield, testWield } from "../../testing/testing.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

/** A program that says which Node it is, and runs scripts with ours. */
function plant(file: string, version: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho v${version}\n`);
  chmodSync(file, 0o755);
}

/** A person with the given Nodes in nvm, fnm, volta, mise and asdf, and one on PATH. */
async function place(files: Record<string, string>, own = "18.0.0"): Promise<TestWield> {
  const home = mkdtempSync(join(tmpdir(), "nodes-"));
  cleanUp.push(() => removeFolder(home));
  plant(join(home, ".nvm/versions/node/v20.11.1/bin/node"), "20.11.1");
  plant(join(home, ".nvm/versions/node/v20.9.0/bin/node"), "20.9.0");
  plant(join(home, ".local/share/fnm/node-versions/v16.20.2/installation/bin/node"), "16.20.2");
  plant(join(home, ".volta/tools/image/node/14.21.3/bin/node"), "14.21.3");
  plant(join(home, ".local/share/mise/installs/node/21.7.3/bin/node"), "21.7.3");
  plant(join(home, ".asdf/installs/nodejs/12.22.12/bin/node"), "12.22.12");
  plant(join(home, "own/bin/node"), own);
  // npm puts the programs of packages on the PATH of what it starts; the Node of a package is nobody's own.
  plant(join(home, "app/node_modules/.bin/node"), "1.0.0");
  const made = await testWield(files, {
    env: {
      HOME: home,
      PATH: `${home}/app/node_modules/.bin:${home}/own/bin:/usr/bin:/bin`,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_STATE_HOME: join(home, "state"),
    },
  });
  cleanUp.push(() => made.close());
  return made;
}

async function nodeIn(made: TestWield): Promise<{ version: string; text: string }> {
  const { result, text } = await made.wield.call("run_code", { language: "bash", code: "node --version" });
  if (!result.ok) throw new Error(text);
  return { version: (result.value as { stdout: string }).stdout.trim(), text };
}

describe.skipIf(!hasBubblewrap)("the Node of a run", () => {
  test.each<[string, Record<string, string>, string]>([
    ["nothing said: the person's own", {}, "v18.0.0"],
    [".nvmrc, the newest of that major", { ".nvmrc": "20\n" }, "v20.11.1"],
    [".nvmrc, exactly", { ".nvmrc": "v20.9.0\n" }, "v20.9.0"],
    [".nvmrc by name", { ".nvmrc": "lts/gallium\n" }, "v16.20.2"],
    [".node-version", { ".node-version": "16\n" }, "v16.20.2"],
    ["volta", { "package.json": '{"volta":{"node":"14.21.3"}}' }, "v14.21.3"],
    [".tool-versions", { ".tool-versions": "python 3.12\nnodejs 12.22.12\n" }, "v12.22.12"],
    ["mise", { "mise.toml": '[tools]\nnode = "21"\n' }, "v21.7.3"],
    ["engines that the person's own fits", { "package.json": '{"engines":{"node":">=16"}}' }, "v18.0.0"],
    ["engines that it does not fit", { "package.json": '{"engines":{"node":"^20 || ^16"}}' }, "v20.11.1"],
    [
      "a pin counts more than engines",
      { ".nvmrc": "14", "package.json": '{"engines":{"node":"20"}}' },
      "v14.21.3",
    ],
  ])("%s", async (_name, files, version) => {
    const { version: actual, text } = await nodeIn(await place(files));
    expect(actual).toBe(version);
    expect(text).not.toMatch(/asks for Node/);
  });

  test("one that is not installed: the person's own, and the result says so", async () => {
    const { version, text } = await nodeIn(await place({ ".nvmrc": "19.1.0\n" }));
    expect(version).toBe("v18.0.0");
    expect(text).toContain(
      ".nvmrc asks for Node 19.1.0, which is not installed here: this ran with Node 18.0.0.",
    );
  });

  test("run_tests decides alike", async () => {
    const made = await place({
      ".nvmrc": "20.9.0",
      "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
    });
    const { result } = await made.wield.call("run_tests", {});
    expect(result.ok && result.value).toMatchObject({ runner: "node:test", output: "v20.9.0\n" });
  });

  test("a version that leads elsewhere is no version", async () => {
    const { version } = await nodeIn(await place({ ".nvmrc": "../../../../../../usr\n" }));
    expect(version).toBe("v18.0.0");
  });
});

describe.skipIf(!hasBubblewrap)("the surroundings of a run", () => {
  test("language, time zone and colours are those outside, and nothing else is carried in", async () => {
    const made = await testWield({});
    cleanUp.push(() => made.close());
    const wield = await made.reopen({
      env: {
        ...made.env,
        LANG: "de_DE.UTF-8",
        TZ: "Asia/Tokyo",
        FORCE_COLOR: "1",
        SECRET: "x",
        LC_TIME: "C",
      },
    });
    const code = 'echo "$LANG $TZ $FORCE_COLOR $LC_TIME [$NO_COLOR$SECRET$CI]"; date +%Z';
    const { result } = await wield.call("run_code", { language: "bash", code });
    expect(result.ok && result.value).toMatchObject({ stdout: "de_DE.UTF-8 Asia/Tokyo 1 C []\nJST\n" });
  });

  test("Rust of the person is found in a folder that has no Cargo.toml yet", async () => {
    const made = await testWield({});
    cleanUp.push(() => made.close());
    const home = made.env["HOME"] ?? "";
    const program = (file: string, script: string) => {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), `#!/bin/sh\n${script}\n`);
      chmodSync(join(home, file), 0o755);
    };
    program(".cargo/bin/cargo", "exit 1");
    program(".cargo/bin/rustc", `echo ${join(home, "rust")}`);
    program("rust/bin/cargo", "echo cargo of the toolchain");
    const wield = await made.reopen({
      env: { ...made.env, PATH: `${join(home, ".cargo/bin")}:/usr/bin:/bin` },
    });
    const { result } = await wield.call("run_code", { language: "bash", code: "cargo init" });
    expect(result.ok && result.value).toMatchObject({ stdout: "cargo of the toolchain\n" });
  });

  test("colour codes reach the value and not the model", async () => {
    const made = await testWield({});
    cleanUp.push(() => made.close());
    const code = String.raw`printf '\033[31mred\033[0m\n'`;
    const { result, text } = await made.wield.call("run_code", { language: "bash", code });
    expect(result.ok && result.value).toMatchObject({ stdout: "\u001B[31mred\u001B[0m\n" });
    expect(text).toMatch(/--- stdout\nred$/);
  });

  test("a program learns who it is, and nobody else", async () => {
    const made = await testWield({});
    cleanUp.push(() => made.close());
    const code = "import pwd, os; print(pwd.getpwuid(os.getuid()).pw_name, len(pwd.getpwall()))";
    const { result } = await made.wield.call("run_code", { language: "python", code });
    expect(result.ok && result.value).toMatchObject({ stdout: "user 1\n" });
  });
});
