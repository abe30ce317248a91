import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../failure/failure.ts";
import { html, json, startService } from "../fake-internet.suite.ts";
import type { SearchSettings } from "../web-settings.ts";
import { chooseSearch } from "./search.ts";

const never = new AbortController().signal;
let service: Awaited<ReturnType<typeof startService>>;
let answer: (response: ServerResponse) => void = (response) => response.end();
let asked: { method: string; url: URL; headers: IncomingMessage["headers"]; body: string }[] = [];

beforeAll(async () => {
  service = await startService(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    asked.push({ method: request.method ?? "", url, headers: request.headers, body });
    answer(response);
  });
});
afterAll(() => service.close());
beforeEach(() => {
  asked = [];
});

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    (value) => `it worked: ${JSON.stringify(value)}`,
    (thrown) => thrown,
  );
  if (!(outcome instanceof Failure)) throw new Error(`not a Failure: ${outcome}`);
  return outcome;
}

const withKey = { key: "the-key" };
const search = (settings: SearchSettings, count = 5) =>
  chooseSearch(settings).search("wield tools", count, never);

describe("the order of providers", () => {
  const all: SearchSettings = {
    tavily: withKey,
    exa: withKey,
    brave: withKey,
    searxng: { url: "http://127.0.0.1:8888" },
  };
  it("is Tavily, Exa, Brave, SearXNG, and DuckDuckGo without any", () => {
    const { tavily: _1, ...afterTavily } = all;
    const { exa: _2, ...afterExa } = afterTavily;
    const { brave: _3, ...afterBrave } = afterExa;
    const names = [all, afterTavily, afterExa, afterBrave, {}].map((settings) => chooseSearch(settings).name);
    expect(names).toEqual(["tavily", "exa", "brave", "searxng", "duckduckgo"]);
  });

  it("asks each at its usual place unless told otherwise", () => {
    const urls = [{ tavily: withKey }, { exa: withKey }, { brave: withKey }, {}].map(
      (s) => chooseSearch(s).url,
    );
    expect(urls).toEqual([
      "https://api.tavily.com/",
      "https://api.exa.ai/",
      "https://api.search.brave.com/",
      "https://html.duckduckgo.com/",
    ]);
    expect(() => chooseSearch({ searxng: { url: "not a url" } })).toThrow(/Correct it in the settings/);
  });
});

describe("Tavily", () => {
  const settings = () => ({ tavily: { ...withKey, url: service.url } });

  it("gives results", async () => {
    answer = (response) =>
      json(response, {
        query: "wield tools",
        answer: null,
        images: [],
        results: [
          {
            title: "One",
            url: "https://one.com/",
            content: "First &amp; best",
            score: 0.98,
            raw_content: null,
          },
          { title: "Two", url: "https://two.com/a", content: "Second", score: 0.5, raw_content: null },
        ],
        response_time: 1.2,
      });
    expect(await search(settings())).toEqual([
      { title: "One", url: "https://one.com/", snippet: "First & best" },
      { title: "Two", url: "https://two.com/a", snippet: "Second" },
    ]);
    expect(asked[0]).toMatchObject({ method: "POST", headers: { authorization: "Bearer the-key" } });
    expect(asked[0]?.url.pathname).toBe("/search");
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({ query: "wield tools", max_results: 5 });
  });

  it("tells a wrong key, a used-up plan and a limit apart", async () => {
    answer = (response) =>
      json(response, { detail: { error: "Unauthorized: missing or invalid API key." } }, 401);
    const key = await failureOf(search(settings()));
    expect(key.code).toBe("UNAVAILABLE");
    expect(key.message).toContain("Unauthorized: missing or invalid API key.");
    answer = (response) =>
      json(response, { detail: { error: "This request exceeds your plan's set usage limit." } }, 432);
    expect((await failureOf(search(settings()))).code).toBe("LIMIT_EXCEEDED");
    answer = (response) =>
      json(response, { detail: { error: "Too many requests" } }, 429, { "retry-after": "7" });
    const limit = await failureOf(search(settings()));
    expect(limit).toMatchObject({ code: "LIMIT_EXCEEDED", details: { retryAfterSeconds: 7 } });
    expect(limit.message).toContain("Try again in 7 s");
  });
});

describe("Exa", () => {
  const settings = () => ({ exa: { ...withKey, url: service.url } });

  it("gives results", async () => {
    answer = (response) =>
      json(response, {
        requestId: "b5947044c4b78efa9552a7c89b306d95",
        resolvedSearchType: "neural",
        results: [
          {
            id: "1",
            title: "One",
            url: "https://one.com/",
            publishedDate: "2026-01-01",
            author: null,
            text: "Text  of\none",
          },
          { id: "2", title: null, url: "https://two.com/", highlights: ["a part", "another"] },
        ],
        costDollars: { total: 0.005 },
      });
    expect(await search(settings(), 3)).toEqual([
      { title: "One", url: "https://one.com/", snippet: "Text of one" },
      { title: "two.com", url: "https://two.com/", snippet: "a part … another" },
    ]);
    expect(asked[0]).toMatchObject({ method: "POST", headers: { "x-api-key": "the-key" } });
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({ query: "wield tools", numResults: 3 });
  });

  it("tells a wrong key, no credits and a limit apart", async () => {
    answer = (response) =>
      json(response, { requestId: "x", error: "Invalid API key", tag: "INVALID_API_KEY" }, 401);
    expect(await failureOf(search(settings()))).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("Invalid API key"),
    });
    answer = (response) => json(response, { error: "No more credits", tag: "NO_MORE_CREDITS" }, 402);
    expect((await failureOf(search(settings()))).code).toBe("LIMIT_EXCEEDED");
    answer = (response) => json(response, { error: "Too fast" }, 429);
    expect((await failureOf(search(settings()))).message).toContain("Try again later");
  });
});

describe("Brave", () => {
  const settings = () => ({ brave: { ...withKey, url: service.url } });

  it("gives results, without its marks", async () => {
    answer = (response) =>
      json(response, {
        type: "search",
        query: { original: "wield tools" },
        web: {
          type: "search",
          results: [
            {
              title: "<strong>Wield</strong> &#x27;tools&#x27;",
              url: "https://one.com/",
              description: "All <strong>tools</strong> &lt;here&gt;",
            },
          ],
        },
      });
    expect(await search(settings())).toEqual([
      { title: "Wield 'tools'", url: "https://one.com/", snippet: "All tools <here>" },
    ]);
    expect(asked[0]?.headers["x-subscription-token"]).toBe("the-key");
    expect(asked[0]?.url.search).toBe("?q=wield+tools&count=5");
  });

  it("knows that no results are no results", async () => {
    answer = (response) => json(response, { type: "search", query: { original: "x" } });
    expect(await search(settings())).toEqual([]);
  });

  it("tells a wrong key and a limit apart", async () => {
    const error = (code: string, status: number) => (response: ServerResponse) =>
      json(response, { type: "ErrorResponse", error: { code, detail: `Detail of ${code}`, status } }, status);
    answer = error("SUBSCRIPTION_TOKEN_INVALID", 422);
    expect(await failureOf(search(settings()))).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("Detail of SUBSCRIPTION_TOKEN_INVALID"),
    });
    answer = error("VALIDATION", 422);
    expect((await failureOf(search(settings()))).code).toBe("NETWORK_ERROR");
    answer = error("RATE_LIMITED", 429);
    expect((await failureOf(search(settings()))).code).toBe("LIMIT_EXCEEDED");
  });
});

describe("SearXNG", () => {
  const settings = () => ({ searxng: { url: service.url } });

  it("gives results, each once, at most as many as asked for", async () => {
    const result = (n: number) => ({
      title: `T${n}`,
      url: `https://site${n}.com/`,
      content: `C${n}`,
      engine: "x",
      score: 1,
    });
    answer = (response) =>
      json(response, {
        query: "wield tools",
        number_of_results: 0,
        results: [result(1), result(1), { ...result(2), url: "javascript:alert(1)" }, result(3), result(4)],
        unresponsive_engines: [["google", "CAPTCHA"]],
      });
    expect((await search(settings(), 2)).map(({ title }) => title)).toEqual(["T1", "T3"]);
    expect(asked[0]?.url.search).toBe("?q=wield+tools&format=json");
  });

  it("says that JSON must be enabled", async () => {
    answer = (response) => html(response, "<title>403 Forbidden</title>", 403);
    const failure = await failureOf(search(settings()));
    expect(failure.code).toBe("UNAVAILABLE");
    expect(failure.message).toContain("search.formats");
  });

  it("does not call engines that all failed 'no results'", async () => {
    answer = (response) =>
      json(response, {
        results: [],
        unresponsive_engines: [
          ["google", "CAPTCHA"],
          ["bing", "timeout"],
        ],
      });
    const failure = await failureOf(search(settings()));
    expect(failure.code).toBe("LIMIT_EXCEEDED");
    expect(failure.message).toContain("google: CAPTCHA; bing: timeout");
    answer = (response) => json(response, { results: [], unresponsive_engines: [] });
    expect(await search(settings())).toEqual([]);
  });

  it("knows its limiter", async () => {
    answer = (response) => response.writeHead(429).end("Too Many Requests");
    expect((await failureOf(search(settings()))).code).toBe("LIMIT_EXCEEDED");
  });
});

describe("DuckDuckGo", () => {
  const settings = () => ({ duckduckgo: { url: service.url } });
  const page = (results: string) =>
    `<!DOCTYPE html><html><head><title>wield tools at DuckDuckGo</title></head><body><div id="links" class="results">${results}</div></body></html>`;
  const result = (href: string, title: string, snippet: string, more = "") =>
    `<div class="result results_links web-result ${more}"><h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2><a class="result__snippet" href="${href}">${snippet}</a></div>`;

  it("gives results with their real addresses, without advertisements", async () => {
    answer = (response) =>
      html(
        response,
        page(
          result("//duckduckgo.com/y.js?ad_domain=shop.com", "Buy tools", "Ad", "result--ad") +
            result(
              "//duckduckgo.com/l/?uddg=https%3A%2F%2Fone.com%2Fa%3Fb%3D1&amp;rut=abc",
              "One <b>tool</b>",
              "First &amp; <b>best</b>",
            ) +
            result("https://two.com/", "Two", "Second"),
        ),
      );
    expect(await search(settings())).toEqual([
      { title: "One tool", url: "https://one.com/a?b=1", snippet: "First & best" },
      { title: "Two", url: "https://two.com/", snippet: "Second" },
    ]);
    expect(asked[0]?.url.href).toContain("/html/?q=wield+tools");
  });

  it("knows that no results are no results", async () => {
    answer = (response) =>
      html(response, page('<div class="no-results">No results found for <b>x</b>.</div>'));
    expect(await search(settings())).toEqual([]);
  });

  for (const status of [200, 202]) {
    it(`reports a captcha with status ${status} as blocked, never as no results`, async () => {
      answer = (response) =>
        html(
          response,
          page('<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>'),
          status,
        );
      const failure = await failureOf(search(settings()));
      expect(failure.code).toBe("LIMIT_EXCEEDED");
      expect(failure.message).toContain("captcha");
      expect(failure.message).toContain("not the same as no results");
    });
  }

  it("reports a page it does not know, and an error status, as blocked", async () => {
    answer = (response) => html(response, "<h1>Something new</h1>");
    expect((await failureOf(search(settings()))).message).toContain("no list of results (status 200)");
    answer = (response) => html(response, page('<div class="no-results">No results.</div>'), 403);
    expect((await failureOf(search(settings()))).message).toContain("status 403");
  });
});

describe("every provider", () => {
  const providers: [name: string, settings: () => SearchSettings][] = [
    ["Tavily", () => ({ tavily: { ...withKey, url: service.url } })],
    ["Exa", () => ({ exa: { ...withKey, url: service.url } })],
    ["Brave", () => ({ brave: { ...withKey, url: service.url } })],
    ["SearXNG", () => ({ searxng: { url: service.url } })],
  ];
  for (const [name, settings] of providers) {
    it(`${name}: a broken server, a strange shape and nonsense are errors`, async () => {
      answer = (response) => json(response, { error: "boom" }, 503);
      expect(await failureOf(search(settings()))).toMatchObject({ code: "NETWORK_ERROR" });
      answer = (response) => json(response, { results: "many", web: 1 });
      expect((await failureOf(search(settings()))).message).toContain("unexpected response");
      answer = (response) => html(response, "<h1>Welcome</h1>");
      expect((await failureOf(search(settings()))).code).toBe("NETWORK_ERROR");
    });
  }

  it("stops when told to", async () => {
    const stop = new AbortController();
    answer = () => stop.abort();
    const work = chooseSearch({ searxng: { url: service.url } }).search("x", 1, stop.signal);
    expect((await failureOf(work)).code).toBe("ABORTED");
  });
});
