// What flow control costs a person: questions asked in twenty ordinary sessions, with it and without it, in a folder that
// nobody trusts. The person says yes and remembers it for the session where that is offered. Goal: at most one more each.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Asker } from "../src/approval/approval.ts";
import { scriptedModel, testWield } from "../src/testing/testing.ts";

type Step = readonly [string, Record<string, unknown>];
const read = (path: string): Step => ["read_file", { path }];
const search = (query: string): Step => ["web_search", { query }];
const fetched = (url: string): Step => ["web_fetch", { url }];
const browse = (url: string): Step => ["browseWeb", { url }];
const edit = (path: string, content: string): Step => ["edit_file", { path, content, description: "edit" }];
const run = (code: string): Step => ["run_code", { language: "bash", code }];
const grep: Step = ["search_files", { pattern: "price" }];
const docs = "https://docs.python.org/3/library/";

const sessions: Record<string, readonly Step[]> = {
  "research: compare two databases": [
    search("sqlite vs duckdb"),
    fetched("https://duckdb.org/why_duckdb"),
    search("duckdb concurrency"),
    fetched("https://www.sqlite.org/whentouse.html"),
  ],
  "research: history of a standard": [
    search("http/3 rfc"),
    browse("https://www.rfc-editor.org/rfc/rfc9114"),
    browse("https://www.rfc-editor.org/rfc/rfc9000"),
    search("quic adoption"),
  ],
  "research: prices": [search("gpu hourly price"), search("gpu spot price"), search("gpu price history")],
  "research: a report in the folder": [
    search("wind power 2026"),
    fetched("https://www.iea.org/reports/wind"),
    ["write_file", { path: "report.md", content: "# Wind\n" }],
    search("offshore wind cost"),
  ],
  "research: from notes": [
    read("notes.md"),
    search("battery recycling"),
    search("lithium recovery rate"),
    fetched("https://www.energy.gov/recycling"),
  ],
  "research: people": [
    search("inventor of the transistor"),
    browse("https://en.wikipedia.org/wiki/Transistor"),
  ],
  "research: many searches": [search("a"), search("b"), search("c"), search("d"), search("e"), search("f")],
  "browsing: a manual": [
    browse(`${docs}asyncio.html`),
    browse(`${docs}asyncio-task.html`),
    browse(`${docs}asyncio-sync.html`),
  ],
  "browsing: a shop": [
    ["agentBrowserNavigate", { url: "https://shop.example.net/" }],
    ["agentBrowserNavigate", { url: "https://shop.example.net/cart" }],
  ],
  "browsing: news": [
    browse("https://news.example.net/"),
    browse("https://news.example.net/a"),
    browse("https://other.example.net/b"),
  ],
  "browsing: weather and a map": [
    ["getWeather", { city: "Lisbon" }],
    browse("https://map.example.net/lisbon"),
  ],
  "browsing: then a note": [
    browse("https://blog.example.net/x"),
    ["createDocument", { title: "Note", kind: "text", content: "x" }],
    browse("https://blog.example.net/y"),
  ],
  "browsing: several searches": [
    search("pasta"),
    browse("https://food.example.net/pasta"),
    search("sauce"),
    browse("https://food.example.net/sauce"),
  ],
  "coding: a fix": [grep, read("src/shop.ts"), edit("src/shop.ts", "export const price = 2;\n"), run("true")],
  "coding: look up an error": [
    read("src/shop.ts"),
    search("TS2345"),
    search("TS2345 union types"),
    edit("src/shop.ts", "export const price = 3;\n"),
  ],
  "coding: read the manual": [
    read("src/shop.ts"),
    fetched(`${docs}json.html`),
    fetched(`${docs}re.html`),
    edit("src/shop.ts", "export const price = 4;\n"),
  ],
  "coding: search, then read a page": [
    read("src/shop.ts"),
    search("vitest mock timers"),
    fetched("https://vitest.dev/guide/mocking"),
    edit("src/shop.test.ts", "// new\n"),
  ],
  "coding: only the folder": [
    grep,
    read("src/shop.ts"),
    read("notes.md"),
    edit("notes.md", "new\n"),
    ["git_status", {}],
  ],
  "coding: a script": [run("ls"), read("src/shop.ts"), run("echo 1 > made.txt"), run("cat made.txt")],
  "coding: a library to choose": [
    read("src/shop.ts"),
    search("date library"),
    search("date-fns vs dayjs"),
    search("dayjs timezone"),
    edit("src/shop.ts", "export const price = 5;\n"),
  ],
};

const engine = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({ results: [{ title: "A page", url: "https://a.example.net/", content: "Words." }] }),
  );
});
await new Promise<void>((ready) => engine.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
const files = {
  "src/shop.ts": "export const price = 1;\n",
  "src/shop.test.ts": "// old\n",
  "notes.md": "What we know.\n",
  ".env": "DB_PASSWORD=correct-horse-9-battery\n",
};

/** Questions that a session asks. */
async function questions(steps: readonly Step[], control: boolean): Promise<number> {
  let asked = 0;
  const asker: Asker = async (asks) =>
    asks.map(({ remember }) => {
      asked++;
      const kept = remember && { rules: remember.rules, scope: "session" as const };
      return { approved: true, ...(kept && { remember: kept }) };
    });
  const place = await testWield(files, {
    asker,
    settings: { flow: { control }, web: { search: { searxng: { url } } } },
  });
  const replies = [...steps.map(([tool, input]) => ({ calls: [{ tool, input }] })), { say: "Done." }];
  await (await place.wield.agent({ model: scriptedModel(replies), profile: "assistant" })).send("Go");
  await place.close();
  return asked;
}

let worst = 0;
let [before, after] = [0, 0];
console.log(`${"session".padEnd(36)} without  with flow control`);
for (const [name, steps] of Object.entries(sessions)) {
  const [without, withIt] = [await questions(steps, false), await questions(steps, true)];
  worst = Math.max(worst, withIt - without);
  before += without;
  after += withIt;
  console.log(`${name.padEnd(36)} ${String(without).padStart(7)}  ${String(withIt).padStart(4)}`);
}
engine.close();
console.log(
  `${Object.keys(sessions).length} sessions: ${before} questions without, ${after} with flow control; at most ${worst} more in one`,
);
console.log(worst <= 1 ? "goal met: at most one more each" : "goal missed: at most one more each");
process.exitCode = worst <= 1 ? 0 : 1;
