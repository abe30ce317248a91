// What a call costs: the pipeline, a jailed read, a search, a start from the command line; each beside its plain counterpart.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { rgPath } from "@vscode/ripgrep";
import { z } from "zod";
import { testWield } from "../src/testing/testing.ts";
import { defineTool } from "../src/tool/define-tool.ts";
import { report, sideBySide, verdict } from "./measure.ts";

const home = resolve(import.meta.dirname, "..");
const idle = defineTool({
  name: "idle",
  title: "Idle",
  description: "does nothing",
  category: "Bench",
  input: z.object({ path: z.string() }),
  output: z.object({ ok: z.boolean() }),
  execute: async () => ({ ok: true }),
});
const place = await testWield({}, { customTools: [idle] });
const content = "export const line = 1;\n".repeat(200);
for (let i = 0; i < 20; i++) {
  mkdirSync(join(place.root, `src/deep/er/d${i}`), { recursive: true });
  writeFileSync(join(place.root, `src/deep/er/d${i}/file.ts`), content);
}
const paths = Array.from({ length: 20 }, (_, i) => `src/deep/er/d${i}/file.ts`);
let turn = 0;
const next = () => paths[turn++ % paths.length] ?? "";

const pipeline = await sideBySide(
  [{ name: "wield.call(idle)", run: () => place.wield.callAny("idle", { path: "x" }) }],
  3000,
);
report("One call through the whole pipeline, recorded", pipeline);
const overhead = pipeline[0]?.p50 ?? Number.NaN;
verdict(`${overhead.toFixed(3)} ms`, "< 0.3 ms p50 without approval", overhead < 0.3);

const reads = await sideBySide(
  [
    { name: "workspace.read (jailed, hashed)", run: () => place.wield.workspace.read(next()) },
    { name: "fs.readFileSync", run: () => readFileSync(join(place.root, next())) },
  ],
  3000,
);
report("Reading a file of 4 KB, five directories deep", reads, {
  ratio: 10,
  of: "workspace.read (jailed, hashed)",
  to: "fs.readFileSync",
});

const server = await filesystemServer(place.root);
const calls = await sideBySide(
  [
    { name: "wield.call(read_file)", run: () => place.wield.call("read_file", { path: next() }) },
    { name: "MCP server-filesystem over stdio", run: () => server.read(next()) },
  ],
  500,
);
server.close();
report("The read_file tool beside the public MCP filesystem server", calls, {
  ratio: 1,
  of: "wield.call(read_file)",
  to: "MCP server-filesystem over stdio",
});
await place.close();

const tree = await testWield();
const large = await tree.reopen({ workspace: join(home, "node_modules") });
for (const pattern of ["createHash\\(", "TypeError"]) {
  const searches = await sideBySide(
    [
      { name: "wield.call(search_files)", run: () => large.call("search_files", { pattern }) },
      {
        name: "rg --count-matches, same files",
        run: () => {
          const flags = [
            "--no-config",
            "--hidden",
            "--no-require-git",
            "--no-ignore-parent",
            "--no-ignore-global",
            "--line-number",
            "--no-heading",
          ];
          const out = execFileSync(rgPath, [...flags, "-e", pattern, "."], {
            cwd: join(home, "node_modules"),
            maxBuffer: 1 << 30,
          });
          return out.length;
        },
      },
    ],
    10,
  );
  report(`Searching node_modules for ${pattern}`, searches, {
    ratio: 1.2,
    of: "wield.call(search_files)",
    to: "rg --count-matches, same files",
  });
}
tree.write("a.txt", "hello\n");

const env = { ...tree.env, PATH: process.env["PATH"] ?? "" };
const starts = await sideBySide(
  [
    {
      name: "wield call read_file",
      run: () =>
        execFileSync(join(home, "bin/wield"), ["call", "read_file", '{"path":"a.txt"}'], {
          cwd: tree.root,
          env,
        }),
    },
    { name: "node -e 0", run: () => execFileSync(process.execPath, ["-e", "0"], { env }) },
  ],
  20,
);
report("Starting from the command line", starts, { ratio: 2.5, of: "wield call read_file", to: "node -e 0" });
await tree.close();

/** Just enough of the protocol to read files from the public server. */
async function filesystemServer(root: string) {
  const script = join(home, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
  const child = spawn(process.execPath, [script, root], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (result: unknown) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === "roots/list")
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { roots: [] } })}\n`);
    else waiting.get(message.id)?.(message.result);
  });
  let id = 0;
  const request = (method: string, params: unknown) =>
    new Promise((done) => {
      waiting.set(++id, done);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return {
    read: (path: string) =>
      request("tools/call", { name: "read_text_file", arguments: { path: join(root, path) } }),
    close: () => child.kill(),
  };
}
