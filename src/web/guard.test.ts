import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../failure/failure.ts";
import { type FakeInternet, startInternet } from "./fake-internet.suite.ts";
import { originGuard, publicGuard, systemDial, systemResolve, type UrlPolicy } from "./guard.ts";
import { createSend } from "./transport.ts";

const blocked: Record<string, string[]> = {
  ip: [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://0x7f.0x0.0x0.0x1/",
    "http://127.0.0.1./",
    "http://0/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:7f00:0001]/",
    "http://[::ffff:0:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:53aa:64c::1]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[5f00::1]/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://[ff02::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xA9FEA9FE/",
    "http://[::ffff:169.254.169.254]/",
    "http://169.254.170.2/",
    "http://168.63.129.16/",
    "http://100.100.100.200/",
    "http://①②⑦.⓪.⓪.①/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://192.0.0.8/",
    "http://192.0.2.1/",
    "http://192.88.99.1/",
    "http://198.18.0.1/",
    "http://198.51.100.7/",
    "http://203.0.113.9/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://127.0.0.1#@example.com/",
    "http:///127.0.0.1/",
    "http://127.0.0.1\t/",
    "h\nttp://127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "https://127.0.0.1:443/",
  ],
  name: [
    "http://metadata.google.internal/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://foo.localhost/",
    "http://ⓛocalhost/",
    "http://printer.local/",
    "http://router.lan/",
    "http://wiki.corp/",
    "http://nas.home/",
    "http://home.arpa/",
    "http://box.home.arpa/",
    "http://app.intranet/",
    "http://abcdef.onion/",
    "http://a.test/",
    "http://a.invalid/",
    "http://a.example/",
    "http://intranet/",
  ],
  userinfo: ["http://user:pw@93.184.216.34/", "http://93.184.216.34@127.0.0.1/"],
  "bad-url": [
    "http://127.0.0.1%2f@example.com/",
    "not a url",
    "//example.com/",
    "http://a b.com/",
    "http://1.2.3.4.5/",
  ],
  port: ["http://example.com:22/", "http://example.com:8080/", "https://example.com:6379/"],
  scheme: [
    "ftp://example.com/",
    "file:///etc/passwd",
    "data:text/html,x",
    "gopher://example.com/",
    "ws://example.com/",
    "javascript:alert(1)",
    "view-source:http://example.com/",
    "blob:http://example.com/1",
  ],
};
// The parser reads what stands before @ as a user name here; either way nothing is dialled.
const eitherReason = new Set(["http://127.0.0.1%2f@example.com/", "http://93.184.216.34@127.0.0.1/"]);

const allowed: [url: string, dialled: string][] = [
  ["https://example.com/", "example.com"],
  ["http://93.184.216.34/", "93.184.216.34"],
  ["https://[2606:4700:4700::1111]/", "2606:4700:4700::1111"],
  ["https://sub.example.co.uk/a?b#c", "sub.example.co.uk"],
  ["https://xn--bcher-kva.example.com/", "xn--bcher-kva.example.com"],
  ["https://bücher.de/", "xn--bcher-kva.de"],
  ["http://172.32.0.1/", "172.32.0.1"],
  ["http://100.128.0.1/", "100.128.0.1"],
  ["http://192.0.1.1/", "192.0.1.1"],
  ["http://169.253.0.1/", "169.253.0.1"],
  ["https://[::ffff:8.8.8.8]/", "::ffff:808:808"],
  ["http://example.com./", "example.com"],
];

const limits = { timeoutMs: 60_000, maxBytes: 1_000_000 };
const never = new AbortController().signal;
let internet: FakeInternet;
beforeAll(async () => {
  internet = await startInternet({ "example.com": (_, response) => response.end("hello") });
});
afterAll(() => internet.close());
beforeEach(() => {
  internet.dials.length = 0;
});
const guardWith = (policy: UrlPolicy = () => "ask") => publicGuard({ ...internet, policy });

/** Sockets that anything in this process opens while `work` runs. */
async function socketsOpened(work: () => Promise<unknown>): Promise<number> {
  let opened = 0;
  const count = () => opened++;
  subscribe("net.client.socket", count);
  await work().finally(() => unsubscribe("net.client.socket", count));
  return opened;
}

async function refusal(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error("was not refused");
}

describe("the guard refuses", () => {
  for (const [reason, urls] of Object.entries(blocked)) {
    for (const url of urls) {
      it(`${JSON.stringify(url)} (${reason})`, async () => {
        // The real resolver and the real dialler: any socket would be one too many.
        const send = createSend(
          publicGuard({ policy: () => "allow", resolve: systemResolve, dial: systemDial }),
          limits,
        );
        let failure = new Failure("INTERNAL_ERROR", "");
        const opened = await socketsOpened(async () => {
          failure = await refusal(() => send({ url }));
        });
        expect(opened).toBe(0);
        expect(failure.code).toBe("URL_NOT_ALLOWED");
        if (eitherReason.has(url)) expect(["userinfo", "bad-url"]).toContain(failure.details?.["reason"]);
        else expect(failure.details?.["reason"]).toBe(reason);
      });
    }
  }

  it("by opening no socket, which would be seen", async () => {
    const send = createSend(guardWith(), limits);
    expect(await socketsOpened(() => send({ url: "http://example.com/" }))).toBe(1);
  });

  it("what the rules deny", async () => {
    const guard = guardWith((url) => (url.hostname === "example.com" ? "deny" : "ask"));
    expect((await refusal(() => guard.judge("https://example.com/"))).details).toMatchObject({
      reason: "denylist",
    });
  });
});

describe("the guard allows", () => {
  for (const [url, host] of allowed) {
    it(`${url}, and dials what it checked`, async () => {
      internet.names.set(host, () => [
        { address: "93.184.216.34", family: 4 },
        { address: "2606:2800:220:1::1", family: 6 },
      ]);
      const guard = guardWith();
      (await guard.connect(guard.judge(url), never)).destroy();
      const literal = /^[\d.]+$|:/.test(host);
      expect(internet.dials).toEqual([
        {
          host,
          addresses: literal ? [host] : ["93.184.216.34", "2606:2800:220:1::1"],
          port: url.startsWith("https") ? 443 : 80,
        },
      ]);
    });
  }
});

describe("names that resolve to somewhere else", () => {
  for (const address of [
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "::1",
    "fe80::1%eth0",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
  ]) {
    it(`refuses a name that resolves to ${address}`, async () => {
      internet.names.set("rebound.com", () => [{ address, family: address.includes(":") ? 6 : 4 }]);
      const failure = await refusal(() => createSend(guardWith(), limits)({ url: "http://rebound.com/" }));
      expect(failure).toMatchObject({ code: "URL_NOT_ALLOWED", details: { reason: "ip" } });
      expect(internet.dials).toEqual([]);
    });
  }

  it("refuses mixed public and private records", async () => {
    internet.names.set("mixed.com", () => [
      { address: "93.184.216.34", family: 4 },
      { address: "192.168.0.10", family: 4 },
    ]);
    const failure = await refusal(() => createSend(guardWith(), limits)({ url: "http://mixed.com/" }));
    expect(failure).toMatchObject({ code: "URL_NOT_ALLOWED", details: { reason: "ip" } });
    expect(internet.dials).toEqual([]);
  });

  it("asks the resolver once a connection and dials that answer, so an answer that changes changes nothing", async () => {
    let asked = 0;
    internet.names.set("example.com", () => [
      { address: asked++ === 0 ? "93.184.216.34" : "127.0.0.1", family: 4 },
    ]);
    const send = createSend(guardWith(), limits);
    expect((await send({ url: "http://example.com/" })).bytes.toString()).toBe("hello");
    expect(asked).toBe(1);
    expect(internet.dials).toEqual([{ host: "example.com", addresses: ["93.184.216.34"], port: 80 }]);
    const second = await refusal(() => send({ url: "http://example.com/" }));
    expect(second).toMatchObject({ code: "URL_NOT_ALLOWED", details: { reason: "ip" } });
    expect(internet.dials).toHaveLength(1);
  });

  it("dials only the given addresses: the system's dialler looks nothing up itself", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = systemDial("nowhere.invalid", [{ address: "127.0.0.1", family: 4 }], 9);
    socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
    socket.on("connect", () => resolve("connected"));
    // Port 9 of loopback refuses; a lookup of the name would say ENOTFOUND.
    expect(await promise).toBe("ECONNREFUSED");
  });
});

describe("an origin guard", () => {
  it("reaches its own origin, wherever that is, and nothing else", async () => {
    const guard = originGuard("http://127.0.0.1:4000/api/");
    expect(guard.judge("http://127.0.0.1:4000/other").href).toBe("http://127.0.0.1:4000/other");
    for (const url of [
      "http://127.0.0.1:4001/",
      "https://127.0.0.1:4000/",
      "http://localhost:4000/",
      "https://example.com/",
    ])
      expect((await refusal(() => guard.judge(url))).details).toMatchObject({ reason: "origin" });
    const redirect = () => guard.judgeRedirect(new URL("http://127.0.0.1:4000/"), "http://169.254.169.254/");
    expect((await refusal(redirect)).details).toMatchObject({ reason: "origin" });
  });
});
