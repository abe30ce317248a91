import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/testing.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { testServer } from "./server.suite.ts";

const manyFiles = `for n in $(seq -w 1 180); do echo text > f$n.txt; done
echo changed > f009.txt; echo 'touch x' > .envrc; mkdir -p .husky; echo 'touch x' > .husky/pre-commit`;

describe.skipIf(!hasChromium)("questions in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("what runs by itself is told before 180 other files; no key approves it, and every file can be opened", async () => {
    const run = { tool: "run_code", input: { language: "bash", code: manyFiles } };
    const model = scriptedModel([{ calls: [run] }, { say: "Done." }]);
    const server = await testServer({ "f009.txt": "before\n" }, { model });
    const page = await openTab(browser, server);
    await say(page, "Make them");
    const dialog = page.getByRole("dialog");
    const facts = dialog.getByRole("list", { name: "What matters most" });
    await facts.waitFor();
    expect(await facts.getByRole("listitem").allTextContents()).toEqual([
      "creates .envrc, which runs when you enter this folder",
      "creates .husky/pre-commit, which runs when you commit or push",
      "creates 181 files: 179 .txt, 1 .envrc, 1 pre-commit in .husky/",
      "changes 1 file: 1 .txt",
    ]);
    const tabs = dialog.getByRole("tab");
    expect(await tabs.count()).toBe(182);
    expect((await tabs.allTextContents()).slice(0, 2).join()).toMatch(/\.envrc.*\.husky\/pre-commit/);
    await lookAt(page, "approval-careful");
    const approve = dialog.getByRole("button", { name: /^Approve/ });
    expect(await approve.getAttribute("class")).toBe(null);
    expect(await dialog.locator("button:focus").count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.keyboard.press("ControlOrMeta+Enter");
    await dialog.getByText("This needs a click on Approve.").waitFor();
    expect(existsSync(join(server.root, ".envrc"))).toBe(false);
    await tabs.filter({ hasText: "f009.txt" }).click();
    await dialog.getByText("changed", { exact: true }).waitFor();
    await approve.click();
    await answered(page);
    expect(server.read(".envrc")).toBe("touch x\n");
  });

  test("a key approves only what was looked at to its end", async () => {
    const content = Array.from({ length: 200 }, (_, at) => `line ${at}\n`).join("");
    const write = (path: string) => ({
      calls: [{ tool: "create_file", input: { path, content, description: "d" } }],
    });
    const server = await testServer({}, { model: scriptedModel([write("a.txt"), { say: "Done." }]) });
    const page = await openTab(browser, server);
    await say(page, "Write it");
    const dialog = page.getByRole("dialog");
    await dialog.locator(".cm-content").last().waitFor();
    await page.keyboard.press("ControlOrMeta+Enter");
    await dialog.getByText("Look at all of it first, or click Approve.").waitFor();
    expect(existsSync(join(server.root, "a.txt"))).toBe(false);
    const last = dialog.getByText("line 199", { exact: true });
    // An editor only lays out what is near the part that is seen.
    await expect
      .poll(async () => {
        await dialog.locator(".cm-scroller, .merge, .file-body, .ask-body").evaluateAll((places) => {
          for (const place of places) place.scrollTop = place.scrollHeight;
        });
        return last.isVisible();
      })
      .toBe(true);
    await dialog.getByRole("heading").first().focus();
    await page.keyboard.press("ControlOrMeta+Enter");
    await answered(page);
    expect(server.read("a.txt")).toBe(content);
  });

  test("a rule is read in words before it is saved", async () => {
    const run = { language: "bash", code: "echo one", outside: true, why: "w" };
    const model = scriptedModel([{ calls: [{ tool: "run_code", input: run }] }, { say: "Done." }]);
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    await say(page, "Run it");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("runs a command on your machine, outside the sandbox").first().waitFor();
    await dialog.getByLabel("Remember").selectOption("0 session");
    await dialog
      .getByText("For this session: allow the command echo one, on your machine, outside the sandbox")
      .waitFor();
    await lookAt(page, "approval-rule");
    await dialog.getByRole("button", { name: "Deny…" }).click();
    await dialog.getByRole("button", { name: "Deny", exact: true }).click();
    await answered(page);
  });
});
