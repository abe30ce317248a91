import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { MessagesRequest } from "../testing/anthropic-request.ts";
import { anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import type { AnyTool } from "../tool/tool.ts";
import { agentBrowserClose } from "../tools/web/agent-browser-close.ts";
import { agentBrowserExtract } from "../tools/web/agent-browser-extract.ts";
import { agentBrowserInteract } from "../tools/web/agent-browser-interact.ts";
import { agentBrowserNavigate } from "../tools/web/agent-browser-navigate.ts";
import { browseWeb } from "../tools/web/browse-web.ts";
import { getWeather } from "../tools/web/get-weather.ts";
import { knownBrowsers } from "../web/browser/launch.ts";
import { html, json, startInternet, startService } from "../web/fake-internet.suite.ts";
import { createWeb } from "../web/web.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { type TestServer, testServer } from "./server.suite.ts";

const coreTools = [
  "createDocument",
  "updateDocument",
  "readDocument",
  "listDocuments",
  "searchDocuments",
  "requestSuggestions",
  "createPlan",
  "updatePlan",
  "readPlan",
  "readSkill",
  "searchSkills",
  "searchTools",
];

const venue = `<title>Casa do Pão</title><h1>Casa do Pão</h1><p>${"A bakery school in Lisbon with a long history of good bread. ".repeat(8)}</p>
<label>Your name <input id="n"></label><button onclick="document.querySelector('output').textContent='Booked for '+document.querySelector('#n').value">Book</button><output></output>`;

const code = `
import csv, struct, zlib
def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
rows = b"".join(b"\\0" + bytes([60, 110 + y, 160]) * 120 for y in range(80))
open("costs.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 120, 80, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
csv.writer(open("costs.csv", "w")).writerows([["item", "euros"], ["course", 90], ["train", 12.5]])
print("total", 90 + 12.5)
`;

/** The text of the newest tool result in a request. */
function lastResult({ messages }: MessagesRequest): string {
  const { content } = messages.at(-1) ?? { content: "" };
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** Web tools of the server on an internet of this machine; the guard, the browser and the approvals are the real ones. */
async function withLocalInternet(server: TestServer): Promise<void> {
  const internet = await startInternet({ "casa.com": (_, response) => html(response, venue) });
  const weather = await startService((request, response) =>
    json(
      response,
      request.url?.startsWith("/v1/search")
        ? { results: [{ name: "Lisbon", latitude: 38.7, longitude: -9.1, country: "Portugal" }] }
        : {
            current: {
              time: "2026-11-15T09:00",
              temperature_2m: 17.3,
              apparent_temperature: 16.1,
              relative_humidity_2m: 71,
              weather_code: 61,
              wind_speed_10m: 14.4,
              wind_direction_10m: 314,
            },
            current_units: {
              temperature_2m: "°C",
              apparent_temperature: "°C",
              relative_humidity_2m: "%",
              wind_speed_10m: "km/h",
            },
          },
    ),
  );
  const web = createWeb({
    isLocalOpen: () => false,
    policy: () => "ask",
    resolve: internet.resolve,
    dial: internet.dial,
    search: {},
    weather: { geocodingUrl: weather.url, forecastUrl: weather.url },
    browser: { executables: knownBrowsers, idleMs: 60_000, stepMs: 45_000 },
  });
  onTestFinished(async () => {
    await web.close();
    await internet.close();
    await weather.close();
  });
  const { registry } = server.wield.tools;
  for (const make of [
    agentBrowserNavigate,
    agentBrowserInteract,
    agentBrowserExtract,
    agentBrowserClose,
    browseWeb,
    getWeather,
  ]) {
    const tool = make(() => web) as AnyTool;
    registry.unregister(tool.name);
    registry.register(tool);
  }
}

/** Answers every question of the run with yes. */
async function approve(page: Page, stop: AbortSignal): Promise<string[]> {
  const asked: string[] = [];
  while (!stop.aborted) {
    const dialog = page.getByRole("dialog");
    const opened = await dialog.waitFor({ timeout: 500 }).then(
      () => true,
      () => false,
    );
    if (!opened) continue;
    asked.push((await dialog.getByRole("heading").first().textContent()) ?? "");
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
  }
  return asked;
}

describe.skipIf(!hasChromium)("the assistant on the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("plan, tool search, weather, skill, browser, code, documents and suggestions in one conversation", async () => {
    const results: string[] = [];
    let id = "";
    const use = (name: string, input: unknown): WireReply => ({
      content: [{ type: "tool_use", id: `toolu_${results.length}`, name, input }],
    });
    const ref = (pattern: RegExp) => `@${pattern.exec(results.at(-1) ?? "")?.[1]}`;
    const script: (() => WireReply)[] = [
      () => use("createPlan", { title: "A baking course", steps: ["Weather", "Book", "Costs", "Report"] }),
      () => use("searchTools", { query: "weather" }),
      () => use("getWeather", { city: "Lisbon" }),
      () => use("updatePlan", { stepId: "1", status: "done" }),
      () => use("searchTools", { query: "browser" }),
      () => use("readSkill", { name: "agent-browser" }),
      () => use("agentBrowserNavigate", { url: "http://casa.com/" }),
      () => use("agentBrowserInteract", { action: "fill", ref: ref(/textbox[^@]*@(e\d+)/), value: "Ana" }),
      () => use("agentBrowserInteract", { action: "click", ref: ref(/button[^@]*@(e\d+)/) }),
      () => use("agentBrowserExtract", {}),
      () => use("agentBrowserClose", {}),
      () => use("browseWeb", { url: "http://casa.com/" }),
      () => use("updatePlan", { stepId: "2", status: "done" }),
      () => use("searchTools", { query: "code" }),
      () => use("executeCode", { code }),
      () => use("updatePlan", { stepId: "3", status: "done" }),
      () =>
        use("createDocument", {
          title: "Baking course",
          kind: "text",
          content: "# Course\n\nIt are booked.",
        }),
      () => {
        id = /d_[0-9a-z]{10}/.exec(results.at(-1) ?? "")?.[0] ?? "";
        return use("updateDocument", {
          id,
          edits: [{ oldText: "booked.", newText: "booked. It costs 102.50 euros." }],
          description: "costs",
        });
      },
      () => use("requestSuggestions", { id }),
      () => use("searchDocuments", { query: "course euros" }),
      () => use("listDocuments", {}),
      () => use("readDocument", { id }),
      () => use("searchSkills", { query: "fill in a web form" }),
      () => use("updatePlan", { stepId: "4", status: "done" }),
      () => use("readPlan", {}),
      () => ({ content: [{ type: "text", text: "Everything is booked and written down." }] }),
    ];
    const wire = await anthropicServer((request) => {
      // A review is a request without tools.
      if (!request.tools?.some(({ name }) => name === "createPlan")) {
        const suggestions = [{ original: "It are booked", suggested: "It is booked", reason: "Grammar." }];
        const review = JSON.stringify({ suggestions });
        const answer = request.tools?.[0];
        return {
          content: [
            answer
              ? { type: "tool_use", id: "toolu_review", name: answer.name, input: { suggestions } }
              : { type: "text", text: review },
          ],
        };
      }
      if (request.messages.length > 1) results.push(lastResult(request));
      return script[results.length]?.() ?? { content: [{ type: "text", text: "No more." }] };
    });
    onTestFinished(() => wire.close());
    const env = {
      ANTHROPIC_API_KEY: "key-for-tests",
      ANTHROPIC_BASE_URL: wire.url,
      OLLAMA_HOST: "127.0.0.1:1",
    };
    const server = await testServer({}, { env });
    await withLocalInternet(server);
    const page = await openTab(browser, server);
    await page.getByText("Assistant", { exact: true }).click();
    await say(page, "Book me a baking course in Lisbon and write down what it costs");
    const over = new AbortController();
    const approvals = approve(page, over.signal);
    const conversation = await answered(page);
    over.abort();
    const asked = await approvals;

    // What the model was told: core tools in full and in order, the others by category, and in which order to use them.
    const [first] = wire.requests;
    const system = JSON.stringify(first?.system);
    expect(first?.tools?.map(({ name }) => name)).toEqual(coreTools);
    const places = [
      "(use searchTools to discover)",
      "FIRST searchTools",
      "THEN optionally readSkill",
      "**Browser Automation**: agentBrowserNavigate, agentBrowserInteract, agentBrowserExtract, agentBrowserClose",
      "**Web Content**: browseWeb",
      "**Code Execution**: executeCode",
      "**Utility**: getWeather",
      "Skills: agent-browser",
    ].map((words) => system.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));

    // Every call did its work; none failed.
    const failed = results.filter((text) => text.includes('"is_error":true'));
    expect(failed).toEqual([]);
    const after = (step: number) => results[step] ?? "";
    expect(after(1)).toMatch(/getWeather \(Utility\).*city \(string, optional\).*e\.g\. getWeather/);
    expect(after(2)).toMatch(/Lisbon.*17\.3 °C.*rain.*71/is);
    for (const name of ["Navigate", "Interact", "Extract", "Close"])
      expect(after(4)).toContain(`agentBrowser${name} (Browser Automation)`);
    expect(after(4)).toMatch(
      /browseWeb \(Web Content\).*url \(string, required\).*Load skill 'web-reading' with readSkill/,
    );
    expect(after(4).match(/Load skill 'agent-browser' with readSkill for expert guidance/g)).toHaveLength(4);
    expect(after(5)).toContain("refs");
    expect(after(9)).toContain("Booked for Ana");
    expect(after(11)).toContain("A bakery school in Lisbon");
    expect(after(13)).toMatch(/executeCode \(Code Execution\).*installPackages/);
    expect(after(14)).toMatch(/total 102\.5.*image costs\.png.*file costs\.csv/s);
    expect(after(18)).toContain("It is booked");
    expect(after(21)).toContain("102.50 euros");
    expect(after(22)).toContain("agent-browser");
    expect(after(24)).toContain("4 of 4 done");
    expect(asked.slice(0, 2)).toEqual(["Weather", "Open a page in the browser"]);

    // What the person sees: answers, a finished plan, files, the document with its suggestion beside them.
    expect(conversation).toContain("Everything is booked and written down.");
    expect(await page.getByRole("list", { name: "Plan" }).getByRole("listitem").allTextContents()).toEqual([
      "done: Weather",
      "done: Book",
      "done: Costs",
      "done: Report",
    ]);
    const files = page.getByRole("region", { name: "Files" });
    await files.getByRole("img", { name: "costs.png" }).waitFor();
    await files.getByRole("cell", { name: "train" }).waitFor();
    const document = page.getByRole("complementary", { name: "Document" });
    await document.getByText("It are booked. It costs 102.50 euros.").waitFor();
    await document.getByRole("button", { name: "Accept" }).click();
    await document.getByText("It is booked. It costs 102.50 euros.").waitFor();
    await lookAt(page, "assistant");
    expect(await server.wield.store.documents(server.root).read(id)).toMatchObject({ version: 3 });
  });
});
