import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { executionWith, PackageIndex } from "../tools/run/package-index.suite.ts";
import { FolderCache } from "../workspace/folder-cache.ts";
import { confinedServers } from "./confined-servers.ts";
import { packagedProgram } from "./server-packages.ts";

const curious = readFileSync(join(import.meta.dirname, "../mcp/fixtures/curious-server.mjs"), "utf8");
const marker = "marker-4711";

describe("a server in the sandbox", () => {
  let place: TestWield;
  let outside: string;
  let listener: ReturnType<typeof createServer>;
  beforeAll(async () => {
    outside = mkdtempSync(join(tmpdir(), "wield-outside-"));
    writeFileSync(join(outside, "secret.txt"), marker);
    listener = createServer((socket) => socket.end(marker)).listen(0, "127.0.0.1");
    const shown = mkdtempSync(join(outside, "shown-"));
    writeFileSync(join(shown, "open.txt"), "declared");
    writeFileSync(join(outside, "shown.txt"), shown);
    const apart = mkdtempSync(join(outside, "apart-"));
    writeFileSync(join(apart, "server.mjs"), curious);
    const program = { command: "node", args: ["server.mjs"], env: { GIVEN: "$HOME" } };
    place = await testWield(
      { "server.mjs": curious, "notes.txt": "of the workspace", ".env": marker, "private/a.txt": marker },
      {
        settings: {
          rules: [{ decision: "deny", path: "private/**" }],
          mcp: {
            plain: { ...program, sandbox: true },
            older: { ...program, env: { IGNORED: "server/discover" }, sandbox: true },
            wide: { ...program, sandbox: { folders: [".", shown], hosts: ["allowed.invalid-host.com"] } },
            narrow: { ...program, args: [join(apart, "server.mjs")], sandbox: { folders: [apart] } },
          },
        },
      },
    );
  });
  afterAll(async () => {
    listener.close();
    await place.close();
    removeFolder(outside);
  });
  const call = async (server: string, tool: string, input: object = {}) =>
    (await place.wield.callAny(`${server}__${tool}`, input)).text;

  test("that does not answer what older servers do not know, or starts slowly, is spoken to as an older one", async () => {
    expect(await call("older", "read", { on: "notes.txt" })).toContain("of the workspace");
  });

  test("reads the workspace at its own path, and writes only to a folder of its own", async () => {
    expect(place.wield.tools.problems()).toEqual([]);
    expect(await call("plain", "read", { on: "notes.txt" })).toContain("of the workspace");
    expect(await call("plain", "read", { on: join(place.root, "notes.txt") })).toContain("of the workspace");
    expect(await call("plain", "write", { on: "new.txt" })).toMatch(/failed: EROFS/);
    expect(await call("plain", "write", { on: "/ws/kept.txt" })).toContain("written");
    expect(await call("plain", "read", { on: "/ws/kept.txt" })).toContain("written");
    expect(await call("wide", "read", { on: "/ws/kept.txt" })).toMatch(/failed: ENOENT/);
  });

  test.each([
    ["a file beside the workspace", () => ({ on: join(outside, "secret.txt") })],
    ["a secret file of the workspace", () => ({ on: ".env" })],
    ["what a rule denies", () => ({ on: "private/a.txt" })],
    [
      "the settings of Wield",
      () => ({ on: join(place.env["HOME"] ?? "", "config/wield/mcp-approved.json") }),
    ],
    ["the machine's passwords", () => ({ on: "/etc/shadow" })],
  ])("cannot read %s", async (_, input) => {
    for (const server of ["plain", "wide", "narrow"])
      expect(await call(server, "read", input())).toMatch(
        /failed: E(?:NOENT|ACCES|NXIO|PERM)|the tool returned nothing/,
      );
  });

  test("sees a folder that it declares, and no variable that it was not given", async () => {
    const shown = readFileSync(join(outside, "shown.txt"), "utf8");
    expect(await call("wide", "read", { on: join(shown, "open.txt") })).toContain("declared");
    expect(await call("plain", "read", { on: join(shown, "open.txt") })).toMatch(/failed: ENOENT/);
    expect(await call("narrow", "read", { on: join(place.root, "notes.txt") })).toMatch(/failed: ENOENT/);
    const variables = await call("plain", "variables");
    expect(variables).toContain(`"GIVEN":${JSON.stringify(place.env["HOME"])}`);
    expect(variables).not.toContain("XDG_STATE_HOME");
  });

  test("reaches neither this machine nor a host that it does not declare", async () => {
    const { port } = listener.address() as AddressInfo;
    for (const server of ["plain", "wide"]) {
      expect(await call(server, "dial", { on: "127.0.0.1", port })).toMatch(/failed: connect/);
      expect(await call(server, "dial", { on: "1.1.1.1", port: 443 })).toMatch(/failed: connect/);
    }
    expect(await call("plain", "fetch", { on: "allowed.invalid-host.com" })).toMatch(/failed: connect/);
    expect(await call("wide", "fetch", { on: "other.example" })).toContain(
      "not on the list of allowed hosts",
    );
    // It is declared, and there is no such host: the proxy tried.
    expect(await call("wide", "fetch", { on: "allowed.invalid-host.com" })).not.toContain("not on the list");
  });

  test.skipIf(!existsSync("/usr/bin/bwrap"))(
    "packages are fetched before it runs, by a run that sees nothing; the server itself cannot reach the registry",
    async () => {
      using index = await PackageIndex.start();
      const cache = new FolderCache(join(outside, "cache"), 10_000_000);
      const confine = confinedServers({
        workspace: place.wield.workspace,
        env: { PATH: process.env["PATH"] },
        stateDir: join(outside, "state"),
        execution: async () => executionWith(index, () => cache),
        rules: () => "allow",
      });
      const run = async (...args: string[]) => {
        let said = "";
        const { ended } = confine({
          ...{ name: "tiny", command: "npx", args, env: {} },
          confinement: { folders: ["."], hosts: ["registry.npmjs.org"] },
          onStdout: (chunk) => (said += chunk),
          onStderr: (chunk) => (said += chunk),
          signal: new AbortController().signal,
        });
        await ended;
        return said;
      };
      expect(await run("-y", "tiny-thing@latest", "one", "two")).toBe("one two ECONNREFUSED\n");
      expect(index.asked).toContain("/tiny.tgz");
      const asked = index.asked.length;
      expect(await run("-y", "tiny-thing@latest", "again")).toBe("again ECONNREFUSED\n");
      expect(index.asked).toHaveLength(asked);
    },
  );

  test.each([
    ["npx -y @a/b@1.2.0 --flag x", { packages: ["@a/b@1.2.0"], program: undefined, args: ["--flag", "x"] }],
    ["/usr/bin/npx --package=a -p b run", { packages: ["a", "b"], program: "run", args: [] }],
    ["npm exec -y -- a", { packages: ["a"], program: undefined }],
    [
      "uvx mcp-server-git@1.0 --repository .",
      { packages: ["mcp-server-git==1.0"], program: "mcp-server-git" },
    ],
    ["uvx --from a b", { manager: "pip", packages: ["a"], program: "b" }],
    ["npm start", undefined],
    ["node server.mjs", undefined],
  ])("%s", (line, expected) => {
    const [command = "", ...args] = line.split(" ");
    const found = packagedProgram(command, args);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  test.each(["npx", "npx -y ../x", "npx -y git+https://x.example/y", "npx --registry http://x a", "uvx ./x"])(
    "%s is refused",
    (line) => {
      const [command = "", ...args] = line.split(" ");
      expect(() => packagedProgram(command, args)).toThrow(/cannot be run in the sandbox/);
    },
  );

  test("a folder around the workspace, or a part of it, is refused", async () => {
    const program = { command: "node", args: ["server.mjs"] };
    for (const folder of ["..", "/", "private"]) {
      const mcp = { bad: { ...program, sandbox: { folders: [folder] } } };
      const wield = await place.reopen({ settings: { mcp } });
      expect(wield.tools.problems().join("\n")).toContain(
        "can be shown the whole workspace (.) or folders outside",
      );
    }
  });

  test("an entry that opens the sandbox later withholds its tools until they are approved again", async () => {
    const program = { command: "node", args: ["server.mjs"], env: { GIVEN: "$HOME" } };
    const wield = await place.reopen({ settings: { mcp: { plain: program } } });
    const { result } = await wield.callAny("plain__read", { on: "notes.txt" });
    expect(result).toMatchObject({ ok: false, error: { code: "TOOL_DISABLED" } });
  });
});
