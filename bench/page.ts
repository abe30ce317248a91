// The page beside an empty React page, in one browser, in turns: bytes of the first load, time until it can be used, and how
// smoothly a session of 200 questions scrolls. Needs /usr/bin/chromium.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";
import { build } from "vite";
import { ensurePage } from "../scripts/build-page.ts";
import { startServer } from "../src/server/server.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import { quantile, verdict } from "./measure.ts";

const rounds = 10;
const questions = 200;
const root = resolve(import.meta.dirname, "..");

await ensurePage();
const home = mkdtempSync(join(tmpdir(), "wield-bench-"));
mkdirSync(join(home, "workspace"));
const env = { HOME: home, PATH: process.env["PATH"] ?? "", WIELD_MODEL: "offline" };
const server = await startServer({ wield: { workspace: join(home, "workspace"), env } });
const empty = await emptyPage();
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
try {
  firstLoad();
  await untilUsable(browser);
  await scrolling(browser);
} finally {
  await browser.close();
  await server.close();
  empty.close();
  rmSync(home, { recursive: true, force: true });
}

function firstLoad(): void {
  const folder = join(root, "dist/ui");
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const entries = [...html.matchAll(/"\.\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
  const imported = entries.flatMap((name) =>
    [...readFileSync(join(folder, "assets", name), "utf8").matchAll(/from\s*"\.\/([\w.-]+\.js)"/g)].map(
      ([, file = ""]) => file,
    ),
  );
  const size = (name: string) => gzipSync(readFileSync(join(folder, "assets", name))).length;
  const bytes = [...new Set([...entries, ...imported])].reduce((sum, name) => sum + size(name), 0);
  const all = readdirSync(join(folder, "assets")).reduce((sum, name) => sum + size(name), 0);
  console.log(`\nfirst load ${Math.round(bytes / 1024)} KB gzip, everything ${Math.round(all / 1024)} KB`);
  verdict(`${Math.round(bytes / 1024)} KB`, "≤ 300 KB", bytes <= 300 * 1024);
}

async function untilUsable(chrome: Browser): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const [own, bare] = [
      await timeOf(chrome, server.address, "textarea"),
      await timeOf(chrome, empty.address, "button"),
    ];
    if (round < 0) continue;
    ours.push(own);
    theirs.push(bare);
  }
  const [own, bare] = [ours, theirs].map((times) =>
    quantile(
      times.sort((a, b) => a - b),
      0.5,
    ),
  ) as [number, number];
  console.log(
    `\nuntil it can be used: this page ${own.toFixed(0)} ms, an empty React page ${bare.toFixed(0)} ms`,
  );
  verdict(`${own.toFixed(0)} ms, ${(own / bare).toFixed(2)}× an empty React page`, "< 1000 ms", own < 1000);
}

/** From the beginning of the navigation until the element is there, by the page's own clock, with an empty cache. */
async function timeOf(chrome: Browser, address: string, selector: string): Promise<number> {
  const context = await chrome.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript(`new MutationObserver((_, watch) => {
      if (!document.querySelector(${JSON.stringify(selector)})) return;
      watch.disconnect();
      globalThis.usableAt = performance.now();
    }).observe(document, { childList: true, subtree: true });`);
    await page.goto(address);
    await page.waitForFunction("globalThis.usableAt");
    return await page.evaluate<number>("globalThis.usableAt");
  } finally {
    await context.close();
  }
}

async function scrolling(chrome: Browser): Promise<void> {
  const words = "Some **words** about `code`.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n";
  const agent = await server.wield.agent({ model: scriptedModel(() => ({ say: words.repeat(3) })) });
  for (let question = 0; question < questions; question++) await agent.send(`Question ${question}`);
  const context = await chrome.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(server.address);
  await page.getByRole("list", { name: "Chats" }).getByRole("link").click();
  await page.getByText(`Question ${questions - 1}`).waitFor();
  const frames = await page.evaluate<number[]>(`new Promise((done) => {
    const box = document.querySelector(".scroller");
    const frames = [];
    let last = performance.now();
    const step = (now) => {
      frames.push(now - last);
      last = now;
      box.scrollTop -= 150;
      if (box.scrollTop > 0 && frames.length < 600) requestAnimationFrame(step);
      else done(frames.slice(2));
    };
    requestAnimationFrame(step);
  })`);
  frames.sort((a, b) => a - b);
  const [p50, p95] = [quantile(frames, 0.5), quantile(frames, 0.95)];
  console.log(
    `\nscrolling ${questions} questions and answers, ${frames.length} frames: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
  );
  verdict(`p95 frame ${p95.toFixed(1)} ms`, "≤ 50 ms", p95 <= 50);
  await context.close();
}

/** The least that React can do, built and served in the same way. */
async function emptyPage(): Promise<{ address: string; close(): void }> {
  // Inside the project, so that the same React is found.
  mkdirSync(join(root, ".artifacts"), { recursive: true });
  const folder = mkdtempSync(join(root, ".artifacts/empty-page-"));
  const out = join(folder, "out");
  writeFileSync(
    join(folder, "index.html"),
    '<div id="root"></div><script type="module" src="./main.js"></script>',
  );
  writeFileSync(
    join(folder, "main.js"),
    'import { createElement } from "react";\nimport { createRoot } from "react-dom/client";\ncreateRoot(document.getElementById("root")).render(createElement("button", null, "Empty"));\n',
  );
  await build({ root: folder, configFile: false, logLevel: "error", build: { outDir: out } });
  const files = new Map(
    readdirSync(out, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => [`/${name}`, readFileSync(join(out, name))]),
  );
  rmSync(folder, { recursive: true });
  const http = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", url.endsWith(".js") ? "text/javascript" : "text/html");
    response.end(files.get(url === "/" ? "/index.html" : url));
  });
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, close: () => http.close() };
}
