import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect as connectPlainly, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { testWield } from "../testing/testing.ts";
import { main } from "./main.ts";
import { runCli } from "./run-cli.suite.ts";
import type { Io } from "./terminal.ts";

/** Runs until it is interrupted, as Ctrl+C would; `during` sees what was printed first. */
async function served(
  args: string[],
  during: (printed: string) => Promise<void>,
  desktop: Record<string, string> = {},
): Promise<number> {
  const place = await testWield({ "a.txt": "a\n" });
  const interrupted = new AbortController();
  const printed = Promise.withResolvers<string>();
  const io: Io = {
    out: printed.resolve,
    write: () => undefined,
    err: (text) => printed.reject(new Error(text)),
    input: async () => "",
    interactive: Object.keys(desktop).length > 0,
    terminal: false,
    colour: false,
    columns: 80,
    cwd: place.root,
    env: { ...place.env, ...desktop },
    signal: interrupted.signal,
  };
  const ended = main(args, io);
  try {
    await during(await printed.promise);
    interrupted.abort();
    return await ended;
  } finally {
    await place.close();
  }
}

test.each([
  ["serve with a port and a model of its own", ["serve", "--port", "0", "-m", "ollama/mine"], "ollama/mine"],
  ["nothing but the name", [], null],
])(
  "%s prints the address with its token, serves until it is interrupted, and ends well",
  async (_, args, model) => {
    let origin = "";
    const code = await served(args, async (printed) => {
      const [, address = "", token = ""] =
        /(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/.exec(printed) ?? [];
      origin = address;
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${origin}/api/tools`, { headers })).status).toBe(200);
      expect((await fetch(`${origin}/api/tools`)).status).toBe(401);
      const settings = await fetch(`${origin}/api/settings`, { headers });
      expect(await settings.json()).toMatchObject({ model: null, startedWithModel: model });
    });
    expect(code).toBe(0);
    await expect(fetch(`${origin}/`)).rejects.toThrow();
  },
);

test("serve --lan prints address, fingerprint, code and warning; without the code nothing but the page is given out", async () => {
  const args = ["serve", "--port", "0", "--lan", "--host", "127.0.0.1"];
  await served(args, async (printed) => {
    const [, origin = ""] = /On your network\n(https:\/\/127\.0\.0\.1:\d+)/.exec(printed) ?? [];
    const [, token = ""] = /#token=([\w-]{43})/.exec(printed) ?? [];
    const [, code = ""] = /Pairing code: (\d{4} \d{4})/.exec(printed) ?? [];
    expect(printed.replaceAll(/\s+/g, " ")).toContain("Do this only in a network that you trust");
    const ca = await peerOf(origin);
    expect(printed.replaceAll(/\s+/g, "")).toContain(
      new X509Certificate(ca).fingerprint256.replaceAll(":", ""),
    );
    const ask = (path: string, headers: Record<string, string> = {}, body?: unknown) =>
      over(origin, ca, path, { headers, body });
    // Node itself accepts the certificate for this address, once it trusts it.
    expect(await ask("/")).toMatchObject({ status: 200 });
    expect(await ask("/api/status")).toMatchObject({ status: 401 });
    expect(await ask("/api/status", { authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
    expect(await ask("/mcp", { authorization: `Bearer ${token}` })).toMatchObject({ status: 401 });
    expect(await ask("/", { host: "evil.example" })).toMatchObject({ status: 421 });
    const json = { "content-type": "application/json" };
    expect(await ask("/enter/pair", { ...json, origin: "https://evil.example" }, { code })).toMatchObject({
      status: 403,
    });
    expect(await ask("/enter/pair", json, { code: "0" })).toMatchObject({ status: 403 });
    // The device has a key of its own, which can be ended alone.
    const paired = await ask("/enter/pair", json, { code });
    const { token: key } = JSON.parse(paired.body) as { token: string };
    expect([paired.status, key === token]).toEqual([200, false]);
    expect(await ask("/api/status", { authorization: `Bearer ${key}` })).toMatchObject({ status: 200 });
    expect(await ask("/enter/pair", json, { code })).toMatchObject({ status: 403 });
    await expect(over(origin, undefined, "/", {})).rejects.toThrow(/self-signed/);

    // Connections that say nothing: one device gets forty, the rest are closed at once.
    const closed: number[] = [];
    const silent = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const socket = connectPlainly(Number(new URL(origin).port), "127.0.0.1");
        socket.on("error", () => undefined).once("close", () => closed.push(index));
        await once(socket, "connect");
        return socket;
      }),
    );
    await vi.waitFor(() => expect(closed.length).toBeGreaterThanOrEqual(20), { timeout: 60_000 });
    expect(closed.slice(0, 20).every((index) => index >= 40)).toBe(true);
    for (const socket of silent) socket.destroy();
  });
});

/** The certificate that a server shows, as PEM. */
function peerOf(origin: string): Promise<string> {
  const { hostname: host, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw).toString());
      socket.end();
    }).on("error", reject);
  });
}

function over(
  origin: string,
  ca: string | undefined,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown },
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const asking = request(
      `${origin}${path}`,
      { method, headers, agent: false, servername: "", ...(ca && { ca }) },
      async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode, body: text });
      },
    );
    asking.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test.skipIf(process.platform !== "linux")(
  "a browser is opened with a code that is good once: the token is in nobody's list of processes",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "wield-open-"));
    const path = process.env["PATH"];
    onTestFinished(() => {
      process.env["PATH"] = path;
      removeFolder(folder);
    });
    const opened = join(folder, "opened");
    writeFileSync(
      join(folder, "xdg-open"),
      `#!/bin/sh\nprintf '%s' "$*" > ${opened}.part && mv ${opened}.part ${opened}\n`,
    );
    chmodSync(join(folder, "xdg-open"), 0o755);
    process.env["PATH"] = `${folder}:${path}`;
    const args = ["serve", "--port", "0", "--open"];
    await served(
      args,
      async (printed) => {
        const [, origin = "", token = ""] =
          /(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/.exec(printed) ?? [];
        await expect.poll(() => existsSync(opened)).toBe(true);
        const address = readFileSync(opened, "utf8");
        expect(address).toMatch(new RegExp(`^${origin}/#code=[\\w-]+$`));
        expect(address).not.toContain(token);
        const enter = () =>
          fetch(`${origin}/enter`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ code: address.split("=")[1] }),
          });
        expect(await (await enter()).json()).toEqual({ token });
        expect((await enter()).status).toBe(403);
      },
      { DISPLAY: ":0" },
    );
  },
);

test("a port that is none or taken is told as such", async () => {
  const place = await testWield();
  for (const host of ["8.8.8.8", "0.0.0.0", "::", "home"])
    expect(await runCli(place, ["serve", "--lan", "--host", host])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Wield is not served on public ones"),
    });
  expect(await runCli(place, ["serve", "--host", "0.0.0.0"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("--host goes with --lan"),
  });
  expect(await runCli(place, ["serve", "--port", "http"])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--port takes a number/),
  });
  await served(["serve", "--port", "0"], async (printed) => {
    const port = /:(\d+)\//.exec(printed)?.[1] ?? "";
    const { code, err } = await runCli(place, ["serve", "--port", port]);
    expect([code, err]).toEqual([1, expect.stringMatching(/is already in use. Choose another with --port/)]);
  });
  await place.close();
});

test("without --port a taken default port is said, with the port that is used", async () => {
  const holder = createServer();
  // If something on this machine holds the port already, it is taken all the same.
  await new Promise<void>((done) => holder.once("error", () => done()).listen(4141, "127.0.0.1", done));
  onTestFinished(() => void holder.close());
  await served(["serve"], async (printed) => {
    const port = /127\.0\.0\.1:(\d+)\//.exec(printed)?.[1];
    expect(printed).toContain(`Port 4141 is already in use, so this is port ${port}.`);
  });
});

test("over SSH the command that forwards the port is printed, and nothing that a shell would run", async () => {
  const ssh = { SSH_CONNECTION: "10.0.0.5 50000 10.0.0.7 22", USER: "ada" };
  await served(
    ["serve", "--port", "0"],
    async (printed) => {
      const port = /127\.0\.0\.1:(\d+)\//.exec(printed)?.[1];
      expect(printed).toContain(`ssh -N -L ${port}:127.0.0.1:${port} ada@10.0.0.7`);
    },
    ssh,
  );
  const hostile = { SSH_CONNECTION: "a b $(reboot) 22" };
  await served(["serve", "--port", "0"], async (printed) => expect(printed).not.toContain("reboot"), hostile);
});
