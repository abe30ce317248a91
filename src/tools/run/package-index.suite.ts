import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { guarded, heldInMemory } from "../../sandbox/judging.suite.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import type { FolderCache } from "../../workspace/folder-cache.ts";
import { BackgroundProcesses } from "./background.ts";
import type { Execution } from "./execution.ts";
import { notesOncePerSession } from "./notes-once.ts";
import type { PackageManager, Registry } from "./packages.ts";

/** A package registry on the loopback that speaks as npm's and Python's do, with one small package each. */
export class PackageIndex implements Disposable {
  readonly registry = async (manager: PackageManager): Promise<Registry> =>
    manager === "npm"
      ? { url: "http://npm.test/", hosts: ["npm.test"] }
      : { url: "http://pip.test/simple", hosts: ["pip.test"] };
  readonly asked: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<PackageIndex> {
    const folder = mkdtempSync(join(tmpdir(), "index-"));
    const tarball = npmTarball(folder);
    const wheel = pythonWheel(folder);
    rmSync(folder, { recursive: true });
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const version = {
      name: "tiny-thing",
      version: "1.2.3",
      bin: { "tiny-thing": "index.js" },
      dist: { tarball: "http://npm.test/tiny.tgz", integrity },
    };
    const pages: Record<string, string | Buffer> = {
      "/tiny-thing": JSON.stringify({
        name: "tiny-thing",
        "dist-tags": { latest: "1.2.3" },
        versions: { "1.2.3": version },
      }),
      "/tiny.tgz": tarball,
      "/simple/tiny-snake/": `<a href="/w/${wheelName}">${wheelName}</a>`,
      [`/w/${wheelName}`]: wheel,
    };
    const server = createServer((incoming, outgoing) => {
      index.asked.push(incoming.url ?? "");
      const page = pages[incoming.url ?? ""];
      const type = incoming.url?.startsWith("/simple/") ? "text/html" : "application/octet-stream";
      outgoing.writeHead(page === undefined ? 404 : 200, { "content-type": type });
      outgoing.end(page);
    });
    const index = new PackageIndex(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return index;
  }

  readonly dial = async (): Promise<Socket> =>
    connect((this.#server.address() as AddressInfo).port, "127.0.0.1");

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function npmTarball(folder: string): Buffer {
  mkdirSync(join(folder, "package"));
  const manifest = {
    name: "tiny-thing",
    version: "1.2.3",
    main: "index.js",
    bin: "index.js",
    scripts: { postinstall: "touch /ws/ran" },
  };
  writeFileSync(join(folder, "package/package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "package/index.js"), tinyProgram);
  return execFileSync("tar", ["-czf", "-", "-C", folder, "package"]);
}

/** Run as a program, it tells its arguments and whether it can reach the proxy that a run with a network has. */
const tinyProgram = `#!/usr/bin/env node
module.exports = "tiny";
if (require.main === module) {
  const tell = (what) => {
    console.log(process.argv.slice(2).join(" "), what);
    process.exit();
  };
  require("net").connect(3128, "127.0.0.1").on("connect", () => tell("connected")).on("error", ({ code }) => tell(code));
}
`;

const wheelName = "tiny_snake-0.5-py3-none-any.whl";

function pythonWheel(folder: string): Buffer {
  const files = {
    "tiny_snake.py": "word = 'hiss'\n",
    "tiny_snake-0.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny-snake\nVersion: 0.5\n",
    "tiny_snake-0.5.dist-info/WHEEL":
      "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "tiny_snake-0.5.dist-info/RECORD":
      "tiny_snake.py,,\ntiny_snake-0.5.dist-info/METADATA,,\ntiny_snake-0.5.dist-info/WHEEL,,\ntiny_snake-0.5.dist-info/RECORD,,\n",
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const names = ["tiny_snake.py", "tiny_snake-0.5.dist-info"];
  execFileSync("/usr/bin/python3", ["-m", "zipfile", "-c", wheelName, ...names], { cwd: folder });
  return readFileSync(join(folder, wheelName));
}

/** What tools that run code are made of, with the registry of a test and nothing else on the network. */
export function executionWith(index: PackageIndex, packages: () => FolderCache): Execution {
  const sandbox = openSandbox(index.dial);
  return {
    sandbox: () => sandbox,
    judge: guarded,
    held: heldInMemory().held,
    env: { PATH: process.env["PATH"] ?? "" },
    configured: { test: undefined, format: undefined },
    limits: {},
    notesOnce: notesOncePerSession(),
    outsideEnv: {},
    network: { mode: "off" },
    hidesFiles: () => false,
    localServers: () => ({ open: [], closed: [] }),
    registry: index.registry,
    tools: undefined,
    background: new BackgroundProcesses(
      () => Promise.reject(new Error("nothing runs in the background here")),
      () => undefined,
      (session) => session,
      () => [],
    ),
    get packages() {
      return packages();
    },
  };
}
