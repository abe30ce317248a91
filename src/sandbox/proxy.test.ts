import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { createServer, request } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { openSandbox } from "./open-sandbox.ts";
import { installPolicy, policies } from "./policy.ts";
import { type RunningProxy, reasonToRefuse, startProxy } from "./proxy.ts";

const hosts = ["index.test", "*.files.test"];
let web: Server;
let raw: Server;
let arrived = Buffer.alloc(0);
const dialled: string[] = [];
const dial = async (host: string, port: number): Promise<Socket> => {
  dialled.push(`${host}:${port}`);
  if (host === "private.files.test")
    throw new Error("private.files.test resolves to 10.0.0.1, which is not public");
  return connect((((port === 443 ? raw : web).address() as AddressInfo) ?? { port: 0 }).port, "127.0.0.1");
};
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

beforeAll(async () => {
  web = createServer((incoming, outgoing) => {
    outgoing.end(
      `${incoming.method} ${incoming.headers.host}${incoming.url} ${incoming.headers["proxy-authorization"] ?? ""}`,
    );
  });
  raw = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      arrived = Buffer.concat([arrived, chunk]);
    });
  });
  await Promise.all([listen(web), listen(raw)]);
});
afterAll(() => {
  web.close();
  raw.close();
});

describe("which places may be reached", () => {
  test.each([
    ["index.test", 443],
    ["INDEX.test", 80],
    ["a.files.test", 443],
    ["a.b.files.test", 443],
  ])("%s:%i is on the list", (host, port) => expect(reasonToRefuse(host, port, hosts)).toBeUndefined());

  test.each([
    ["evil.test", 443],
    ["files.test", 443],
    ["evilfiles.test", 443],
    ["index.test.evil.test", 443],
    ["index.test\0.evil.test", 443],
    ["index.test", 22],
    ["index.test", 8080],
    ["127.0.0.1", 80],
    ["[::1]", 80],
    ["ⓘndex.test", 443],
    ["index.test@evil.test", 443],
    ["", 443],
  ])("%j:%i is not", (host, port) => expect(reasonToRefuse(host, port, hosts)).toBeTypeOf("string"));

  test("a star alone opens nothing", () => {
    expect(reasonToRefuse("any.test", 443, ["*", "*."])).toBeTypeOf("string");
  });
});

describe("the proxy", () => {
  let proxy: RunningProxy;
  beforeAll(async () => {
    proxy = await startProxy(hosts, dial);
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    expect(existsSync(dirname(proxy.path))).toBe(false);
  });

  const get = (url: string, headers: Record<string, string> = {}) =>
    new Promise<string>((resolve, reject) => {
      const sent = request({ socketPath: proxy.path, path: url, headers }, (answer) => {
        let text = "";
        answer
          .on("data", (chunk) => (text += chunk))
          .on("end", () => resolve(`${answer.statusCode} ${text}`));
      });
      sent.on("error", reject).end();
    });
  /** Opens a tunnel and gives the socket, or the refusal. */
  const tunnel = (target: string) =>
    new Promise<Socket | string>((resolve, reject) => {
      const sent = request({ socketPath: proxy.path, method: "CONNECT", path: target });
      sent.on("connect", (answer, socket) =>
        resolve(answer.statusCode === 200 ? (socket as Socket) : `${answer.statusCode}`),
      );
      sent.on("error", reject).end();
    });

  test("forwards listed names and refuses others, request by request", async () => {
    expect(await get("http://index.test/a?b", { "proxy-authorization": "secret" })).toBe(
      "200 GET index.test/a?b ",
    );
    expect(await get("http://evil.test/")).toMatch(/^403 evil.test is not on the list/);
    expect(await get("http://user:pw@index.test/")).toMatch(/^403/);
    expect(await get("ftp://index.test/")).toMatch(/^403/);
    expect(await get("/etc/passwd")).toMatch(/^403/);
    expect(await get("http://private.files.test/")).toMatch(/^403 .*not public/);
  });

  test("a tunnel carries TLS for the host it was opened for", async () => {
    arrived = Buffer.alloc(0);
    const socket = await tunnel("index.test:443");
    if (typeof socket === "string") throw new Error(socket);
    connectTls({ socket, servername: "index.test" }).on("error", () => {});
    await expect.poll(() => arrived.length).toBeGreaterThan(100);
    socket.destroy();
  });

  test.each(["evil.test", "a.files.test"])("and breaks when TLS asks for %s instead", async (servername) => {
    arrived = Buffer.alloc(0);
    const socket = await tunnel("index.test:443");
    if (typeof socket === "string") throw new Error(socket);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    connectTls({ socket, servername }).on("error", () => {});
    await closed;
    expect(arrived).toHaveLength(0);
    expect(proxy.connections.at(-1)).toMatchObject({
      allowed: false,
      reason: `TLS asked for ${servername} instead`,
    });
  });

  test("and breaks when it is not TLS at all", async () => {
    arrived = Buffer.alloc(0);
    const socket = await tunnel("index.test:443");
    if (typeof socket === "string") throw new Error(socket);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write("GET / HTTP/1.1\r\n\r\n");
    await closed;
    expect(arrived).toHaveLength(0);
  });

  test("tunnels elsewhere are refused before anything is dialled", async () => {
    const before = dialled.length;
    expect(await tunnel("evil.test:443")).toBe("403");
    expect(await tunnel("index.test:22")).toBe("403");
    expect(await tunnel("127.0.0.1:443")).toBe("403");
    expect(dialled).toHaveLength(before);
  });
});

const hasBubblewrap = existsSync("/usr/bin/bwrap");
describe.skipIf(!hasBubblewrap)("network of a run", () => {
  const workspace = mkdtempSync(join(tmpdir(), "network-"));
  beforeAll(() => void vi.stubEnv("TMPDIR", mkdtempSync(join(tmpdir(), "network-tmp-"))));
  afterAll(() => {
    removeFolder(workspace);
    removeFolder(tmpdir());
    vi.unstubAllEnvs();
  });
  const fetchAll = (...urls: string[]) => `
import urllib.request
for url in ${JSON.stringify(urls)}:
    try:
        print(urllib.request.urlopen(url, timeout=60).read().decode())
    except Exception as e:
        print("failed", type(e).__name__)
`;
  const sandbox = openSandbox(dial);
  const direct = () => `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
  const python = (code: string) => ["/usr/bin/python3", "-c", code] as const;

  test("with an allowlist, listed hosts by the proxy and nothing else", async () => {
    const code = `${fetchAll("http://index.test/x", "http://evil.test/")}
urllib.request.install_opener(urllib.request.build_opener(urllib.request.ProxyHandler({})))
${fetchAll(direct())}`;
    const result = await sandbox.run({ workspace, command: python(code) }, installPolicy(hosts));
    expect(result.stdout.text).toBe("GET index.test/x \nfailed HTTPError\nfailed URLError\n");
    expect(result.connections).toEqual([
      { host: "index.test", port: 80, allowed: true, reason: "on the list" },
      { host: "evil.test", port: 80, allowed: false, reason: expect.stringMatching(/not on the list/) },
    ]);
    expect(readdirSync(tmpdir())).toEqual([]);
  });

  test("off reaches nothing, full reaches what the machine reaches", async () => {
    const job = { workspace, command: python(fetchAll(direct())) };
    expect((await sandbox.run(job, policies.code)).stdout.text).toBe("failed URLError\n");
    const full = await sandbox.run(job, { ...policies.code, network: { mode: "full" } });
    expect(full.stdout.text).toMatch(/^GET 127\.0\.0\.1/);
  });
});
