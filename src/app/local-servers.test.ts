import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { finished } from "node:stream/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { automaticApproval } from "../approval/approval.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const hasChromium = existsSync("/usr/bin/chromium");

let place: TestWield | undefined;
let own: Server;
let other: Server;
let origin = "";
let otherOrigin = "";
/** What the other server was asked for: nothing may ever reach it. */
let strayed: string[] = [];

beforeEach(async () => {
  strayed = [];
  other = createServer((request, response) => {
    strayed.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*").end("secret of another server");
  });
  own = createServer(async (request, response) => {
    // A server that answers before it has read everything may reset the connection, and its answer is lost.
    await finished(request.resume());
    if (request.url === "/away") response.writeHead(302, { location: `${otherOrigin}/redirected` }).end();
    else if (request.url === "/again") response.writeHead(307, { location: "/closed" }).end();
    else if (request.url === "/within") response.writeHead(302, { location: "/" }).end();
    else
      response
        .setHeader("content-type", "text/html")
        .end(
          `<title>Shop</title><h1>My own shop</h1><p id="got">waiting</p><script>fetch("${otherOrigin}/script").then((r) => r.text(), () => "refused").then((text) => { document.getElementById("got").textContent = text; });</script>`,
        );
  });
  otherOrigin = await listening(other);
  origin = await listening(own);
});
afterEach(async () => {
  await place?.close();
  place = undefined;
  for (const server of [own, other]) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

type Options = NonNullable<Parameters<typeof testWield>[1]>;
type Rules = NonNullable<NonNullable<Options["settings"]>["rules"]>;
const withRules = async (...rules: Rules) => {
  place = await testWield({}, { settings: { rules } });
  return place.wield;
};
const codeOf = ({ result }: { result: { ok: boolean; error?: { code: string } } }) =>
  result.ok ? "ok" : result.error?.code;

describe("a server on this machine", () => {
  test("is asked about by its origin, and a yes opens exactly this", async () => {
    const asked: string[] = [];
    const approve = ({ reason }: { reason: string }) => {
      asked.push(reason);
      return { approved: true };
    };
    place = await testWield({}, { approve });
    const { text } = await place.wield.call("web_fetch", { url: `${origin}/within` });
    expect(text).toContain("My own shop");
    expect(asked).toEqual([expect.stringContaining(`May tools reach ${origin}?`)]);
    // The answer was for that address: a redirect to another port of this machine is not followed.
    const away = await place.wield.call("web_fetch", { url: `${origin}/away` });
    expect(codeOf(away)).toBe("URL_NOT_ALLOWED");
    expect(strayed).toEqual([]);
  });

  test("is open by a rule that names its origin, and no other port is", async () => {
    const wield = await withRules({ decision: "allow", url: origin });
    expect((await wield.call("web_fetch", { url: `${origin}/` })).text).toContain("My own shop");
    expect(codeOf(await wield.call("web_fetch", { url: `${otherOrigin}/` }))).toBe("APPROVAL_REQUIRED");
    expect(codeOf(await wield.call("web_fetch", { url: `${origin}/away` }))).toBe("URL_NOT_ALLOWED");
    expect(strayed).toEqual([]);
  });

  test.each([
    ["a rule for the tool", () => [{ decision: "allow" as const, tool: "web_fetch" }]],
    ["a rule for the host", () => [{ decision: "allow" as const, url: "localhost" }]],
    ["a rule for another port", () => [{ decision: "allow" as const, url: otherOrigin }]],
    [
      "a rule for another scheme",
      () => [{ decision: "allow" as const, url: origin.replace("http", "https") }],
    ],
    ["a rule for everything", () => [{ decision: "allow" as const }]],
  ])("is not opened by %s", async (_, rules) => {
    const wield = await withRules(...rules());
    expect(codeOf(await wield.call("web_fetch", { url: `${origin}/` }))).toBe("APPROVAL_REQUIRED");
  });

  test("a redirect of a POST that is sent again is judged as a POST", async () => {
    const wield = await withRules(
      { decision: "allow", url: origin },
      { decision: "deny", url: `${origin}/closed`, method: "POST" },
    );
    const url = `${origin}/again`;
    expect(codeOf(await wield.call("web_fetch", { url, method: "POST", body: "x" }))).toBe("URL_NOT_ALLOWED");
    expect(codeOf(await wield.call("web_fetch", { url }))).toBe("ok");
  });

  test("is not opened by the mode auto, and a deny holds against the rule that opens it", async () => {
    const wield = await withRules({ decision: "allow", url: origin }, { decision: "deny", url: "localhost" });
    expect(codeOf(await wield.call("web_fetch", { url: `${origin}/` }))).toBe("URL_NOT_ALLOWED");
    await place?.close();
    place = await testWield({});
    await place.wield.settings.setMode("auto", { folder: true });
    expect(codeOf(await place.wield.call("web_fetch", { url: `${origin}/` }))).toBe("APPROVAL_REQUIRED");
  });

  test("is not opened by a yes that nobody looked at", async () => {
    place = await testWield({}, { asker: async (asks) => asks.map(automaticApproval) });
    const outcome = await place.wield.call("web_fetch", { url: `${origin}/` });
    expect(codeOf(outcome)).toBe("APPROVAL_DENIED");
    expect(outcome.text).toContain(`{"decision": "allow", "url": "${origin}"}`);
  });

  test("addresses of the local network stay closed, whatever is answered", async () => {
    place = await testWield({}, { approve: () => ({ approved: true }) });
    for (const url of [
      "http://192.168.1.1/",
      "http://169.254.169.254/",
      "http://printer.local/",
      "http://localhost./",
    ])
      expect(codeOf(await place.wield.call("web_fetch", { url }))).toBe("URL_NOT_ALLOWED");
  });

  test.skipIf(!hasChromium)("opens in the browser, whose page reaches no other port", async () => {
    const wield = await withRules({ decision: "allow", url: origin });
    const { text } = await wield.call("agentBrowserNavigate", { url: `${origin}/` });
    expect(text).toContain("My own shop");
    const read = async () => (await wield.call("agentBrowserExtract", {})).text;
    await expect.poll(read).not.toContain("waiting");
    expect(await read()).not.toContain("secret of another server");
    expect(strayed).toEqual([]);
  });

  test.skipIf(!hasBubblewrap)("is closed to runs as a whole where a rule denies a part of it", async () => {
    const { port } = new URL(origin);
    const code = `import urllib.request
for path in ["/", "/admin"]:
    try: print(urllib.request.urlopen("http://127.0.0.1:${port}" + path, timeout=60).read().decode()[:40])
    except Exception as error: print("refused", type(error).__name__)`;
    for (const url of [
      `${origin}/admin`,
      `http://127.0.0.1:${port}/admin/**`,
      `localhost:${port}/admin`,
      `https://LOCALHOST:${port}/admin`,
      `http://*:${port}/admin/*`,
    ]) {
      const wield = await withRules({ decision: "allow", url: origin }, { decision: "deny", url });
      expect((await wield.call("web_fetch", { url: `${origin}/` })).text).toContain("My own shop");
      const { result, text } = await wield.call("run_code", { language: "python", code });
      expect(JSON.stringify(result), url).not.toContain("Shop");
      expect(text, url).toContain(`Code here cannot reach ${origin}`);
      await place?.close();
    }
    for (const rule of [
      { decision: "deny" as const, url: `${otherOrigin}/admin` },
      { decision: "deny" as const, tool: "web_fetch", url: `${origin}/admin` },
      { decision: "deny" as const, url: "https://example.com/admin" },
    ]) {
      const wield = await withRules({ decision: "allow", url: origin }, rule);
      expect((await wield.call("run_code", { language: "python", code })).text).toContain("Shop");
      await place?.close();
    }
  });

  test.skipIf(!hasBubblewrap)("is reached from a run by exactly its port", async () => {
    const code = `import urllib.request
for url in ["${origin}/", "${otherOrigin}/"]:
    try: print(urllib.request.urlopen(url.replace("localhost", "127.0.0.1"), timeout=60).read().decode()[:40])
    except Exception as error: print("refused", type(error).__name__)`;
    const run = { language: "python" as const, code };
    const wield = await withRules({ decision: "allow", url: origin });
    const { text } = await wield.call("run_code", run);
    expect(text).toMatch(/<title>Shop[\s\S]*refused/);
    await place?.close();
    const closed = await withRules();
    expect((await closed.call("run_code", run)).text).toMatch(/refused[\s\S]*refused/);
    expect(strayed).toEqual([]);
  });

  test.skipIf(!hasBubblewrap)("is not reached by a run in plan mode", async () => {
    const code = `import urllib.request
try: print(urllib.request.urlopen("${origin.replace("localhost", "127.0.0.1")}/", data=b"x", timeout=60).read().decode()[:40])
except Exception as error: print("refused", type(error).__name__)`;
    const runIn = async (permissionMode: "ask" | "plan") => {
      const call = { tool: "run_code", input: { language: "python", code } };
      const model = scriptedModel([{ calls: [call] }, { say: "Done." }]);
      const agent = await wield.agent({ model, permissionMode });
      await agent.send("Go.");
      return JSON.stringify(model.requests.at(-1)?.prompt.at(-1));
    };
    const wield = await withRules({ decision: "allow", url: origin });
    expect(await runIn("ask")).toContain("<title>Shop");
    expect(await runIn("plan")).toContain("refused URLError");
  });

  test.skipIf(!hasBubblewrap)(
    "is reached from a run only at the address of the rule, and by no rule for one method",
    async () => {
      const port = Number(new URL(origin).port);
      const six = createServer((request, response) =>
        request.resume().on("end", () => response.end("on six")),
      );
      await new Promise<void>((resolve) => six.listen(0, "::1", resolve));
      const { port: sixPort } = six.address() as AddressInfo;
      const reached = async (url: string, ...rules: Rules) => {
        const wield = await withRules(...rules);
        const code = `import urllib.request
try: print("reached", urllib.request.urlopen("${url}/", data=b"x", timeout=60).status)
except Exception as error: print("refused", type(error).__name__, error)`;
        const { text } = await wield.call("run_code", { language: "python", code });
        await place?.close();
        place = undefined;
        return /reached 200|refused .*/.exec(text)?.[0] ?? text;
      };
      const allow = (url: string) => ({ decision: "allow" as const, url });
      const four = `http://127.0.0.1:${port}`;
      try {
        expect(await reached(four, allow(four))).toBe("reached 200");
        expect(await reached(four, allow(`http://127.0.0.5:${port}`))).toMatch(/^refused/);
        const nameless = `http://127.0.0.1:${sixPort}`;
        expect(await reached(nameless, allow(nameless))).toMatch(/^refused/);
        expect(await reached(`http://[::1]:${sixPort}`, allow(`http://[::1]:${sixPort}`))).toBe(
          "reached 200",
        );
        expect(await reached(four, { ...allow(four), method: "GET" })).toMatch(/^refused/);
        expect(await reached(four, allow(four), { decision: "deny", url: four, method: "DELETE" })).toMatch(
          /^refused/,
        );
      } finally {
        six.close();
      }
    },
  );
});
