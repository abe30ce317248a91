import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { unmatchedCitations } from "../agent/report.ts";
import type { MessagesRequest } from "../testing/anthropic-request.ts";
import {
  type AnthropicServer,
  anthropicServer,
  type WireBlock,
  type WireReply,
} from "../testing/anthropic-server.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { knownBrowsers } from "../web/browser/launch.ts";
import { type FakeGitHub, fakeGitHub } from "../web/research/fake-github.suite.ts";
import { runCli } from "./run-cli.suite.ts";

let place: TestWield | undefined;
let server: AnthropicServer | undefined;
afterEach(async () => {
  await server?.close();
  await place?.close();
  place = undefined;
  server = undefined;
});

const says = (text: string): WireReply => ({ content: [{ type: "text", text }] });
const firstMessage = ({ messages }: MessagesRequest) => JSON.stringify(messages[0]);
const isPlan = (request: MessagesRequest) => firstMessage(request).includes("Plan the research");
const isReport = (request: MessagesRequest) => firstMessage(request).includes("Write the report on: ");

/** Anthropic's own search: what it looked for, what it found, and a sentence that cites it. */
function searched(query: string, host: string, claim: string): WireBlock[] {
  const [url, title] = [`https://${host}/page`, `Page of ${host}`];
  const id = `srvtoolu_${host.replaceAll(".", "_")}`;
  return [
    { type: "server_tool_use", id, name: "web_search", input: { query } },
    {
      type: "web_search_tool_result",
      tool_use_id: id,
      content: [
        { type: "web_search_result", url, title, encrypted_content: "x", page_age: null },
        { type: "web_search_result", url: `https://${host}/other`, title: "Other", encrypted_content: "y" },
      ],
    },
    {
      type: "text",
      text: claim,
      citations: [
        { type: "web_search_result_location", url, title, cited_text: claim, encrypted_index: "z" },
      ],
    },
    { type: "text", text: " More is not known." },
  ];
}

/** A model that plans two questions, searches for each, and writes a report from the findings. */
function researcher(request: MessagesRequest): WireReply {
  if (isPlan(request)) return says("- What do solar roofs cost?\n- Who buys solar roofs?");
  if (isReport(request)) return says("# Solar roofs\n\nThey cost 900 euros [1]. Gardeners buy them [2].");
  return firstMessage(request).includes("Find out: What do solar roofs cost?")
    ? { content: searched("solar roof price", "prices.com", "They cost 900 euros.") }
    : { content: searched("solar roof buyers", "buyers.org", "Gardeners buy them.") };
}

async function research(
  answer: (request: MessagesRequest, index: number) => WireReply | Promise<WireReply>,
  args = ["Solar roofs for sheds"],
  files: Record<string, string> = {},
  { command = "research", variables = {} }: { command?: string; variables?: Record<string, string> } = {},
) {
  place ??= await testWield(files);
  await server?.close();
  server = await anthropicServer(answer);
  const key = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
  const result = await runCli({ ...place, env: { ...place.env, ...key, ...variables } }, [command, ...args]);
  const [, folder = ""] = /Report: (\S+)\/research\.md/.exec(result.err) ?? [];
  const read = (name: string) => place?.read(`${folder}/${name}`) ?? "";
  return { ...result, folder, read, requests: server.requests };
}

describe("a research", () => {
  test("plans questions, looks into them, and writes a report with the sources that the provider cited", async () => {
    const { code, out, err, folder, read, requests } = await research(researcher);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(folder).toMatch(/^ideas\/\d{4}-\d\d-\d\d-solar-roofs-for-sheds$/);
    expect(read("research.md")).toBe(`# Solar roofs

They cost 900 euros [1]. Gardeners buy them [2].

## Sources

1. Page of prices.com. <https://prices.com/page>
2. Page of buyers.org. <https://buyers.org/page>
`);
    expect(out).toBe(read("research.md"));
    expect(err).toContain("1. What do solar roofs cost?\n2. Who buys solar roofs?\n");
    expect(err).toContain('1  → web_search {"query":"solar roof price"}');
    expect(requests).toHaveLength(4);
    expect(requests.map(({ max_tokens }) => max_tokens)).toEqual([16_384, 16_384, 16_384, 16_384]);
    const writing = firstMessage(requests.find(isReport) as MessagesRequest);
    expect(writing).toContain("They cost 900 euros. [1] More is not known.");
    expect(writing).toContain("Gardeners buy them. [2] More is not known.");
  });

  test("its log has every search with its results, every step with its usage, and the checks", async () => {
    const { read } = await research(researcher);
    const log = read("exploration.md");
    expect(log).toContain("## Plan\n\n1. What do solar roofs cost?\n2. Who buys solar roofs?\n");
    expect(log).toContain(
      "1. `solar roof price`\n   - Page of prices.com <https://prices.com/page>\n   - Other <https://prices.com/other>\n",
    );
    expect(log).toContain("2. `solar roof buyers`\n");
    expect(log.match(/^\| a_\w+(?:-\w+)? \| 1 \| 0 \| 200 \| 0 \| 20 \|$/gm)).toHaveLength(4);
    expect(log).toContain("Every number in the report refers to a source");
    expect(log).toContain('**web_search** `{"query":"solar roof price"}` (run by the provider)');
  });

  test("the questions are looked into at the same time", async () => {
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    const { code } = await research(async (request) => {
      if (!isPlan(request) && !isReport(request)) {
        if (++waiting === 2) both.resolve();
        await both.promise;
      }
      return researcher(request);
    });
    expect(code).toBe(0);
  });

  test("knows of earlier reports, and cites them", async () => {
    const path = "ideas/2026-01-02-solar-fences/research.md";
    const read: WireReply = {
      content: [{ type: "tool_use", id: "toolu_1", name: "read_file", input: { path } }],
    };
    const result = await research(
      (_request, index) => (index === 0 ? read : says("# Solar roofs\n\nFences work [1].")),
      ["--questions", "0", "Solar roofs"],
      { [path]: "# Solar fences\n\nThey work.\n" },
    );
    expect(firstMessage(result.requests[0] as MessagesRequest)).toContain(path);
    expect(JSON.stringify(result.requests[1]?.messages.at(-1))).toContain("Cite this as [1].");
    expect(result.read("research.md")).toContain(`1. Solar fences. \`${path}\``);
    expect(result.read("exploration.md")).toMatch(
      /\| read_file \| `\{"path":"ideas\/.*"\}` \| \d+ \| \d+ \| {2}\|/,
    );
  });

  test("numbers without a source are marked, and said to the person", async () => {
    const { code, err, read } = await research((request) =>
      isReport(request) ? says("Cheap [1]. Loved [7].") : researcher(request),
    );
    expect(code).toBe(0);
    expect(read("research.md")).toContain("Cheap [1]. Loved [no source].");
    expect(unmatchedCitations(read("research.md"))).toEqual({ numbers: [], entries: [] });
    expect(err).toContain("! [7] in the report refers to no source");
    expect(read("exploration.md")).toContain("- [7] in the report refers to no source");
  });

  test("a question that fails is told in the report's material and to the person", async () => {
    const refused = { status: 400, error: { type: "invalid_request_error", message: "too long" } };
    const { code, err, requests } = await research((request) =>
      firstMessage(request).includes("Find out: Who buys") ? refused : researcher(request),
    );
    expect(code).toBe(0);
    expect(err).toMatch(/! There are no findings on “Who buys solar roofs\?”: .*too long/);
    expect(firstMessage(requests.find(isReport) as MessagesRequest)).toContain("There are no findings:");
  });
});

describe("what is no source", () => {
  test("an address that only a finding names is marked in the report, with a warning", async () => {
    const { err, read, requests } = await research((request) => {
      if (isReport(request))
        return says("Cheap [1]. Rare [3]. Not found: https://nowhere.org/list (not retrieved).");
      return firstMessage(request).includes("Find out: Who buys")
        ? {
            content: [
              ...searched("buyers", "buyers.org", "Gardeners buy them."),
              {
                type: "text",
                text: " Rare, says [a study](https://made-up.org/study) [9]. Not found: https://nowhere.org/list.",
              },
            ],
          }
        : researcher(request);
    });
    const writing = firstMessage(requests.find(isReport) as MessagesRequest);
    expect(writing).toContain("Rare, says a study [3] [no source].");
    expect(writing).toContain("Not found: <https://nowhere.org/list> (not retrieved).");
    expect(writing).toContain("[3] a study https://made-up.org/study (not retrieved)");
    const report = read("research.md");
    expect(report).toContain("Not found: <https://nowhere.org/list> (not retrieved).");
    expect(report).toContain(
      "2. a study. <https://made-up.org/study> (named by the model; not opened in this research)\n",
    );
    expect(report).not.toContain("3. ");
    expect(err).toContain("! https://made-up.org/study is cited, but was neither found nor opened");
    expect(err).toContain("! https://nowhere.org/list is named in the report, but was neither found");
    expect(err).toContain("! [9] in the findings on “Who buys solar roofs?” refers to no source");
  });

  test("the run that writes the report may look something up; its results are numbered on", async () => {
    const path = "ideas/2026-01-02-solar-fences/research.md";
    let looked = "";
    const { read } = await research(
      (request) => {
        if (!isReport(request)) return researcher(request);
        if (request.messages.length === 1)
          return { content: [{ type: "tool_use", id: "toolu_r", name: "read_file", input: { path } }] };
        looked = JSON.stringify(request.messages.at(-1));
        return says("Prices differ [1][3].");
      },
      undefined,
      { [path]: "# Fences\n\nThey cost more.\n" },
    );
    expect(looked).toContain("Cite this as [3].");
    expect(read("research.md")).toContain(`2. Fences. \`${path}\``);
  });
});

describe("what comes after", () => {
  const texts = (out: string) =>
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ type, text }) => (type === "text-delta" ? text : ""))
      .join("");

  test("a question goes on from the report and its sources, and leaves the research as it was", async () => {
    const first = await research(researcher);
    const asked = await research(
      () => says("The price is from [1]."),
      ["--continue", "Which source has the price?"],
      {},
      { command: "ask" },
    );
    const wire = JSON.stringify(asked.requests[0]?.messages);
    expect(wire).toContain("Solar roofs for sheds");
    expect(wire).toContain("1. Page of prices.com. <https://prices.com/page>");
    expect(wire).not.toMatch(/Plan the research|What do solar roofs cost/);
    expect(asked.out).toBe(
      "The price is from [1].\n\n## Sources\n\n- [1] Page of prices.com. <https://prices.com/page>\n",
    );
    // A conversation in the same profile is no research, though it is newer.
    await research(() => says("Hello."), ["--profile", "research", "Hi"], {}, { command: "ask" });
    const list = await research(researcher, [], {}, { command: "sessions" });
    expect(list.out).toMatch(/research {2,}Solar roofs for sheds\n/);
    const again = await research(researcher, ["--continue", "--format", "html"]);
    expect(again).toMatchObject({ code: 0, out: first.out, requests: [] });
    expect(again.err).toContain("This research is finished: no model is asked");
    expect(again.err).toContain(`Report: ${first.folder}/research.html`);
  });

  test("a continuation keeps to the options of the first start", async () => {
    const three = "- What do solar roofs cost?\n- Who buys solar roofs?\n- Who sells them?";
    const refused = { status: 400, error: { type: "invalid_request_error", message: "no" } };
    const stopped = await research(
      (request) => (isPlan(request) ? says(three) : isReport(request) ? refused : researcher(request)),
      ["--questions", "2", "--format", "html", "Solar roofs"],
    );
    expect(stopped.code).toBe(1);
    const { code, err, requests } = await research(researcher, ["--continue"]);
    expect(code).toBe(0);
    expect(requests.map(isReport)).toEqual([true]);
    expect(err).not.toContain("Who sells them?");
    expect(err).toMatch(/Report: \S+research\.html/);
  });

  test("an answer in the research profile ends with its sources, also when the search is the person's own", async () => {
    const results = ["one", "two"].map((name) => ({
      ...{ title: `About ${name}`, url: `https://${name}.com/`, content: `What ${name} says` },
    }));
    const searx = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ results }));
    });
    searx.listen(0, "127.0.0.1");
    await once(searx, "listening");
    const own = {
      command: "ask",
      variables: { SEARXNG_URL: `http://127.0.0.1:${(searx.address() as AddressInfo).port}` },
    };
    const search = (query: string): WireReply => ({
      content: [{ type: "tool_use", id: `toolu_${query}`, name: "web_search", input: { query } }],
    });
    const course = [search("a"), search("b"), says("Known [2], see [3] and https://made-up.org/.")];
    const answer = (_request: MessagesRequest, index: number) => course[index] ?? says("too many");
    try {
      const args = ["--profile", "research", "What is known?"];
      const { out, requests } = await research(answer, args, {}, own);
      // Described by us, so the person's provider is asked, not Anthropic's.
      expect(requests[0]?.tools?.find(({ name }) => name === "web_search")).toHaveProperty("input_schema");
      const [, first, second] = requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
      expect(first).toContain("[2] About two\\n   https://two.com/\\n   What two says");
      expect(first).not.toContain("Cite");
      expect(second).toContain("[2] About two (listed before)\\n   https://two.com/\\n");
      expect(second).not.toContain("What two says");
      const list = `Known [2], see [3] and https://made-up.org/.

> No result has the number [3].
> Not retrieved here: <https://made-up.org/>.

## Sources

- [2] About two. <https://two.com/>
`;
      expect(out).toBe(list);
      const json = await research(answer, [...args, "--json"], {}, own);
      expect(texts(json.out)).toBe(list);
      expect(json.out).toContain('"sources":[{"number":2,"url":"https://two.com/","title":"About two"}]');
    } finally {
      searx.close();
    }
  });
});

describe("how it ends", () => {
  test("a report that was written at the limit of steps is a success", async () => {
    const path = "ideas/x/research.md";
    const look: WireBlock = { type: "tool_use", id: "toolu_1", name: "read_file", input: { path } };
    const { code, requests, read } = await research(
      (request, index) =>
        request.tool_choice?.type === "none"
          ? says("# Report")
          : { content: [{ ...look, id: `toolu_${index}`, input: { path: `ideas/${index}.md` } }] },
      ["--questions", "0", "An idea"],
    );
    expect(requests).toHaveLength(5);
    expect(code).toBe(0);
    expect(read("research.md")).toContain("# Report");
  });

  test("an empty answer is an error, and nothing is written", async () => {
    const { code, err, out } = await research(() => says(" \n"), ["--questions", "0", "An idea"]);
    expect(code).toBe(1);
    expect(err).toContain("The model gave no answer in one step. Try again.");
    expect(err).not.toContain("Report:");
    expect(out).toBe("");
  });

  test("an idea in another script gives a folder that read_research can name", async () => {
    const { folder } = await research(() => says("# Отчёт"), ["--questions", "0", "Солнечные крыши"]);
    expect(folder).toMatch(/-solnechnye-kryshi$/);
  });

  test("says that it needs a language model when there is none", async () => {
    place = await testWield();
    expect(await runCli(place, ["research", "an idea"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("needs a language model"),
    });
  });

  test("--json prints the events and then the whole result", async () => {
    const { out } = await research(researcher, ["--json", "Solar roofs"]);
    const lines = out.trim().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "");
    expect(last).toMatchObject({
      type: "research-end",
      questions: ["What do solar roofs cost?", "Who buys solar roofs?"],
      problems: [],
      steps: 4,
      usage: { inputTokens: 800, outputTokens: 80 },
      report: expect.stringMatching(/research\.md$/),
    });
    expect(last.sources).toHaveLength(2);
  });

  test.each([
    ["--questions", "9"],
    ["--questions", "x"],
  ])("wrong usage: %s %s", async (...args) => {
    place = await testWield();
    expect(await runCli(place, ["research", ...args, "idea"])).toMatchObject({ code: 2 });
  });
});

describe("formats", () => {
  const bytesOf = (err: string, end: string) => {
    const [, path = ""] = /Report: (\S+)/.exec(err) ?? [];
    expect(path.endsWith(end)).toBe(true);
    return readFileSync(join(place?.root ?? "", path));
  };

  test("html, with numbers that lead to the list", async () => {
    const { code, err, out } = await research(researcher, ["--format", "html", "Solar roofs"]);
    expect(code).toBe(0);
    const html = bytesOf(err, "/research.html").toString();
    expect(html).toContain('They cost 900 euros <a class="cite" href="#source-1">[1]</a>.');
    expect(html).toContain('<li id="source-2">Page of buyers.org.');
    expect(out).toContain("## Sources");
  });

  test("docx: an archive that another program opens, with text, numbers and links", async () => {
    const { err } = await research(researcher, ["--format", "docx", "Solar roofs"]);
    const file = join(place?.root ?? "", "out.docx");
    writeFileSync(file, bytesOf(err, "/research.docx"));
    const xml = execFileSync("unzip", ["-p", file, "word/document.xml"], { encoding: "utf8" });
    expect(xml.replaceAll(/<[^>]+>/g, "")).toContain("They cost 900 euros [1]. Gardeners buy them [2].");
    expect(xml).toContain('<w:hyperlink w:anchor="source-2">');
    expect(xml).toContain('w:name="source-2"');
    expect(
      execFileSync("unzip", ["-p", file, "word/_rels/document.xml.rels"], { encoding: "utf8" }),
    ).toContain('Target="https://prices.com/page"');
  });

  test.skipIf(!knownBrowsers.some((path) => existsSync(path)))(
    "pdf: pages with the text and the links",
    async () => {
      const { err, code } = await research(researcher, ["--format", "pdf", "Solar roofs"]);
      expect({ code, err }).toMatchObject({ code: 0 });
      const { extractLinks, extractText, getDocumentProxy } = await import("unpdf");
      const pdf = await getDocumentProxy(new Uint8Array(bytesOf(err, "/research.pdf")));
      const { text } = await extractText(pdf, { mergePages: true });
      expect(text).toMatch(/They cost 900 euros\s*\[1\]\s*\. Gardeners buy them/);
      expect(text).toContain("Page of buyers.org");
      expect((await extractLinks(pdf)).links).toContain("https://prices.com/page");
    },
  );

  test("pdf without a browser is a clear sentence, before a model is asked", async () => {
    place = await testWield();
    place.writeConfig(
      "settings.json",
      JSON.stringify({ web: { browser: { executable: "/no/such/chromium" } } }),
    );
    const { code, err, requests } = await research(researcher, ["--format", "pdf", "Solar roofs"]);
    expect(code).toBe(1);
    expect(err).toContain("Creating a PDF needs Chromium. No Chromium is installed.");
    expect(err).toContain("The formats md, html and docx need no browser.");
    expect(requests).toHaveLength(0);
  });

  test("another format of a finished research asks no model", async () => {
    const { requests } = await research(researcher);
    const asked = requests.length;
    const { err, requests: later } = await research(researcher, ["--continue", "--format", "html"]);
    expect(later).toHaveLength(0);
    expect(asked).toBe(4);
    expect(bytesOf(err, "-solar-roofs-for-sheds/research.html").toString()).toContain("<h1>Solar roofs</h1>");
  });

  test("an unknown format is wrong usage", async () => {
    expect(await research(researcher, ["--format", "rtf", "Solar roofs"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("The formats: md, html, docx, pdf."),
    });
  });
});

describe("--commit", () => {
  let github: FakeGitHub | undefined;
  afterEach(async () => github?.close());
  async function withRepository(token = "token-for-tests") {
    github = await fakeGitHub();
    place = await testWield();
    const repository = { repository: "me/notes", apiUrl: github.url, token };
    place.writeConfig("settings.json", JSON.stringify({ web: { research: repository } }));
    return github;
  }

  test("adds the report and its log to ideas/ of the repository, in one commit", async () => {
    const repository = await withRepository();
    const { code, err, folder, read } = await research(researcher, ["--commit", "Solar roofs"]);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(repository.files()).toMatchObject({
      [`${folder}/research.md`]: read("research.md"),
      [`${folder}/exploration.md`]: read("exploration.md"),
    });
    expect(repository.log()).toEqual(["research: Solar roofs", "first"]);
    expect(err).toMatch(/Committed: https:\/\/github\.com\/me\/notes\/commit\/\w+/);
    expect(read("exploration.md")).not.toContain(place?.root);
  });

  test("a commit that fails leaves the report, and is made later without asking a model", async () => {
    const repository = await withRepository();
    repository.instead = ({ method }) =>
      method === "POST" ? { status: 403, body: { message: "Resource not accessible" } } : undefined;
    const failed = await research(researcher, ["--commit", "Solar roofs"]);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("Resource not accessible");
    expect(failed.read("research.md")).toContain("# Solar roofs");
    repository.instead = () => undefined;
    const later = await research(researcher, ["--continue", "--commit"]);
    expect(later).toMatchObject({ code: 0, requests: [] });
    expect(repository.log()).toHaveLength(2);
    const again = await research(researcher, ["--continue", "--commit"]);
    expect(again.err).toContain("Committed before:");
    expect(repository.log()).toHaveLength(2);
  });

  test("without a repository or a token it says so before a model is asked", async () => {
    const { code, err, requests } = await research(researcher, ["--commit", "Solar roofs"]);
    expect({ code, asked: requests.length }).toEqual({ code: 1, asked: 0 });
    expect(err).toContain("--commit needs a repository. Name it in the settings:");
    place?.writeConfig("settings.json", JSON.stringify({ web: { research: { repository: "me/notes" } } }));
    const second = await research(researcher, ["--commit", "Solar roofs"]);
    expect({ code: second.code, asked: second.requests.length }).toEqual({ code: 1, asked: 0 });
    expect(second.err).toContain("--commit needs a token that may write to me/notes: set GITHUB_TOKEN");
  });
});

describe("reading without a person", () => {
  const browse = (...urls: string[]): WireReply => ({
    content: urls.map((url, at) => ({
      ...{ type: "tool_use", id: `toolu_${at}`, name: "browseWeb", input: { url } },
    })),
  });
  /** What the model was told of its calls, in order. */
  const told = (request: MessagesRequest | undefined) =>
    ((request?.messages.at(-1)?.content ?? []) as { type: string; content: unknown }[])
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => JSON.stringify(content));

  test("pages are read up to the number of sites, and then the model and the person are told", async () => {
    const urls = [
      "https://one.invalid-site.com/",
      "https://www.two.org/a",
      "https://two.org/b",
      "https://three.net/",
    ];
    const { code, err, requests } = await research(
      (_request, index) => (index === 0 ? browse(...urls) : says("# Report")),
      ["--questions", "0", "--max-sites", "2", "An idea"],
    );
    const [one, two, again, three] = told(requests[1]);
    for (const read of [one, two, again]) expect(read).not.toMatch(/approval|and has;/);
    expect(three).toContain(
      "APPROVAL_DENIED: This research may read 2 sites, and has; three.net is none of them.",
    );
    expect(err).toContain(
      "! One request was refused: a research reads up to 2 sites and 50 MB without asking.",
    );
    expect(code).toBe(0);
  });

  test("a refusal for another reason is told with that reason", async () => {
    const { err, read } = await research(
      (_request, index) => (index === 0 ? browse("http://127.0.0.1:9/x") : says("# Report")),
      ["--questions", "0", "An idea"],
    );
    expect(err).toMatch(/! A call of browseWeb was refused: http:\/\/127\.0\.0\.1:9 is on this machine/);
    expect(err).not.toContain("--max-sites");
    expect(read("exploration.md")).toContain(
      "## Requests that were refused\n\n- A call of browseWeb was refused: http://127.0.0.1:9 is on this machine",
    );
  });

  test("the settings say how many sites; a denied host stays denied", async () => {
    place = await testWield();
    place.writeConfig(
      "settings.json",
      JSON.stringify({ research: { sites: 1 }, rules: [{ decision: "deny", url: "bad.com" }] }),
    );
    const { requests } = await research(
      (_request, index) =>
        index === 0
          ? browse("https://good.com/", "https://bad.com/", "https://other.com/")
          : says("# Report"),
      ["--questions", "0", "An idea"],
    );
    const [good, bad, other] = told(requests[1]);
    expect(good).not.toMatch(/approval|and has;/);
    expect(bad).toMatch(/deny|not allow/);
    expect(other).toContain("This research may read one site, and has; other.com");
  });

  test("it reads nothing of the workspace outside ideas/ unless told to", async () => {
    const files = {
      "secret/plan.md": "the secret plan",
      "docs/guide.md": "the guide",
      "ideas/old/research.md": "# Old",
      "AGENTS.md": "Always mention pears.",
    };
    const look = (path: string, at: number): WireBlock => ({
      ...{ type: "tool_use", id: `toolu_${at}`, name: "read_file", input: { path } },
    });
    const paths = ["secret/plan.md", "docs/guide.md", "ideas/old/research.md", "ideas/../secret/plan.md"];
    const answer = (_request: MessagesRequest, index: number) =>
      index === 0 ? { content: paths.map(look) } : says("# Report");
    const alone = await research(answer, ["--questions", "0", "An idea"], files);
    expect(told(alone.requests[1]).map((text) => text.includes("a research reads nothing"))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(JSON.stringify(alone.requests)).not.toMatch(/secret plan|the guide|pears/);
    const told2 = await research(answer, ["--questions", "0", "--read", "docs", "An idea"], files);
    expect(told(told2.requests[1])[1]).toContain("the guide");
    expect(JSON.stringify(told2.requests)).not.toContain("the secret plan");
  });

  test("with files of the workspace at hand, only addresses that were found are read", async () => {
    const { requests } = await research(
      (_request, index) =>
        index === 0
          ? {
              content: [
                ...searched("q", "found.com", "So it is."),
                ...browseBlocks("https://found.com/page", "https://evil.com/?q=secret"),
              ],
            }
          : says("# Report"),
      ["--questions", "0", "--read", "docs", "An idea"],
      { "docs/guide.md": "the guide" },
    );
    const [found, made] = told(requests[1]);
    expect(found).not.toContain("was in no result");
    expect(made).toContain("https://evil.com/?q=secret was in no result.");
  });

  const browseBlocks = (...urls: string[]) => (browse(...urls) as { content: WireBlock[] }).content;
});
