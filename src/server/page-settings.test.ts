import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anthropicServer } from "../testing/anthropic-server.ts";
import { scriptedModel } from "../testing/testing.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import type { PairingEvent } from "./pairing.ts";
import { testServer } from "./server.suite.ts";

describe.skipIf(!hasChromium)("settings, cost and errors in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("a key is entered on the page, stored, and nowhere to be seen afterwards; a wrong model is refused", async () => {
    const wire = await anthropicServer(
      () => ({ content: [{ type: "text", text: "Hi." }] }),
      ["claude-small-6"],
    );
    const server = await testServer({}, { env: { ANTHROPIC_BASE_URL: wire.url } });
    const page = await openTab(browser, server);
    await page.goto(`${server.origin}/#/settings`);
    await page.getByText(/^Besides the key: an account with credit at Anthropic/).waitFor();
    await page.getByRole("button", { name: "Enter key: Anthropic" }).click();
    const secret = "sk-ant-very-secret-key-0123456789";
    await page.getByLabel("Anthropic key").fill(secret);
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.getByRole("button", { name: "Remove the key of Anthropic" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    for (const path of ["/keys", "/settings", "/settings/providers", "/status"])
      expect(JSON.stringify(await server.api(path)), path).not.toContain(secret);
    const model = page.getByRole("textbox", { name: /^Model/ });
    await model.fill("gpt-5");
    await page.getByRole("button", { name: "Save", exact: true }).first().click();
    // Beside the field, where the person looks.
    const refusal = page.getByText('Unknown model "gpt-5"');
    await refusal.waitFor();
    const [field, said] = [await model.boundingBox(), await refusal.boundingBox()];
    expect((said?.y ?? 0) - (field?.y ?? 0)).toBeLessThan(200);
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(801);
    expect((await server.api<{ model: string | null }>("/settings")).model).toBeNull();
    await page.getByRole("combobox", { name: "Colours" }).selectOption("dark");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.getByRole("combobox", { name: "Colours" }).selectOption("system");
  });

  test("rules are added and tried on an example, and servers are added and removed", async () => {
    const server = await testServer({});
    const page = await openTab(browser, server);
    await page.goto(`${server.origin}/#/settings`);
    const tester = page.getByRole("form", { name: "Try an example" });
    await tester.getByLabel("Path").fill("docs/a.md");
    await tester.getByRole("button", { name: "Test" }).click();
    await tester.getByText("You are asked first").waitFor();
    await page.getByText("Wield was started with the model offline").waitFor();
    await page.getByRole("button", { name: "Add a rule" }).click();
    const form = page.getByRole("form", { name: /^Edit ask/ });
    await form.getByText("Fill in at least one field").waitFor();
    expect(await form.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    for (const [path, body] of [
      ["/rules", { rule: { decision: "allow" }, here: true }],
      ["/settings/forget", { rule: { decision: "ask", tool: "x" }, instead: { decision: "allow" } }],
    ] as const)
      await expect(server.api(path, body)).rejects.toThrow(/400 .*would match every call/s);
    await form.getByLabel("Decision").selectOption("allow");
    await form.getByLabel("Path").fill("docs/**");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: /^Remove allow every tool on docs/ }).waitFor();
    await tester.getByRole("button", { name: "Test" }).click();
    await tester.getByText("The call runs without asking").waitFor();
    await page.getByLabel("Name of the server").fill("not a name");
    await page.getByLabel("Command or address").fill("node server.js");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("use 1 to 30 letters").waitFor();
    await page.getByLabel("Name of the server").fill("files");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Review tools of files" }).waitFor();
    expect(server.wield.settings.user().mcp).toMatchObject({
      files: { command: "node", args: ["server.js"] },
    });
    // What is wrong with it is said once.
    const trouble = page.getByText(/MCP server files (is new and has not answered|cannot be reached)/);
    await trouble.waitFor();
    expect(await trouble.count()).toBe(1);
    expect(await page.getByRole("heading", { name: /MCP servers/ }).count()).toBe(1);
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByText("Fill in at least one field").waitFor();
    await page.getByRole("form", { name: "Try an example" }).scrollIntoViewIfNeeded();
    await lookAt(page, "settings-rules");
    await page.getByRole("button", { name: "Remove files" }).click();
    await page.getByRole("button", { name: "Review tools of files" }).waitFor({ state: "detached" });
  });

  test("notifications are asked for by a button, and come while the tab is hidden: for a request and for the end of a run", async () => {
    const edit = {
      calls: [{ tool: "edit_file", input: { path: "a.txt", content: "b\n", description: "d" } }],
    };
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(async (_, index) => {
      await gate.promise;
      return index === 0 ? edit : { say: "Done." };
    });
    const server = await testServer({ "a.txt": "a\n" }, { model });
    const page = await openTab(browser, server, { permissions: ["notifications"] });
    // A browser without a desktop shows none: what the page hands over is written down.
    await page.evaluate(`
      const shown = (globalThis.shown = []);
      globalThis.asked = 0;
      globalThis.Notification = class {
        static permission = "granted";
        static requestPermission = async () => { globalThis.asked++; return "granted"; };
        constructor(title, { body }) { shown.push(title + ": " + body); }
      };
      globalThis.isHidden = false;
      Object.defineProperty(document, "hidden", { get: () => globalThis.isHidden });
    `);
    await page.getByRole("link", { name: "Settings" }).first().click();
    const section = page.getByRole("region", { name: "Notifications" });
    await section.getByText("Off in this browser").waitFor();
    expect(await page.evaluate("asked")).toBe(0);
    await section.getByRole("button", { name: "Turn on" }).click();
    await section.getByText("On in this browser").waitFor();
    await page.getByRole("link", { name: "New chat" }).click();
    await say(page, "Write it");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.evaluate("isHidden = true");
    gate.resolve();
    const waits = expect.stringMatching(/^Wield waits for your answer: .*a\.txt/);
    await expect.poll(() => page.evaluate("shown")).toEqual([waits]);
    await server.api(`/approvals/${(await server.asked()).id}`, { approved: true });
    const ended = "Wield has finished: Write it";
    await expect.poll(() => page.evaluate("shown")).toEqual([waits, ended]);
    // Whoever looks at the page needs none.
    await page.evaluate("isHidden = false");
    await say(page, "Again");
    await answered(page, 2);
    expect(await page.evaluate("shown")).toEqual([waits, ended]);
  });

  test("the context meter fills, and when the server goes, one message says so and the dot turns", async () => {
    const server = await testServer({}, { model: scriptedModel([{ say: "Hello." }]) });
    const page = await openTab(browser, server);
    await say(page, "Hi");
    await answered(page);
    await page.getByRole("button", { name: /^Context and cost/ }).click();
    await page.getByText(/% of the context: .* of .* tokens/).waitFor();
    await lookAt(page, "usage");
    await server.close();
    await page.getByText("Wield is not reachable").waitFor();
    await page.getByText("Not connected").first().waitFor();
    await page.getByLabel("Message").fill("Are you there?");
    await page.getByLabel("Message").press("Enter");
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("Are you there?");
    expect(await page.getByText("Wield is not reachable").count()).toBe(1);
  });

  test("a phone in the network is let in by the code from the terminal, over TLS, and stays in", async () => {
    const tried: PairingEvent[] = [];
    const server = await testServer(
      {},
      { lan: { addresses: ["127.0.0.1"], onPairing: (event) => tried.push(event) } },
    );
    const { lan } = server;
    if (!lan) throw new Error("not on the network");
    const [origin = ""] = lan.origins;
    const phone = { viewport: { width: 390, height: 844 }, ignoreHTTPSErrors: true };
    const page = await openTab(browser, { address: origin, origin }, phone);
    const field = page.getByLabel("Pairing code");
    const code = lan.code();
    await field.fill(code === "11112222" ? "22221111" : "1111 2222");
    await page.getByRole("button", { name: "Pair" }).click();
    await page.getByText("This is not the code that the terminal shows. 4 attempts are left.").waitFor();
    await lookAt(page, "pairing");
    await field.fill(code);
    await page.getByRole("button", { name: "Pair" }).click();
    await page.getByLabel("Message").waitFor();
    expect(tried.map(({ isPaired }) => isPaired)).toEqual([false, true]);
    await page.reload();
    await page.getByLabel("Message").waitFor();
    await page.getByRole("button", { name: "Sessions and menu" }).click();
    await page.getByText("Reachable in your network").waitFor();
  });

  test("on a phone the send button, the first lines and the reason of a denial are on the screen", async () => {
    const edit = {
      calls: [{ tool: "edit_file", input: { path: "a.txt", content: "b\n", description: "d" } }],
    };
    const server = await testServer({ "a.txt": "a\n" }, { model: scriptedModel([edit, { say: "Fine." }]) });
    const page = await openTab(browser, server, { viewport: { width: 390, height: 844 } });
    await page.getByText("Explore", { exact: true }).click();
    const send = await page.getByRole("button", { name: "Send" }).boundingBox();
    expect((send?.x ?? 999) + (send?.width ?? 0)).toBeLessThanOrEqual(390);
    const heading = await page.getByRole("heading", { name: /What should I do/ }).boundingBox();
    expect(heading?.y).toBeGreaterThanOrEqual(48);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('.composer textarea')).fontSize"),
    ).toBe("16px");
    await page.getByText("Code", { exact: true }).click();
    await say(page, "Change it");
    await page.getByRole("button", { name: "Deny…" }).click();
    expect((await page.getByLabel("Why not").boundingBox())?.width).toBeGreaterThan(300);
    const manifest = (await (await page.request.get(`${server.origin}/manifest.webmanifest`)).json()) as {
      icons: unknown[];
    };
    expect(manifest.icons).toHaveLength(3);
  });

  test("an approval offers widths in words, lists every file, and counts what was not looked at", async () => {
    const changes = ["src/a.txt", "src/b.txt"].map((path) => ({ path, content: "new\n" }));
    const edit = (path: string) => ({
      calls: [{ tool: "edit_files", input: { changes: [{ path, content: "newer\n" }], description: "d" } }],
    });
    const model = scriptedModel([
      { calls: [{ tool: "edit_files", input: { changes, description: "both" } }] },
      edit("src/b.txt"),
      { say: "Done." },
    ]);
    const server = await testServer({ "src/a.txt": "old\n", "src/b.txt": "old\n" }, { model });
    const page = await openTab(browser, server);
    await say(page, "Change both");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Approve 1 not looked at" }).waitFor();
    expect(await dialog.getByRole("tab").getByText("src/a.txt").allTextContents()).toEqual([
      "changes src/a.txt",
    ]);
    expect(await dialog.locator("header, .effects").allTextContents()).not.toContain("src/a.txt");
    await dialog.getByRole("tab").first().press("ArrowRight");
    await expect.poll(() => dialog.getByRole("tab", { selected: true }).textContent()).toContain("src/b.txt");
    await dialog.getByRole("button", { name: "Approve", exact: true }).waitFor();
    const editor = dialog.locator(".cm-content").last();
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("mine\nmine\n");
    await expect.poll(() => dialog.getByRole("tab", { selected: true }).textContent()).toContain("+3");
    await dialog.getByRole("button", { name: "Reset" }).click();
    await expect.poll(() => dialog.getByRole("tab", { selected: true }).textContent()).toContain("+1");
    const remember = dialog.getByLabel("Remember");
    expect(await remember.locator("option").allTextContents()).toEqual([
      "Only this time",
      "Allow edit_files on src/a.txt, src/b.txt, for this session",
      "Allow edit_files on src/a.txt, src/b.txt, always in this folder",
      "Allow every change in src/ by any tool, for this session",
      "Allow every change in src/ by any tool, always in this folder",
      "Allow every file with edit_files, for this session",
      "Allow every file with edit_files, always in this folder",
    ]);
    await remember.selectOption({ label: "Allow every change in src/ by any tool, for this session" });
    await lookAt(page, "approval-files");
    await dialog.getByRole("button", { name: "Approve", exact: true }).click();
    await answered(page);
    expect(server.read("src/a.txt")).toBe("new\n");
    expect(server.read("src/b.txt")).toBe("newer\n");
  });
});
