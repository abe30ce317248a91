import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../testing/chromium.suite.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { type GuardedServer, guardedServer } from "./oauth.suite.ts";
import { guardedFetch } from "./oauth.ts";

const signal = AbortSignal.timeout(60_000);

describe("a remote server with OAuth", () => {
  let guarded: GuardedServer;
  let browser: Browser;
  let place: TestWield;
  beforeAll(async () => {
    guarded = await guardedServer();
    browser = await launchChromium();
    place = await testWield({}, { settings: { mcp: { guarded: { url: guarded.url } } } });
  });
  afterAll(async () => {
    await browser.close();
    await place.close();
    await guarded.close();
  });
  const tokensFile = () => join(place.env["XDG_CONFIG_HOME"] ?? "", "wield/mcp-tokens.json");

  /** What a person does: signs in and allows the access. */
  const inBrowser = async (url: string) => {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByPlaceholder("Enter any login").fill("ada");
    await page.getByPlaceholder("and password").fill("x");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Wield has the answer").waitFor();
    await page.close();
  };

  test("without a sign-in nothing is registered, and the way to one is named", async () => {
    expect(place.wield.tools.problems().join()).toContain("wield tools login guarded");
    expect(guarded.registered()).toBe(0);
  });

  test("a person signs in with a browser: code with PKCE, tokens for their owner alone, tools at once", async () => {
    const shown = Promise.withResolvers<string>();
    const signingIn = place.wield.mcp.signIn("guarded", shown.resolve, signal);
    const url = new URL(await Promise.race([shown.promise, signingIn.then(() => "")]));
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(url.searchParams.get("resource")).toBe(guarded.url);
    // Somebody else's answer does not end the wait.
    const redirect = url.searchParams.get("redirect_uri") ?? "";
    expect((await fetch(`${redirect}?code=forged&state=wrong`)).status).toBe(404);
    await Promise.all([inBrowser(url.href), signingIn]);
    expect(guarded.registered()).toBe(1);
    expect(statSync(tokensFile()).mode & 0o777).toBe(0o600);
    await place.wield.tools.ready();
    expect((await place.wield.callAny("guarded__whoami", {})).text).toContain("APPROVAL_REQUIRED");
    expect(place.wield.tools.problems()).toEqual([]);
  });

  test("an expired token is renewed without a question, and the new one is kept", async () => {
    const before = readFileSync(tokensFile(), "utf8");
    guarded.expireTokens();
    const wield = await place.reopen({
      settings: { mcp: { guarded: { url: guarded.url } } },
      approve: () => ({ approved: true }),
    });
    expect((await wield.callAny("guarded__whoami", {})).text).toContain("a guest with a token");
    expect(guarded.grants.at(-1)).toBe("refresh_token");
    expect(readFileSync(tokensFile(), "utf8")).not.toBe(before);
  });

  test("a sign-in that cannot be renewed says what to do, and is not shown to the model as a crash", async () => {
    guarded.revokeAll();
    const wield = await place.reopen({
      settings: { mcp: { guarded: { url: guarded.url } } },
      approve: () => ({ approved: true }),
    });
    const { result } = await wield.callAny("guarded__whoami", {});
    expect(result.ok ? "" : result.error.message).toContain("wield tools login guarded");
  });

  test("signing out forgets it", async () => {
    writeFileSync(
      tokensFile(),
      JSON.stringify({ [guarded.url]: { tokens: { access_token: "t" } }, other: {} }),
    );
    expect(place.wield.mcp.signOut("guarded")).toBe(true);
    expect(readFileSync(tokensFile(), "utf8")).not.toContain("access_token");
    expect(place.wield.mcp.signOut("guarded")).toBe(false);
    expect(JSON.parse(readFileSync(tokensFile(), "utf8"))).toEqual({ other: {} });
  });

  test("a server cannot lead Wield to another address of this network", async () => {
    const elsewhere: string[] = [];
    const beyond = async (url: URL) => {
      elsewhere.push(url.href);
      return new Response("{}");
    };
    const fetchFor = guardedFetch("https://mcp.example/mcp", {}, beyond);
    await expect(fetchFor(`${guarded.issuer}/.well-known/openid-configuration`)).rejects.toThrow(/not https/);
    await expect(fetchFor("http://10.0.0.1/metadata")).rejects.toThrow(/not https/);
    // Nor by a redirect.
    const leading = createServer((_, response) =>
      response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
    );
    await new Promise<void>((resolve) => leading.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(leading.address() as AddressInfo).port}/`;
    await expect(guardedFetch(url, {}, beyond)(url)).rejects.toThrow(
      /leads to http:\/\/10\.0\.0\.1, which is not https/,
    );
    leading.close();
    // What is https goes through the guard of the web, which knows addresses.
    await fetchFor("https://10.0.0.1/metadata");
    expect(elsewhere).toEqual(["https://10.0.0.1/metadata"]);
  });

  test("keys and tokens stay at the server's own origin: neither a redirect nor an address that it names gets them", async () => {
    const seen: Record<string, string | undefined>[] = [];
    const servers = [0, 1].map(() => createServer());
    const urls: string[] = [];
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    }
    const [own = "", other = ""] = urls;
    servers[0]?.on("request", (_, response) => response.writeHead(302, { location: other }).end());
    servers[1]?.on("request", ({ headers }, response) => {
      seen.push({
        key: headers["x-api-key"] as string,
        bearer: headers.authorization,
        accept: headers.accept,
      });
      response.end("{}");
    });
    const headers = { "X-Api-Key": "k3y" };
    const fetchFor = guardedFetch(own, headers, fetch);
    const init = { headers: { ...headers, authorization: "Bearer t0ken", accept: "application/json" } };
    await fetchFor(own, init);
    // A client's own credentials are for the authorization server that it is sent to; those of the settings are not.
    await fetchFor(other, init);
    for (const server of servers) server.close();
    expect(seen).toEqual([
      { accept: "application/json" },
      { accept: "application/json", bearer: "Bearer t0ken" },
    ]);
  });

  test("a pre-registered client is used as it is given", async () => {
    const file = join(place.env["HOME"] ?? "", "tokens.json");
    const { Provider } = await import("./oauth.ts");
    const config = {
      url: guarded.url,
      headers: {},
      roots: false,
      oauth: { clientId: "mine", clientSecret: "$SECRET" },
    };
    expect(new Provider(config, file, { SECRET: "s" }).clientInformation()).toEqual({
      client_id: "mine",
      client_secret: "s",
    });
  });
});
