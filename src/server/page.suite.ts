import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { ensurePage } from "../../scripts/build-page.ts";
import { hasChromium, launchChromium } from "../testing/chromium.suite.ts";
import type { RunningServer } from "./server.ts";

export { hasChromium };

/** Where pictures of the page go, for people to look at: taking them is half of the work of these tests. */
const pictures = process.env["WIELD_PAGE_PICTURES"];

/** A real browser and a fresh build of the page. */
export async function launchBrowser(): Promise<Browser> {
  await ensurePage();
  if (pictures) mkdirSync(pictures, { recursive: true });
  return launchChromium();
}

/** A tab on the server. Whatever it complains about, and whatever it asks of anybody else, fails the test. */
export async function openTab(
  browser: Browser,
  server: Pick<RunningServer, "address" | "origin">,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (/content security policy|trusted ?(type|script)/i.test(message.text()))
      complaints.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.origin) && !url.startsWith("data:")) complaints.push(`asked for ${url}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(server.address);
  return page;
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByLabel("Message").press("Enter");
}

/** The answer of the last run, once it has ended. */
export async function answered(page: Page, runs = 1): Promise<string> {
  await page
    .locator(".ending")
    .nth(runs - 1)
    .waitFor();
  // Not innerText: what was added in this very frame is not laid out yet.
  return (await page.getByRole("log").textContent()) ?? "";
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds that keeps somebody from using the page: by all of its rules, or by those that judge colours. */
export async function seriousProblems(page: Page, rules: "all" | "colours" = "all"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(readFileSync(axe, "utf8"));
  return page.evaluate(
    async (only) => {
      type Found = { id: string; impact: string; nodes: { html: string }[] };
      type Options = { runOnly?: string[]; resultTypes: string[] };
      const { axe: tester } = globalThis as unknown as {
        axe: { run(options: Options): Promise<{ violations: Found[] }> };
      };
      const { violations } = await tester.run({
        ...(only && { runOnly: only }),
        resultTypes: ["violations"],
      });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    },
    rules === "colours" ? ["color-contrast", "link-in-text-block"] : undefined,
  );
}

const sizes = [
  { size: "desktop", viewport: { width: 1280, height: 800 } },
  { size: "phone", viewport: { width: 390, height: 844 } },
] as const;

/** What is on the page now, at every size and in every colour: usable by everybody and nothing too wide. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const { size, viewport } of sizes) {
    for (const colorScheme of ["light", "dark"] as const) {
      const what = `${name}-${size}-${colorScheme}`;
      await page.setViewportSize(viewport);
      // A colour or a place halfway through a transition is not what somebody sees.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(laidOut);
      if (pictures) await page.screenshot({ path: join(pictures, `${what}.png`), animations: "disabled" });
      // What the other rules look at is the same in both colours.
      const rules = colorScheme === "light" ? "all" : "colours";
      expect(await seriousProblems(page, rules), what).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what).toBe(true);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
}

/** Two frames: what listens to the size of the window has changed the page, and that is laid out. */
const laidOut = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
