// When search_code says that nothing fits: questions that have an answer in a repository, and questions about things that none of
// them has. The threshold was chosen on the first four repositories; the others were not looked at before.
// Usage: node bench/search-fit.ts <folder with checkouts named owner+name>
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { testWield } from "../src/testing/testing.ts";
import { verdict } from "./measure.ts";

const answered: Readonly<Record<string, readonly string[]>> = {
  "pallets+click": [
    "how are options parsed from the command line",
    "where is the help page formatted",
    "prompt the user for a password with confirmation",
    "how does shell completion find candidates",
    "where are environment variables used as defaults for options",
    "how is a progress bar rendered",
    "detect whether the terminal supports colors",
    "convert a parameter value to an integer range",
    "lazy file opening",
    "test runner isolates filesystem",
  ],
  "gorilla+mux": [
    "how does a route match the request path",
    "build a URL from route variables",
    "where are path regular expressions compiled",
    "redirect when trailing slash differs",
    "method not allowed handler",
    "middleware chain order",
    "walk all routes of a router",
    "host template matching",
    "how are query parameters matched",
    "CORS method header",
  ],
  "google+gson": [
    "how are null values serialized",
    "exclude fields by annotation",
    "read a JSON number lazily",
    "adapter for enums",
    "how is the version of a field checked",
    "cyclic type references while building adapters",
    "field naming policy lower case with underscores",
    "parse malformed json leniently",
    "dates formatted and parsed",
    "create an instance without calling the constructor",
  ],
  wield: [
    "where is an approval decision made for a call",
    "how does undo restore files from the journal",
    "limit tokens of a tool result",
    "how is a symlink resolved safely in the workspace",
    "detect that the agent repeats itself",
    "load settings of the user and the workspace",
    "how are MCP tools registered",
    "rank files for a search question",
    "sandbox limits of memory and time",
    "stream model output to the page",
  ],
  "harttle+liquidjs": [
    "how is a template parsed into tokens",
    "where are filters registered",
    "for loop offset and limit",
    "cache of parsed templates",
    "escape html output",
    "resolve the path of a partial file",
    "evaluate conditional expressions with and or",
    "date filter formatting with timezone",
    "layout blocks inheritance",
    "whitespace control trimming",
  ],
  "coleifer+huey": [
    "how does the scheduler enqueue periodic tasks",
    "retry a failed task with delay",
    "lock a task so only one runs",
    "store results in redis",
    "worker consumer shutdown on signal",
    "parse crontab expressions",
    "revoke a task",
    "priority queue storage",
    "pipeline of tasks chained",
    "sqlite storage dequeue",
  ],
  "sinatra+sinatra": [
    "how are routes compiled and matched",
    "error handling and show exceptions",
    "serve static files",
    "send a file with content disposition",
    "protect against cross site request forgery",
    "streaming responses keep open",
    "session secret configuration",
    "render a template engine layout",
    "cache control headers",
    "conditional get etag",
  ],
  "miyuchina+mistletoe": [
    "parse block quotes",
    "render tables to html",
    "link reference definitions footnotes",
    "emphasis delimiter parsing",
    "escape html in inline code",
    "list item indentation",
    "latex renderer",
    "thematic break detection",
    "ast renderer json",
    "setext heading",
  ],
  "BurntSushi+walkdir": [
    "follow symbolic links while walking",
    "detect symlink loops",
    "sort directory entries",
    "limit the maximum depth",
    "skip the current directory while iterating",
    "stay on the same file system",
    "error with path and depth",
    "file type of an entry",
    "maximum open file descriptors",
    "contents first order",
  ],
};

const elsewhere = [
  "OAuth token refresh with a rotating secret",
  "bluetooth device pairing",
  "render a 3D mesh with shaders",
  "kubernetes pod autoscaling policy",
  "stripe payment invoice webhook",
  "image thumbnail resizing with jpeg quality",
  "speech recognition microphone input",
  "blockchain wallet transaction signing",
  "train a neural network with gradient descent",
  "send an email with SMTP attachments",
  "kafka consumer offset commit",
  "GraphQL resolver batching",
  "barcode scanner",
  "postgres replication slot lag",
  "geographic distance between coordinates",
  "video transcoding with ffmpeg",
  "ldap user directory login",
  "currency exchange rate conversion",
  "spell checking dictionary suggestions",
  "DNS zone transfer",
  "how does the invoice total get its tax",
  "where are players matched into a lobby",
  "PDF page rotation",
  "two factor authentication codes",
  "calculate shipping costs for an order",
  "thermostat temperature schedule",
  "undo a chess move",
  "garbage collector write barrier",
  "S3 bucket multipart upload",
  "audio equalizer bands",
];

const folder = process.argv[2] ?? "";
const known = new Set(["pallets+click", "gorilla+mux", "google+gson", "wield"]);
/** Questions, and those of which it was said that nothing fits. */
const counts = {
  known: { answered: [0, 0], elsewhere: [0, 0] },
  unseen: { answered: [0, 0], elsewhere: [0, 0] },
};
for (const [repository, questions] of Object.entries(answered)) {
  const from = repository === "wield" ? join(import.meta.dirname, "../src") : join(folder, repository);
  if (!existsSync(from)) {
    console.log(`${repository} is not there: not measured`);
    continue;
  }
  const place = await testWield();
  cpSync(from, place.root, {
    recursive: true,
    filter: (path) => !/\/(?:\.git|node_modules)(?:\/|$)/.test(path),
  });
  await (await place.wield.code()).build({ threads: 1 });
  const part = counts[known.has(repository) ? "known" : "unseen"];
  for (const [kind, list] of [
    ["answered", questions],
    ["elsewhere", elsewhere],
  ] as const) {
    for (const query of list) {
      const { text } = await place.wield.callAny("search_code", { query });
      const isRefused = /^Noth(?:ing fits|ing found)/.test(text);
      part[kind][0] = (part[kind][0] ?? 0) + 1;
      if (isRefused) part[kind][1] = (part[kind][1] ?? 0) + 1;
    }
  }
  await place.close();
}
for (const [name, { answered: has, elsewhere: hasNot }] of Object.entries(counts)) {
  const share = ([all = 0, refused = 0]: number[]) => refused / Math.max(1, all);
  console.log(`${name}: "nothing fits" of ${has[0]} answered and ${hasNot[0]} unanswerable questions`);
  verdict(`${(100 * share(has)).toFixed(0)} % of the answered`, "≤ 5 %", share(has) <= 0.05);
  verdict(`${(100 * share(hasNot)).toFixed(0)} % of the unanswerable`, "≥ 80 %", share(hasNot) >= 0.8);
}
