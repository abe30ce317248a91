import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel, type TestWield, testWield, yes } from "../testing/testing.ts";
import { knownBrowsers } from "../web/browser/launch.ts";
import {
  type FakeInternet,
  html,
  json,
  startInternet,
  startService,
  weatherReport,
} from "../web/fake-internet.suite.ts";
import { createGitHub } from "../web/research/github.ts";
import { createToolExecutor } from "../web/research/tool-executor.ts";
import { createWeb, type Web } from "../web/web.ts";
import { FolderCache } from "../workspace/folder-cache.ts";
import { expectGolden, type GoldenCall } from "./golden.suite.ts";
import { installPackage } from "./run/install-package.ts";
import { executionWith, PackageIndex } from "./run/package-index.suite.ts";
import { readResearch } from "./web/read-research.ts";
import { webTools } from "./web/web.ts";

const installed = knownBrowsers.find((path) => existsSync(path));
const sentence = "The tide comes in twice a day and nobody has to ask it to. ";
const article = (paragraphs: number) =>
  `<title>Tides</title><nav>Home</nav><main><h1>Tides</h1>${`<p>${sentence.repeat(6)}</p>`.repeat(paragraphs)}</main>`;
const form =
  '<title>Form</title><h1>Sign in</h1><form><label>Name <input name="n"></label><button>Go</button></form>';

let internet: FakeInternet;
let service: Awaited<ReturnType<typeof startService>>;
let web: Web;
let index: PackageIndex;
let place: TestWield;

beforeAll(async () => {
  internet = await startInternet({
    "docs.com": ({ url }, response) => {
      if (url === "/short") html(response, article(1));
      else if (url === "/long") html(response, article(400));
      else if (url === "/form") html(response, form);
      else html(response, "<title>No</title><h1>Not found</h1>", 404);
    },
  });
  service = await startService((request, response) => {
    const url = new URL(request.url ?? "", "http://service");
    if (url.pathname === "/search") json(response, { results: hits(url.searchParams.get("q")) });
    else if (url.pathname.startsWith("/repos/")) research(url.pathname, response);
    else if (url.searchParams.has("name"))
      json(response, url.searchParams.get("name") === "Nowhere" ? {} : { results: [brest] });
    else json(response, weatherReport);
  });
  index = await PackageIndex.start();
  web = createWeb({
    isLocalOpen: () => false,
    policy: () => "ask",
    resolve: internet.resolve,
    dial: internet.dial,
    search: { searxng: { url: service.url } },
    weather: { geocodingUrl: service.url, forecastUrl: service.url },
    browser: { executables: installed ? [installed] : [], idleMs: 600_000, stepMs: 60_000 },
  });
  const tools = await Promise.all(Object.values(webTools).map((make) => make({ web: async () => web })));
  const github = createGitHub({ repository: "me/research", apiUrl: service.url });
  place = await testWield(
    { "package.json": '{"name":"x"}\n' },
    {
      tools: ["explore", "task", "ask_person", "read_file"],
      customTools: [
        ...tools,
        readResearch(createToolExecutor(github, () => {})),
        installPackage(executionWith(index, () => new FolderCache(join(place.root, "../cache"), 1_000_000))),
      ],
      approve: () => yes,
    },
  );
});
afterAll(async () => {
  await place.close();
  await web.close();
  await internet.close();
  await service.close();
  index[Symbol.dispose]();
});

const hits = (query: string | null) =>
  Array.from({ length: query === "nothing" ? 0 : query === "tides" ? 2 : 40 }, (_, n) => ({
    title: `Page ${n}`,
    url: `https://example.com/${n}`,
    content: sentence.repeat(3),
  }));

function research(path: string, response: Parameters<typeof json>[0]): void {
  const repeated = path.includes("long") ? 2_000 : 2;
  if (path.includes("none")) json(response, { message: "Not Found" }, 404);
  else
    json(response, {
      type: "file",
      encoding: "base64",
      size: sentence.length * repeated,
      content: Buffer.from(`${sentence}\n`.repeat(repeated)).toString("base64"),
    });
}

const brest = { name: "Brest", country: "France", latitude: 48.39, longitude: -4.49 };

async function called(tool: string, ...inputs: object[]): Promise<GoldenCall[]> {
  const calls: GoldenCall[] = [];
  for (const input of inputs)
    calls.push({ input, text: readable((await place.wield.callAny(tool, input)).text) });
  return calls;
}

/** The mark of untrusted content is new in every result, and a port in every run. */
const readable = (text: string) =>
  text.replaceAll(/(<\/?untrusted )[0-9a-f]{12}/g, "$1…").replaceAll(service.url, "http://service");

const url = (path: string) => ({ url: `http://docs.com${path}` });
/** To accept a change: `npx vitest run src/tools/golden-services.test.ts -u`, and read the diff as a model would. */
test.each<[string, object, object, object]>([
  ["web_fetch", url("/missing"), url("/short"), url("/long")],
  ["web_search", { query: "nothing" }, { query: "tides" }, { query: "everything" }],
  ["browseWeb", url("/missing"), url("/short"), url("/long")],
  ["getWeather", { city: "Nowhere" }, { city: "Brest" }, { latitude: 48.39, longitude: -4.49 }],
  ["read_research", { path: "none.md" }, { path: "tides.md" }, { path: "long.md" }],
  [
    "install_package",
    { manager: "npm", packages: ["no-such-thing"] },
    { manager: "npm", packages: ["tiny-thing"] },
    { manager: "npm", packages: [] },
  ],
])("%s: nothing, a usual answer, very much", async (tool, nothing, usual, much) => {
  await expectGolden(tool, await called(tool, nothing, usual, much));
});

describe.skipIf(!installed)("the browser", () => {
  test("agentBrowserNavigate, agentBrowserInteract, agentBrowserExtract, agentBrowserClose", async () => {
    const closed = await called("agentBrowserClose", {});
    const opened = await called("agentBrowserNavigate", url("/missing"), url("/long"), url("/form"));
    const ref = (role: string) => new RegExp(`${role} .*(@e\\d+)`).exec(opened[2]?.text ?? "")?.[1] ?? "";
    await expectGolden(
      "agentBrowserNavigate",
      [opened[0], opened[2], opened[1]].filter((one) => !!one),
    );
    await expectGolden(
      "agentBrowserInteract",
      await called(
        "agentBrowserInteract",
        { action: "click", ref: "e99" },
        { action: "fill", ref: ref("textbox"), value: "Ada" },
        { action: "click", ref: ref("button") },
      ),
    );
    const extracted = await called("agentBrowserExtract", { ref: "e99" }, {});
    await called("agentBrowserNavigate", url("/long"));
    await expectGolden("agentBrowserExtract", [...extracted, ...(await called("agentBrowserExtract", {}))]);
    await expectGolden("agentBrowserClose", [...closed, ...(await called("agentBrowserClose", {}, {}))]);
  });
});

/** What the model of an agent reads as the result of the calls it makes, one after the other. */
test.each<[string, object, object, object]>([
  ["explore", { question: "fail" }, { question: "short" }, { question: "long" }],
  [
    "task",
    { profile: "explore", instructions: "fail" },
    { profile: "explore", instructions: "short" },
    { profile: "explore", instructions: "long" },
  ],
  [
    "ask_person",
    { questions: [] },
    { questions: [{ question: "Which colour?", options: ["red", "blue"] }] },
    { questions: ["A?", "B?", "C?", "D?"].map((question) => ({ question, options: ["yes", "no"] })) },
  ],
])("%s: nothing, a usual answer, very much", async (tool, ...inputs) => {
  const model = scriptedModel(({ prompt }) => {
    const text = JSON.stringify(prompt);
    const results = prompt.filter(({ role }) => role === "tool").length;
    if (text.includes("; change nothing"))
      return text.includes("fail")
        ? { calls: [{ tool: "read_file", input: { path: "none" } }] }
        : { say: text.includes('"text":"short"') ? "It is in a.ts:1." : "It is in a.ts:1.\n".repeat(900) };
    const input = inputs[results];
    return input ? { calls: [{ tool, input }] } : { say: "Done." };
  });
  const agent = await place.wield.agent({ model });
  await agent.send("Go on.");
  const [last] = model.requests
    .filter(({ prompt }) => !JSON.stringify(prompt).includes("; change nothing"))
    .slice(-1);
  const texts = (last?.prompt ?? []).flatMap(({ role, content }) =>
    role === "tool" && Array.isArray(content)
      ? content.flatMap((part) =>
          "output" in part && "value" in part.output ? [String(part.output.value)] : [],
        )
      : [],
  );
  expect(texts).toHaveLength(3);
  await expectGolden(
    tool,
    inputs.map((input, n) => ({ input, text: readable(texts[n] ?? "") })),
  );
});
