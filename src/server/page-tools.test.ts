import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/testing.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { testServer } from "./server.suite.ts";

const picture = join(import.meta.dirname, "../../ui/public/icon-192.png");

describe.skipIf(!hasChromium)("tools at work in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("a running program shows its command, the time and what it prints; one that fails has no green tick; one in the background is listed", async () => {
    const code = "echo first line; while [ ! -e /tmp/never ]; do sleep 0.1; done";
    const forever = "echo it serves; while :; do sleep 0.1; [ -e go ] && echo it saw go && rm go; done";
    const model = scriptedModel([
      { calls: [{ tool: "run_code", input: { language: "bash", code } }] },
      { calls: [{ tool: "run_code", input: { language: "bash", code: "echo broken; exit 3" } }] },
      { calls: [{ tool: "run_code", input: { language: "bash", code: forever, background: true } }] },
      { say: "It failed." },
    ]);
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    await say(page, "Run it");
    const running = page.getByRole("article", { name: "run_code, running" });
    await running.getByLabel("Output so far").getByText("first line").waitFor();
    expect(await running.locator(".call-command").textContent()).toBe(code);
    await expect.poll(() => running.locator(".call-numbers").textContent()).toMatch(/^\d+(\.0)? s$/);
    await lookAt(page, "running");
    await page.getByRole("button", { name: "Stop" }).click();
    await answered(page);
    await page.getByRole("button", { name: "Continue" }).click();
    const failed = page.getByRole("article", { name: "run_code, ran, with failures" });
    await failed.waitFor();
    expect(await failed.textContent()).toContain("Exit code 3");
    expect(await failed.locator(".mark-ok").count()).toBe(0);
    await failed.getByRole("button").first().click();
    await expect.poll(() => failed.textContent()).toMatch(/Code.*What the model reads.*Input/s);
    await page.getByText("Background processes").click();
    const processes = page.getByRole("list", { name: "Background processes" });
    await processes.getByRole("button", { name: "Output" }).click();
    const output = processes.getByLabel("Output of the process");
    await output.getByText("it serves").waitFor();
    writeFileSync(join(server.root, "go"), "");
    await output.getByText("it saw go").waitFor();
    await lookAt(page, "processes");
    await processes.getByRole("button", { name: /^Stop: echo it serves/ }).click();
    await processes.getByText("stopped", { exact: true }).waitFor();
  });

  test("a card counts changed files and shows the diff before anything else; an image that was read is shown", async () => {
    const changes = ["a.txt", "b.txt"].map((path) => ({ path, content: "new\n" }));
    const model = scriptedModel([
      { calls: [{ tool: "edit_files", input: { changes, description: "both" } }] },
      { calls: [{ tool: "read_file", input: { path: "picture.png", encoding: "base64" } }] },
      { say: "Seen." },
    ]);
    const server = await testServer({ "a.txt": "old\n", "b.txt": "old\n" }, { model });
    writeFileSync(join(server.root, "picture.png"), readFileSync(picture));
    const page = await openTab(browser, server);
    await page.getByLabel("Permissions").selectOption("edits");
    await say(page, "Change both");
    await answered(page);
    const card = page.getByRole("article", { name: /^edit_files, done$/ });
    await expect.poll(() => card.textContent()).toContain("2 files");
    await card.getByRole("button").first().click();
    await card.getByRole("group", { name: "Diff of a.txt" }).waitFor();
    const text = (await card.textContent()) ?? "";
    expect(text.indexOf("Input")).toBeGreaterThan(text.lastIndexOf("old"));
    await page.getByRole("img", { name: "picture.png" }).waitFor();
    await lookAt(page, "cards");
  });
});
