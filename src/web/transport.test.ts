import { type Duplex, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setDefaultCACertificates } from "node:tls";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../failure/failure.ts";
import { type FakeInternet, selfSigned, startInternet } from "./fake-internet.suite.ts";
import { publicGuard, type UrlPolicy } from "./guard.ts";
import { createSend } from "./transport.ts";

const limits = { timeoutMs: 60_000, maxBytes: 10_000_000 };
const seen: {
  url: string | undefined;
  method: string | undefined;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}[] = [];
let internet: FakeInternet;
/** Resolves when a client gives up on a response that never ends. */
let hungUp = Promise.withResolvers<void>();

const packers: Record<string, (data: string | Buffer) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  "gzip, gzip": (data) => gzipSync(gzipSync(data)),
};
/** 200 MB of zeros each, packed piece by piece so that only the transport could ever hold them whole. */
const bombs = new Map<string, Buffer>();
async function bomb(packer: Duplex): Promise<Buffer> {
  const zeros = Readable.from(Array(200).fill(Buffer.alloc(1_000_000)));
  return buffer(zeros.pipe(packer));
}

beforeAll(async () => {
  bombs.set("gzip", await bomb(createGzip({ level: 1 })));
  bombs.set("deflate", await bomb(createDeflate({ level: 1 })));
  bombs.set("br", await bomb(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })));
  bombs.set("zstd", await bomb(createZstdCompress()));
  bombs.set("gzip, gzip", gzipSync(bombs.get("gzip") ?? ""));
  const trusted = selfSigned("secure.com");
  setDefaultCACertificates([trusted.cert]);
  internet = await startInternet(
    {
      "site.com": (request, response) => {
        let body = "";
        request.on("data", (chunk) => (body += chunk));
        request.on("end", () => {
          seen.push({ url: request.url, method: request.method, headers: request.headers, body });
          const url = new URL(request.url ?? "", "http://site.com");
          const to = url.searchParams.get("to");
          if (url.pathname === "/loop") response.writeHead(302, { location: "/loop" }).end();
          else if (to !== null)
            response.writeHead(Number(url.pathname.slice(1)), { location: to }).end("elsewhere");
          else response.end("here");
        });
      },
      "www.site.com": (request, response) => {
        seen.push({ url: request.url, method: request.method, headers: request.headers, body: "" });
        response.end("here, with www");
      },
      "other.com": (request, response) => {
        let body = "";
        request.on("data", (chunk) => (body += chunk));
        request.on("end", () => {
          seen.push({ url: request.url, method: request.method, headers: request.headers, body });
          response.end("other");
        });
      },
      "secure.com": (request, response) => {
        if (request.url === "/down") response.writeHead(302, { location: "http://secure.com/" }).end();
        else response.end("secure");
      },
      "wrong-name.com": (_, response) => response.end("never seen"),
      "slow.com": (request, response) => {
        response.on("close", () => hungUp.resolve());
        if (request.url === "/hang") return;
        response.writeHead(200, { "content-type": "text/plain" });
        if (request.url === "/drip") {
          const drip = setInterval(() => response.write("."), 1000);
          response.write(".");
          response.on("close", () => clearInterval(drip));
        } else if (request.url === "/endless") {
          const block = Buffer.alloc(65_536, "x");
          const pour = () => {
            while (!response.destroyed && response.write(block));
          };
          response.on("drain", pour);
          pour();
        }
      },
      "raw.com": (request, response) => {
        const answers: Record<string, string> = {
          "/huge": "HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\nxxx",
          "/short": "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this",
          "/long": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfourand more",
          "/two-lengths": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nfour",
          "/chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\nzz",
          "/nonsense": "200 fine\r\n\r\n",
          "/headers": `HTTP/1.1 200 OK\r\n${"X-Long: ".padEnd(1000, "y")}\r\n`.repeat(200),
          "/gone": "",
        };
        response.socket?.end(answers[request.url ?? ""] ?? "");
      },
      "packed.com": (request, response) => {
        const [, encoding = "", what = ""] = decodeURIComponent(request.url ?? "").split("/");
        response.writeHead(200, { "content-encoding": encoding });
        response.end(what === "bomb" ? bombs.get(encoding) : (packers[encoding]?.("unpacked") ?? "unknown"));
      },
    },
    trusted,
  );
});
afterAll(() => internet.close());
beforeEach(() => {
  seen.length = 0;
  internet.dials.length = 0;
  hungUp = Promise.withResolvers();
});

const sendWith = (policy: UrlPolicy = () => "ask") =>
  createSend(publicGuard({ ...internet, policy }), limits);

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    () => "it worked",
    (thrown) => thrown,
  );
  if (!(outcome instanceof Failure)) throw new Error(`not a Failure: ${outcome}`);
  return outcome;
}

describe("redirects", () => {
  const forbidden: [reason: string, to: string][] = [
    ["ip", "http://127.0.0.1/"],
    ["ip", "http://2130706433/"],
    ["ip", "http://0177.0.0.1/"],
    ["ip", "http://[::1]/"],
    ["ip", "http://[::ffff:127.0.0.1]/"],
    ["ip", "http://[64:ff9b::7f00:1]/"],
    ["ip", "http://169.254.169.254/latest/meta-data/"],
    ["ip", "http://10.0.0.1/"],
    ["ip", "//192.168.0.1/"],
    ["name", "http://localhost/"],
    ["name", "http://metadata.google.internal/"],
    ["userinfo", "http://user:pw@site.com/"],
    ["port", "http://site.com:8080/"],
    ["scheme", "file:///etc/passwd"],
    ["scheme", "ftp://site.com/"],
    ["scheme", "data:text/plain,x"],
    ["scheme", "javascript:alert(1)"],
    ["bad-url", "http://%%%/"],
    ["redirect", "http://other.com/"],
  ];
  for (const [reason, to] of forbidden) {
    it(`to ${to} is refused (${reason})`, async () => {
      const url = `http://site.com/302?to=${encodeURIComponent(to)}`;
      const failure = await failureOf(sendWith()({ url }));
      expect(failure).toMatchObject({ code: "URL_NOT_ALLOWED", details: { reason } });
      expect(internet.dials.map(({ host }) => host)).toEqual(["site.com"]);
    });
  }

  it("to a name that resolves to a private address is refused", async () => {
    internet.names.set("www.site.com", () => [{ address: "10.0.0.1", family: 4 }]);
    const url = "http://site.com/302?to=http%3A%2F%2Fwww.site.com%2F";
    expect((await failureOf(sendWith()({ url }))).details).toMatchObject({ reason: "ip" });
    internet.names.set("www.site.com", () => [{ address: "93.184.216.34", family: 4 }]);
  });

  it("down from https to http is refused", async () => {
    const failure = await failureOf(sendWith()({ url: "https://secure.com/down" }));
    expect(failure).toMatchObject({ code: "URL_NOT_ALLOWED", details: { reason: "scheme" } });
  });

  it("within a site are followed, relative ones too", async () => {
    const response = await sendWith()({ url: "http://site.com/301?to=/there" });
    expect(response).toMatchObject({ url: "http://site.com/there", status: 200 });
    const other = await sendWith()({ url: "http://site.com/302?to=http%3A%2F%2Fwww.site.com%2F" });
    expect(other.bytes.toString()).toBe("here, with www");
  });

  it("to a site the rules allow are followed, without what was meant for the first", async () => {
    const send = sendWith((url) => (url.hostname === "other.com" ? "allow" : "ask"));
    const url = "http://site.com/307?to=http%3A%2F%2Fother.com%2Fx";
    const headers = {
      Authorization: "Bearer secret",
      Cookie: "a=b",
      "X-Api-Key": "k",
      "content-type": "text/plain",
    };
    const response = await send({ url, method: "POST", body: "data", headers });
    expect(response.url).toBe("http://other.com/x");
    const [first, second] = seen;
    expect(first?.headers).toMatchObject({ authorization: "Bearer secret", cookie: "a=b", "x-api-key": "k" });
    expect(second).toMatchObject({ method: "POST", body: "data", headers: { "content-type": "text/plain" } });
    for (const name of ["authorization", "cookie", "x-api-key"])
      expect(second?.headers).not.toHaveProperty(name);
  });

  it("are judged by the method that is sent on", async () => {
    const send = sendWith((url, method) =>
      url.hostname === "other.com" && method === "GET" ? "allow" : "ask",
    );
    const to = "to=http%3A%2F%2Fother.com%2Fx";
    for (const status of [307, 308]) {
      const posting = send({ url: `http://site.com/${status}?${to}`, method: "POST", body: "data" });
      expect((await failureOf(posting)).details).toMatchObject({ reason: "redirect" });
    }
    expect(seen.map(({ method }) => method)).toEqual(["POST", "POST"]);
    const other = await send({ url: `http://site.com/302?${to}`, method: "POST", body: "data" });
    expect(other.url).toBe("http://other.com/x");
  });

  it("turn a POST into a GET without body, except 307 and 308", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      seen.length = 0;
      await sendWith()({ url: `http://site.com/${status}?to=/next`, method: "POST", body: "data" });
      expect(seen[1]).toMatchObject(
        status < 307 ? { method: "GET", body: "" } : { method: "POST", body: "data" },
      );
    }
  });

  it("end after five", async () => {
    const failure = await failureOf(sendWith()({ url: "http://site.com/loop" }));
    expect(failure.code).toBe("NETWORK_ERROR");
    expect(failure.message).toContain("more than 5 times");
    expect(seen).toHaveLength(6);
  });
});

describe("servers that do not play fair", () => {
  const quick = (path: string) => sendWith()({ url: `http://slow.com${path}`, timeoutMs: 300 });

  it("a server that hangs is TIMEOUT, and is hung up on", async () => {
    const failure = await failureOf(quick("/hang"));
    expect(failure.code).toBe("TIMEOUT");
    expect(failure.message).toContain("within 0.3 s");
    await hungUp.promise;
  });

  it("a byte a second is TIMEOUT: the limit is for the whole answer", async () => {
    expect((await failureOf(quick("/drip"))).code).toBe("TIMEOUT");
    await hungUp.promise;
  });

  it("a resolver that hangs is TIMEOUT", async () => {
    const guard = publicGuard({ ...internet, policy: () => "ask", resolve: () => new Promise(() => {}) });
    const failure = await failureOf(createSend(guard, limits)({ url: "http://site.com/", timeoutMs: 100 }));
    expect(failure.code).toBe("TIMEOUT");
  });

  it("a body announced as 10 GB is TOO_LARGE before any of it is read", async () => {
    const failure = await failureOf(sendWith()({ url: "http://raw.com/huge" }));
    expect(failure.code).toBe("TOO_LARGE");
    expect(failure.message).toContain("is 10000 MB");
  });

  it("a body that never ends is TOO_LARGE, and memory stays bounded", async () => {
    const before = process.memoryUsage().arrayBuffers;
    expect((await failureOf(sendWith()({ url: "http://slow.com/endless" }))).code).toBe("TOO_LARGE");
    await hungUp.promise;
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  });

  for (const encoding of ["gzip", "deflate", "br", "zstd", "gzip, gzip"]) {
    it(`a ${encoding} bomb is TOO_LARGE, and memory stays bounded`, async () => {
      const before = process.memoryUsage().arrayBuffers;
      const url = `http://packed.com/${encodeURIComponent(encoding)}/bomb`;
      expect((await failureOf(sendWith()({ url }))).code).toBe("TOO_LARGE");
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
    });

    it(`${encoding} is unpacked`, async () => {
      const { bytes } = await sendWith()({ url: `http://packed.com/${encodeURIComponent(encoding)}/text` });
      expect(bytes.toString()).toBe("unpacked");
    });
  }

  it("a packing nobody knows, or one inside another inside another, is refused", async () => {
    for (const encoding of ["lzma", "gzip, gzip, gzip"]) {
      const url = `http://packed.com/${encodeURIComponent(encoding)}/text`;
      expect((await failureOf(sendWith()({ url }))).code).toBe("NETWORK_ERROR");
    }
  });

  it("a body shorter than announced is NETWORK_ERROR, never half a page", async () => {
    const failure = await failureOf(sendWith()({ url: "http://raw.com/short" }));
    expect(failure.code).toBe("NETWORK_ERROR");
    expect(failure.message).toContain("before the response was complete");
  });

  it("a body longer than announced ends where it was announced to", async () => {
    expect((await sendWith()({ url: "http://raw.com/long" })).bytes.toString()).toBe("four");
  });

  for (const path of ["/two-lengths", "/chunks", "/nonsense", "/headers", "/gone"]) {
    it(`a malformed answer (${path}) is NETWORK_ERROR`, async () => {
      expect((await failureOf(sendWith()({ url: `http://raw.com${path}` }))).code).toBe("NETWORK_ERROR");
    });
  }

  it("a certificate for another name is NETWORK_ERROR", async () => {
    const failure = await failureOf(sendWith()({ url: "https://wrong-name.com/" }));
    expect(failure.code).toBe("NETWORK_ERROR");
    expect(failure.message).toContain("certificate of wrong-name.com is not valid");
  });

  it("a certificate nobody signed is NETWORK_ERROR", async () => {
    const strange = await startInternet(
      { "strange.com": (_, r) => r.end("never seen") },
      selfSigned("strange.com"),
    );
    const send = createSend(publicGuard({ ...strange, policy: () => "ask" }), limits);
    const failure = await failureOf(send({ url: "https://strange.com/" }));
    expect(failure.code).toBe("NETWORK_ERROR");
    expect(failure.message).toContain("certificate of strange.com is not valid");
    await strange.close();
  });

  it("a name that does not exist is NETWORK_ERROR", async () => {
    const failure = await failureOf(sendWith()({ url: "http://nowhere.com/" }));
    expect(failure.code).toBe("NETWORK_ERROR");
    expect(failure.message).toMatch(
      /was not found\. Check the spelling, and whether|has no network connection/,
    );
  });
});

describe("a request", () => {
  it("over https reaches the named host", async () => {
    const response = await sendWith()({ url: "https://secure.com/" });
    expect(response.bytes.toString()).toBe("secure");
    expect(internet.dials).toMatchObject([{ host: "secure.com", port: 443 }]);
  });

  it("carries no cookies and no credentials of its own, and stays off the proxy of the environment", async () => {
    process.env["http_proxy"] = "http://127.0.0.1:1/";
    process.env["HTTP_PROXY"] = "http://127.0.0.1:1/";
    await sendWith()({ url: "http://site.com/" }).finally(() => {
      delete process.env["http_proxy"];
      delete process.env["HTTP_PROXY"];
    });
    expect(seen[0]?.headers).not.toHaveProperty("cookie");
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
    expect(seen[0]?.headers["host"]).toBe("site.com");
  });

  it("cannot set the headers that frame it", async () => {
    for (const name of ["Host", "Content-Length", "transfer-encoding", "Connection", "Proxy-Authorization"]) {
      const failure = await failureOf(sendWith()({ url: "http://site.com/", headers: { [name]: "x" } }));
      expect(failure.code).toBe("INVALID_INPUT");
    }
    const split = sendWith()({ url: "http://site.com/", headers: { "x-a": "1\r\nx-b: 2" } });
    expect((await failureOf(split)).code).toBe("INVALID_INPUT");
    expect(seen).toEqual([]);
  });

  it("is ABORTED by its caller's signal", async () => {
    const stop = new AbortController();
    const failed = failureOf(sendWith()({ url: "http://slow.com/hang", signal: stop.signal }));
    await expect.poll(() => internet.dials).toHaveLength(1);
    stop.abort();
    expect((await failed).code).toBe("ABORTED");
  });

  it("is refused by inspect before its body is read", async () => {
    const inspect = () => {
      throw new Failure("NOT_TEXT", "no");
    };
    expect((await failureOf(sendWith()({ url: "http://slow.com/endless", inspect }))).code).toBe("NOT_TEXT");
    await hungUp.promise;
  });
});
