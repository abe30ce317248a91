// What a user gets: the tarball, made from a copy of the sources without dist/ and installed into an empty folder.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partsList } from "../../scripts/parts-list.ts";
import { anthropicServer } from "../testing/anthropic-server.ts";
import { removeFolder } from "../testing/remove-folder.ts";

interface LockedPackage {
  integrity?: string;
  link?: boolean;
  os?: string | string[];
  cpu?: string | string[];
}

const home = resolve(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const base = mkdtempSync(join(tmpdir(), "wield-package-"));
const clone = join(base, "clone");
const project = join(base, "project");
const installed = join(project, "node_modules");
const maxMegabytes = 70;
const ownPath = (process.env["PATH"] ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
/** npm and Node without anything of the checkout on the way, and nothing of the person who runs the test. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|.*_API_KEY|INIT_CWD|npm_(?!config_))/.test(name),
    ),
  ),
  PATH: [dirname(process.execPath), ...ownPath].join(":"),
  XDG_CONFIG_HOME: join(base, "config"),
  XDG_STATE_HOME: join(base, "state"),
};
const oldNode = ownPath.map((folder) => join(folder, "node")).find((file) => existsSync(file));
let files: string[] = [];
let tarball = "";

beforeAll(async () => {
  await copySources();
  mkdirSync(project);
  const [packed] = JSON.parse((await npm(clone, "pack", "--json", "--pack-destination", base)).stdout);
  files = packed.files.map(({ path }: { path: string }) => path);
  tarball = join(base, packed.filename);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", type: "module" }));
  await npm(project, "install", "--ignore-scripts", "--prefer-offline", tarball);
}, 600_000);
afterAll(() => removeFolder(base));

describe("the package", () => {
  test("the lock file is complete: npm ci accepts it, and every package for Linux has a hash", async () => {
    const { stdout } = await npm(home, "ci", "--dry-run", "--ignore-scripts");
    expect(stdout).toMatch(/up to date|added|changed|removed/);
    const lock = readFileSync(join(home, "package-lock.json"), "utf8");
    expect(lock).not.toMatch(/"resolved": "http/);
    const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
    // The registry that the lock file was made with may have no packages for other systems.
    const onLinux = Object.entries(packages).filter(
      ([place, { link, os = "linux", cpu = "x64" }]) =>
        place.includes("node_modules/") && !link && os.includes("linux") && /x64|arm64/.test(`${cpu}`),
    );
    expect(onLinux.map(([place]) => place)).toEqual(
      expect.arrayContaining(["x64", "arm64"].map((cpu) => `node_modules/node-linux-${cpu}`)),
    );
    expect(onLinux.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
  });

  test("holds what is needed to run, and no development files", () => {
    const tops = new Set(files.map((file) => file.split("/")[0]));
    expect([...tops].sort()).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "bin", "dist", "package.json"]);
    expect(files.filter((file) => /\.test\.|\.suite\.|\.map$|fixtures/.test(file))).toEqual([]);
    const licences = readFileSync(join(installed, "wield/dist/THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const name of [
      "tree-sitter-wasm",
      "web-tree-sitter",
      "zod",
      "react",
      "scheduler",
      "uplot",
      "@codemirror/view",
    ])
      expect(licences).toMatch(new RegExp(`^${name} \\d\\S* \\(MIT\\)$`, "m"));
    expect(licences).toMatch(/^@fontsource-variable\/inter \d\S* \(OFL-1\.1\)$/m);
    expect(files).toContain("dist/ui/index.html");
  });

  test("its list of parts names what is installed and what is in dist/, and nothing else", () => {
    const { metadata, components, dependencies } = partsList(clone);
    expect(metadata.component).toMatchObject({ "bom-ref": `wield@${version}`, name: "wield" });
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["ai", "zod", "hono", "react", "web-tree-sitter"]));
    expect(names).not.toContain("vitest");
    const known = new Set([metadata.component, ...components].map((part) => part["bom-ref"]));
    const named = dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !known.has(ref))).toEqual([]);
    expect(JSON.stringify(components)).not.toContain("package:development");
  });

  test(`an install takes at most ${maxMegabytes} MB`, () => {
    // As `du -sm` counts: whole blocks, 1,048,576 bytes to the megabyte.
    const megabytes = sizeOf(installed) / 2 ** 20;
    console.log(`installed: ${megabytes.toFixed(1)} MB in ${readdirSync(installed).length} folders`);
    expect(megabytes).toBeLessThanOrEqual(maxMegabytes);
  });
});

describe("the command of an installed package", () => {
  test("npx wield tells the version of package.json", async () => {
    expect((await run(project, "npx", "wield", "--version")).stdout.trim()).toBe(version);
  });

  test("a short command loads little, and compiles nothing large before the compile cache is on", async () => {
    const hook = `import { getCompileCacheDir, registerHooks } from "node:module";
      registerHooks({ load(url, context, next) {
        const loaded = next(url, context);
        const cached = getCompileCacheDir() !== undefined;
        if (url.startsWith("file:")) console.error(JSON.stringify({ name: url.split("/").at(-1), size: loaded.source.length, cached }));
        return loaded;
      } });`;
    const loadedBy = async (
      ...args: string[]
    ): Promise<{ name: string; size: number; cached: boolean }[]> => {
      const flags = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
      const { stderr } = await run(
        project,
        process.execPath,
        ...flags,
        join(installed, "wield/dist/cli.js"),
        ...args,
      );
      return stderr
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    const kilobytes = (files: { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0) / 1024;
    for (const flag of ["--version", "--help"]) expect(kilobytes(await loadedBy(flag))).toBeLessThan(40);
    const files = await loadedBy("call", "read_file", '{"path": "package.json"}');
    expect(files.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^core-/));
    expect(kilobytes(files.filter(({ cached }) => !cached))).toBeLessThan(20);
  });

  test("tools that need grammars, ripgrep and the code index work", async () => {
    writeFileSync(
      join(project, "cart.ts"),
      "export class Cart {\n  total(): number {\n    return 1;\n  }\n}\n",
    );
    writeFileSync(join(project, "cart.kt"), "class KotlinCart { fun total(): Int = 1 }\n");
    const symbols = await wield("call", "symbols", '{"file": "cart.ts"}');
    expect(symbols.stdout).toMatch(/Cart[\s\S]*total/);
    expect((await wield("call", "definition", '{"symbol": "KotlinCart"}')).stdout).toContain("cart.kt");
    expect((await wield("call", "search_files", '{"pattern": "class Cart"}')).stdout).toContain(
      "export class Cart",
    );
  });

  test("a model is asked through the bundled provider", async () => {
    const server = await anthropicServer(() => ({
      content: [{ type: "text", text: "Hello from the wire." }],
    }));
    try {
      const said = await run(project, join(installed, ".bin/wield"), "ask", "Hello", {
        ANTHROPIC_API_KEY: "test",
        ANTHROPIC_BASE_URL: server.url,
      });
      expect(said.stdout).toContain("Hello from the wire.");
    } finally {
      await server.close();
    }
  });

  test("wield mcp serves its tools", async () => {
    const client = new Client({ name: "test", version: "1" });
    const command = join(installed, ".bin/wield");
    await client.connect(new StdioClientTransport({ command, args: ["mcp"], cwd: project, env }));
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("read_file");
    } finally {
      await client.close();
    }
  });

  test("wield serve --lan makes its certificate and prints the code", async () => {
    const args = ["serve", "--port", "0", "--lan", "--host", "127.0.0.1"];
    const server = spawn(join(installed, ".bin/wield"), args, { cwd: project, env });
    try {
      let printed = "";
      for (const stream of [server.stdout, server.stderr])
        stream.on("data", (chunk) => {
          printed += chunk;
        });
      await Promise.race([once(server, "exit"), expect.poll(() => printed).toContain("Pairing code")]);
      expect(printed).toMatch(/https:\/\/127\.0\.0\.1:\d+[\s\S]*Pairing code/);
    } finally {
      server.kill();
      if (server.exitCode === null) await once(server, "exit");
    }
  });

  test("a page of the web is read in its own thread", async () => {
    const worker = new Worker(join(installed, "wield/dist/page-worker.js"), { env: {} });
    try {
      const text = "A paragraph that is long enough to be the content of this page. ".repeat(8);
      worker.postMessage({
        html: `<title>T</title><article><p>${text}</p></article>`,
        url: "https://example.com/",
      });
      let message: { page?: { text: string } } = {};
      while (!message.page) [message] = await once(worker, "message");
      expect(message.page.text).toContain("A paragraph that is long enough");
    } finally {
      await worker.terminate();
    }
  });

  test("npm install -g gives the command", async () => {
    const prefix = join(base, "global");
    await npm(base, "install", "-g", "--prefix", prefix, "--prefer-offline", tarball);
    expect((await run(base, join(prefix, "bin/wield"), "--version")).stdout.trim()).toBe(version);
  });
});

describe("the library of an installed package", () => {
  const program = `import { createWield, defineTool } from "wield";
import { ResearchClient } from "wield/research";
import { scriptedModel } from "wield/testing";
import { z } from "zod";
const hello = defineTool({
  name: "hello", title: "Hello", description: "Say hello.", category: "Text",
  input: z.object({ who: z.string() }), output: z.object({ text: z.string() }), can: [],
  effects: () => [], execute: async ({ who }) => ({ text: "Hello " + who }), render: ({ text }) => text,
});
const wield = await createWield({ workspace: ".", customTools: [hello] });
const { text } = await wield.callAny("hello", { who: "you" });
const count: number = Object.keys(wield.tools.forAiSdk()).length;
console.log(text, count > 20, typeof ResearchClient, typeof scriptedModel);
await wield.close();
`;

  test("has types that hold with skipLibCheck off and name a wrong use, and runs", async () => {
    writeFileSync(join(project, "use.ts"), program);
    writeFileSync(
      join(project, "wrong.ts"),
      'import { createWield } from "wield";\nawait createWield({ workspace: 1 });\n',
    );
    const compilerOptions = {
      ...{ module: "nodenext", target: "es2024", strict: true, skipLibCheck: false, noEmit: true },
    };
    const files = ["use.ts", "wrong.ts"];
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const checked = await run(
      project,
      join(home, "node_modules/.bin/tsc"),
      "-p",
      ".",
      "--singleThreaded",
    ).catch((error) => error);
    expect(checked.stdout).toMatch(/^wrong\.ts\(2,.*error TS2322: [^\n]*\n$/);
    const { stdout } = await run(project, process.execPath, "use.ts");
    expect(stdout.trim()).toBe("Hello you true function function");
  });
});

test("npm install <checkout> works on a fresh clone", async () => {
  // The page stays from the tarball's build, which made it from the same sources.
  const dist = join(clone, "dist");
  for (const name of readdirSync(dist).filter((name) => name !== "ui")) removeFolder(join(dist, name));
  const user = join(base, "user");
  mkdirSync(user);
  writeFileSync(join(user, "package.json"), JSON.stringify({ name: "user", type: "module" }));
  await npm(user, "install", clone);
  writeFileSync(
    join(user, "use.js"),
    'import { createWield } from "wield";\nconsole.log(typeof createWield);\n',
  );
  expect((await run(user, process.execPath, "use.js")).stdout.trim()).toBe("function");
  expect((await run(user, "npx", "wield", "--version")).stdout.trim()).toBe(version);
}, 300_000);

test.skipIf(oldNode === undefined || Number.parseInt(await versionOf(oldNode), 10) >= 24)(
  "an older Node gets one sentence",
  async () => {
    const sentence =
      /Wield needs Node 24 or newer, and this is Node \d+\.\d+\.\d+\. Install a newer one: https:\/\/nodejs\.org/;
    const cli = join(installed, "wield/dist/cli.js");
    const failed = await run(project, oldNode ?? "", cli, "--version").catch((error) => error);
    expect(failed.code).toBe(1);
    expect(failed.stderr.trim()).toMatch(new RegExp(`^${sentence.source}$`));
    writeFileSync(join(project, "old.mjs"), 'import "wield";\n');
    const library = await run(project, oldNode ?? "", "old.mjs").catch((error) => error);
    expect(library.stderr).toMatch(sentence);
    expect(library.stderr.length).toBeLessThan(1_000);
  },
);

/** The files that git knows, with the packages of this checkout instead of an `npm ci`, which would take half a minute. */
async function copySources(): Promise<void> {
  const { stdout } = await run(home, "git", "ls-files", "-co", "--exclude-standard", "-z");
  for (const file of stdout.split("\0").filter((name) => name !== "" && existsSync(join(home, name))))
    cpSync(join(home, file), join(clone, file), { recursive: true });
  const from = join(home, "node_modules");
  await run(home, "cp", "-al", from, join(clone, "node_modules")).catch(() =>
    run(home, "cp", "-a", from, join(clone, "node_modules")),
  );
  const stamp = join(clone, "node_modules/.wield-setup.json");
  rmSync(stamp, { force: true });
  const lockfile = createHash("sha256")
    .update(readFileSync(join(clone, "package-lock.json")))
    .digest("hex");
  writeFileSync(stamp, JSON.stringify({ lockfile }));
}

function sizeOf(path: string): number {
  const entry = lstatSync(path);
  if (!entry.isDirectory()) return entry.blocks * 512;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), entry.blocks * 512);
}

async function versionOf(node: string): Promise<string> {
  return (await run(home, node, "-p", "process.versions.node")).stdout;
}

function wield(...args: string[]) {
  return run(project, join(installed, ".bin/wield"), ...args);
}

function npm(cwd: string, ...args: string[]) {
  return run(cwd, "npm", ...args, "--loglevel=error", "--no-audit", "--no-fund");
}

/** The last argument may be more of the environment. */
function run(cwd: string, command: string, ...args: (string | Record<string, string>)[]) {
  const more = args.filter((arg) => typeof arg !== "string");
  const words = args.filter((arg) => typeof arg === "string");
  return promisify(execFile)(command, words, {
    cwd,
    env: Object.assign({}, env, ...more),
    maxBuffer: 64 << 20,
  });
}
