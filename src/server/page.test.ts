import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { OpenView } from "../api/approvals.ts";
import type { SessionSummary } from "../api/sessions.ts";
import { anthropicServer } from "../testing/anthropic-server.ts";
import { type ScriptedReply, scriptedModel } from "../testing/testing.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say, seriousProblems } from "./page.suite.ts";
import { connectEvents, testServer } from "./server.suite.ts";
import { startServer } from "./server.ts";

const project = {
  "package.json": '{\n  "name": "demo-shop",\n  "version": "1.2.0"\n}\n',
  "src/main.js":
    'import { DatabaseService } from "./services/DatabaseService.js";\n\nconst db = new DatabaseService();\ndb.open();\n',
  "src/services/DatabaseService.js": "// TODO: close it\nexport class DatabaseService {\n  open() {}\n}\n",
  "src/services/ToolExecutionService.js": "export class ToolExecutionService {}\n",
  "src/app.js":
    'import { ToolExecutionService } from "./services/ToolExecutionService.js";\n// TODO: use it\nexport const tools = new ToolExecutionService();\n',
};
const edit = (path: string, content: string): ScriptedReply => ({
  calls: [{ tool: "edit_file", input: { path, content, description: "say it better" } }],
});

describe.skipIf(!hasChromium)("the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("the permission mode is chosen beside the message, holds at once and is remembered for the folder", async () => {
    const model = scriptedModel([
      edit("src/app.js", "one\n"),
      { say: "Edited." },
      edit("src/app.js", "two\n"),
      { say: "Planned." },
    ]);
    const server = await testServer(project, { model });
    const page = await openTab(browser, server);
    const permissions = page.getByLabel("Permissions");
    await permissions.selectOption({ label: "Accept edits" });
    await expect.poll(() => server.wield.settings.mode()).toBe("edits");
    await expect.poll(() => permissions.getAttribute("title")).toMatch(/^Changes files in this folder/);
    await say(page, "Change it");
    await answered(page);
    expect(server.read("src/app.js")).toBe("one\n");
    await permissions.selectOption({ label: "Plan" });
    await expect.poll(() => permissions.inputValue()).toBe("plan");
    await say(page, "Change it again");
    await answered(page, 2);
    expect(server.read("src/app.js")).toBe("one\n");
    const later = await openTab(browser, server);
    await expect.poll(() => later.getByLabel("Permissions").inputValue()).toBe("plan");
  });

  test("basic file reading, symbol lookup, search and impact through the page", async () => {
    const server = await testServer(project);
    const page = await openTab(browser, server);
    const ask = async (text: string) => {
      await page.getByRole("link", { name: "New chat" }).click();
      await page.getByRole("heading", { name: /What should I do/ }).waitFor();
      await say(page, text);
      return answered(page);
    };
    expect(await ask("Read package.json and tell me the project name")).toMatch(/read_file.*demo-shop/s);
    expect(await ask("Find where DatabaseService is defined")).toMatch(
      /Location: src\/services\/DatabaseService\.js:2-4/,
    );
    await page.getByRole("article", { name: "definition, done" }).waitFor();
    const todos = await ask("Find all TODO comments in the project");
    expect(todos).toMatch(/src\/app\.js:2/);
    expect(todos).toMatch(/DatabaseService\.js:1/);
    expect(await ask("What files use ToolExecutionService?")).toMatch(
      /1 use and 1 import of ToolExecutionService.*src\/app\.js\s+1: import .*\s+3: export const tools/s,
    );
    await page.getByRole("article", { name: "references, done" }).waitFor();
    // Cards tell what was done, with its time and tokens; the input and the result are behind them.
    const card = page.getByRole("article", { name: /, done$/ }).first();
    await expect.poll(() => card.innerText()).toMatch(/\d+ m?s · \d+ tokens/);
    await card.getByRole("button").first().click();
    await expect.poll(() => card.innerText()).toMatch(/What the model reads.*Input/s);
    const chats = page.getByRole("list", { name: "Chats" }).getByRole("link");
    await expect.poll(() => chats.count()).toBe(4);
    await page.getByLabel("Search chats").fill("where databaseservice");
    await expect.poll(() => chats.count()).toBe(1);
  });

  test("what is sent while the agent works waits in view, can be taken back, and goes out in its turn", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(async (_, index) => {
      if (index === 0) await gate.promise;
      return { say: `Answer ${index + 1}.` };
    });
    const server = await testServer(project, { model });
    const page = await openTab(browser, server);
    await say(page, "Begin");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await say(page, "And then?");
    await say(page, "Never mind");
    const queue = page.getByRole("list", { name: "Queue" });
    await expect.poll(() => queue.getByRole("listitem").count()).toBe(2);
    expect(await page.getByLabel("Message").inputValue()).toBe("");
    await page.getByLabel("Message").fill("a third one is being written");
    await lookAt(page, "queue");
    await page.getByLabel("Message").fill("");
    // It waits on the server: elsewhere, and in another tab, it is the same.
    await page.getByRole("link", { name: "Changes" }).first().click();
    await page.goBack();
    await expect.poll(() => queue.getByRole("listitem").count()).toBe(2);
    await page.getByLabel("Message").press("ArrowUp");
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("Never mind");
    await expect.poll(() => queue.getByRole("listitem").count()).toBe(1);
    gate.resolve();
    expect(await answered(page, 2)).toMatch(/Answer 1\..*And then\?.*Answer 2\./s);
    await expect.poll(() => queue.count()).toBe(0);
    expect(await page.getByLabel("Message").inputValue()).toBe("Never mind");
    expect(model.requests).toHaveLength(2);
  });

  test("what is sent while the agent calls tools reaches it before its next step", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(async (_, index) => {
      if (index === 0) await gate.promise;
      return index === 0
        ? { say: "I look.", calls: [{ tool: "read_file", input: { path: "package.json" } }] }
        : { say: `Answer ${index}.` };
    });
    const server = await testServer(project, { model });
    const page = await openTab(browser, server);
    await say(page, "Begin");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await say(page, "Only the name");
    const queue = page.getByRole("list", { name: "Queue" });
    await expect.poll(() => queue.getByRole("listitem").count()).toBe(1);
    gate.resolve();
    await expect
      .poll(() => page.getByRole("log").innerText())
      .toMatch(/I look\..*Only the name.*Answer 1\./s);
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain("Only the name");
    await expect.poll(() => queue.count()).toBe(0);
    await page.reload();
    await expect
      .poll(() => page.getByRole("log").innerText())
      .toMatch(/I look\..*Only the name.*Answer 1\./s);
  });

  test("who is writing is not interrupted by a question, and the key that sends is no answer", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(async (_, index) => {
      if (index === 0) await gate.promise;
      return index === 0 ? edit("src/app.js", "export const tools = 1;\n") : { say: "I see." };
    });
    const server = await testServer(project, { model });
    const page = await openTab(browser, server);
    const field = page.getByLabel("Message");
    const dialog = page.getByRole("dialog");
    await say(page, "Begin");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await field.fill("wait, not yet");
    gate.resolve();
    await page.getByText("A request is waiting for your answer").waitFor();
    await page.getByRole("article", { name: "edit_file, needs approval" }).waitFor();
    expect(await dialog.count()).toBe(0);
    await lookAt(page, "asked-while-writing");
    await page.keyboard.down("Control");
    await page.keyboard.down("Enter");
    await dialog.getByText("changes src/app.js", { exact: true }).waitFor();
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.keyboard.up("Control");
    expect(server.read("src/app.js")).toBe(project["src/app.js"]);
    await page.getByRole("button", { name: "Deny…" }).click();
    await page.getByRole("button", { name: "Deny", exact: true }).click();
    await answered(page);
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain("wait, not yet");
    expect(server.read("src/app.js")).toBe(project["src/app.js"]);
  });

  test("after a stop, what waited is in the input again, in front of what was begun, and stays there", async () => {
    const model = scriptedModel((_, index) =>
      index === 0 ? new Promise(() => undefined) : { say: "Understood." },
    );
    const server = await testServer(project, { model });
    const page = await openTab(browser, server);
    const field = page.getByLabel("Message");
    await say(page, "Begin");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await say(page, "First this");
    await say(page, "then that");
    await page.getByRole("button", { name: "Withdraw: then that" }).waitFor();
    await field.fill("and");
    await field.press("Escape");
    await expect.poll(() => field.inputValue()).toBe("First this\nthen that\nand");
    await page.getByRole("link", { name: "Changes" }).first().click();
    await page.goBack();
    await expect.poll(() => field.inputValue()).toBe("First this\nthen that\nand");
    await field.press("Enter");
    expect(await answered(page, 2)).toMatch(/Understood\./);
    expect(await field.inputValue()).toBe("");
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain(String.raw`First this\nthen that\nand`);
  });

  test("what waited and could not be fetched back at first comes when the page looks again", async () => {
    const model = scriptedModel(() => new Promise(() => undefined));
    const server = await testServer(project, { model });
    const page = await openTab(browser, server);
    const lost = Promise.withResolvers<void>();
    await page.route(
      "**/take",
      async (route) => {
        await route.abort();
        lost.resolve();
      },
      { times: 1 },
    );
    await say(page, "Begin");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await say(page, "later");
    await page.getByRole("button", { name: "Withdraw: later" }).waitFor();
    await page.getByLabel("Message").press("Escape");
    await lost.promise;
    const [session] = await server.api<SessionSummary[]>("/sessions");
    await server.ended(session?.id ?? "");
    await server.api(`/sessions/${session?.id}/stop`, {});
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("later");
  });

  test("a finished change is undone and made again at its card; what stands in the way is shown there, and the model is told", async () => {
    const model = scriptedModel([
      edit("src/app.js", "export const tools = 1;\n"),
      { say: "Done." },
      edit("src/app.js", "export const tools = 2;\n"),
      { say: "Done again." },
      { say: "I know." },
    ]);
    const server = await testServer(project, { model });
    const page = await openTab(browser, server);
    const approve = page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true });
    const cards = page.getByRole("article", { name: /^edit_file, (un)?done$/ });
    const undo = (at: number) => cards.nth(at).getByRole("button", { name: "Undo edit_file src/app.js" });
    await say(page, "Make it one");
    await approve.click();
    await answered(page);
    await undo(0).waitFor();
    await say(page, "Make it two");
    await approve.click();
    await answered(page, 2);
    await undo(1).waitFor();
    // The later change stands in the way of the earlier one, and may be taken along.
    await undo(0).click();
    const refusal = cards.first().getByRole("alert");
    await expect.poll(() => refusal.innerText()).toMatch(/src\/app\.js/);
    expect(server.read("src/app.js")).toBe("export const tools = 2;\n");
    await lookAt(page, "undo-refused");
    // The person's own undo is not asked about a second time.
    await refusal.getByRole("button", { name: "Undo that change, too" }).click();
    await expect.poll(() => page.getByRole("article", { name: "edit_file, undone" }).count()).toBe(2);
    expect(server.read("src/app.js")).toBe(project["src/app.js"]);
    expect(await refusal.count()).toBe(0);
    await lookAt(page, "undone");

    await page.reload();
    await cards.first().getByRole("button", { name: "Redo edit_file src/app.js" }).click();
    await undo(0).waitFor();
    expect(server.read("src/app.js")).toBe("export const tools = 1;\n");
    await say(page, "What did I do?");
    await answered(page, 3);
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toMatch(
      /The person used undo\. Undid \w+.*The person used redo\. /s,
    );
  });

  test("the model is chosen by keyboard from what the provider has, for a new chat and within one", async () => {
    const wire = await anthropicServer(
      ({ model }) => ({ content: [{ type: "text", text: `I am ${model}.` }] }),
      ["claude-sonnet-5-5", "claude-large-6", "claude-small-6"],
    );
    onTestFinished(() => wire.close());
    const keys = {
      ANTHROPIC_API_KEY: "key-for-tests",
      ANTHROPIC_BASE_URL: wire.url,
      OLLAMA_HOST: "127.0.0.1:1",
    };
    const server = await testServer(project, { env: keys });
    const page = await openTab(browser, server);
    const button = page.getByRole("button", { name: /^Model: / });
    const field = page.getByRole("combobox", { name: "Model" });
    await page.getByRole("button", { name: "Model: anthropic/claude-sonnet-5-5" }).click();
    await expect
      .poll(() => page.getByRole("listbox", { name: "Models" }).getByRole("option").allInnerTexts())
      .toEqual([
        "anthropic/claude-sonnet-5-5 now",
        "anthropic/claude-large-6",
        "anthropic/claude-small-6",
        "offline",
      ]);
    await field.fill("smal");
    await field.press("Enter");
    await page.getByRole("button", { name: "Model: anthropic/claude-small-6" }).waitFor();
    await say(page, "Who are you?");
    expect(await answered(page)).toContain("I am claude-small-6.");

    await button.focus();
    await page.keyboard.press("Enter");
    await field.fill("claude-lrge-6");
    await lookAt(page, "models-none");
    await field.press("Enter");
    const refusal = page.getByRole("dialog", { name: "Choose a model" }).getByRole("alert");
    await expect.poll(() => refusal.innerText()).toMatch(/Did you mean anthropic\/claude-large-6\?/);
    await field.fill("");
    await field.press("ArrowDown");
    await lookAt(page, "models");
    await field.press("Enter");
    await page.getByRole("button", { name: "Model: anthropic/claude-large-6" }).waitFor();
    expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await say(page, "And now?");
    expect(await answered(page, 2)).toContain("I am claude-large-6.");
    expect(JSON.stringify(wire.requests.at(-1)?.messages)).toMatch(/I am claude-small-6.*And now\?/);
    // Only this chat was given another model, and it keeps it.
    await page.reload();
    await page.getByRole("button", { name: "Model: anthropic/claude-large-6" }).waitFor();
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByRole("button", { name: "Model: anthropic/claude-sonnet-5-5" }).click();
    await field.press("Escape");
    expect(await field.count()).toBe(0);
  });

  test("a proposed edit is shown, edited by the person, approved, and the edited bytes are on disk; then undone", async () => {
    const server = await testServer(project);
    const page = await openTab(browser, server);
    await say(page, "Add a comment to the top of main.js explaining what it does");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("changes src/main.js", { exact: true }).waitFor();
    const proposed = dialog.locator(".cm-merge-b .cm-content");
    await proposed.click();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.type("// My own words\n");
    await dialog.getByRole("button", { name: "Approve my version" }).click();
    await answered(page);
    const written = server.read("src/main.js");
    expect(written.startsWith("// My own words\n//")).toBe(true);
    expect(written.endsWith(project["src/main.js"])).toBe(true);
    await page.getByText("edited by you").waitFor();

    await page.getByRole("link", { name: "Changes" }).first().click();
    await page.getByText("// My own words").waitFor();
    // The person's own undo is not asked about a second time.
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("undone", { exact: true }).waitFor();
    expect(server.read("src/main.js")).toBe(project["src/main.js"]);
    await page.getByRole("button", { name: "Redo", exact: true }).last().click();
    await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
    expect(server.read("src/main.js")).toBe(written);
    server.write("src/main.js", "someone else\n");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect.poll(() => page.getByRole("alert").innerText()).toMatch(/src\/main\.js/);
    expect(server.read("src/main.js")).toBe("someone else\n");
  });

  test("nothing is hidden in what is to be approved", async () => {
    const hiding = "let ok; /*\u202e } \u2066if (admin)\u2069 \u2066 begin */ call(\u3164);\n";
    const model = scriptedModel([edit("a.js", hiding), { say: "Done." }]);
    const server = await testServer({ "a.js": "let ok;\n" }, { model });
    const page = await openTab(browser, server);
    await say(page, "Go");
    const dialog = page.getByRole("dialog");
    const proposed = dialog.locator(".cm-merge-b .cm-content");
    await expect.poll(() => proposed.locator(".cm-specialChar").count()).toBe(5);
    await dialog.getByRole("button", { name: "Approve", exact: true }).click();
    await answered(page);
    expect(server.read("a.js")).toBe(hiding);
    await page.getByRole("link", { name: "Changes" }).first().click();
    await page.getByText("\\u{202e}").waitFor();
  });

  test("line endings stay as they are when a person edits", async () => {
    const model = scriptedModel([edit("win.txt", "one\r\ntwo\r\nthree\r\n"), { say: "Done." }]);
    const server = await testServer({ "win.txt": "one\r\ntwo\r\n" }, { model });
    const page = await openTab(browser, server, { viewport: { width: 390, height: 844 } });
    await say(page, "Go");
    await page.getByRole("dialog").locator(".merge.inline .cm-content").click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("four");
    await page.getByRole("button", { name: "Approve my version" }).click();
    await answered(page);
    expect(server.read("win.txt")).toBe("one\r\ntwo\r\nthree\r\nfour");
  });

  test("no, with a reason that reaches the model", async () => {
    const server = await testServer(project);
    const page = await openTab(browser, server);
    await say(page, "Add a comment to the top of main.js explaining what it does");
    await page.getByRole("button", { name: "Deny…" }).click();
    await page.getByLabel("Why not").fill("no comments, please");
    await page.getByRole("button", { name: "Deny", exact: true }).click();
    expect(await answered(page)).toMatch(/User rejected changes: no comments, please/);
    expect(server.read("src/main.js")).toBe(project["src/main.js"]);
  });

  test("several asks of a step wait together, are remembered by rule, and by keyboard alone", async () => {
    const model = scriptedModel([
      { calls: [...(edit("a.txt", "A\n").calls ?? []), ...(edit("b.txt", "B\n").calls ?? [])] },
      edit("a.txt", "again\n"),
      { say: "Done." },
    ]);
    const server = await testServer({ "a.txt": "a\n", "b.txt": "b\n" }, { model });
    const page = await openTab(browser, server);
    await say(page, "Go");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /1\. edit_file/ }).waitFor();
    await dialog.getByRole("button", { name: "Approve all 2" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "2 approvals pending" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Remember").selectOption("0 session");
    await dialog.getByText("For this session: allow edit_file on a.txt").waitFor();
    await dialog.getByRole("button", { name: "Approve", exact: true }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("changes b.txt", { exact: true }).waitFor();
    await page.keyboard.press("ControlOrMeta+Enter");
    await answered(page);
    expect([server.read("a.txt"), server.read("b.txt")]).toEqual(["again\n", "B\n"]);
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("button", { name: /Remove allow edit_file/ }).click();
    await page.getByRole("button", { name: /Remove allow edit_file/ }).waitFor({ state: "detached" });
  });

  test("tools: found by words, switched off and on, run from a form", async () => {
    const server = await testServer(project);
    const page = await openTab(browser, server);
    await page.getByRole("link", { name: "Tools" }).first().click();
    await page.getByLabel("Search tools").fill("search text in files");
    await page.locator(".rank").first().waitFor();
    await page.getByRole("link", { name: /search_files/ }).click();
    await page.getByRole("button", { name: "All TODO comments" }).click();
    expect(await page.getByLabel("pattern", { exact: true }).inputValue()).toMatch(/TODO/);
    await page.getByRole("button", { name: "Run" }).click();
    const result = page.getByRole("region", { name: "Result", exact: true });
    await expect.poll(() => result.innerText()).toMatch(/src\/app\.js/);
    await result.getByRole("button", { name: "Value" }).click();
    await expect.poll(() => result.innerText()).toMatch(/"total": 2/);
    await page.getByRole("switch", { name: "search_files" }).click();
    await page.getByText("This tool is off").waitFor();
    expect(server.wield.settings.user().tools.off).toEqual(["search_files"]);
    await page.getByLabel("Search tools").fill("");
    await page.getByRole("switch", { name: "search_files" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Run" }).isEnabled()).toBe(true);
    await page.getByLabel("pattern", { exact: true }).fill("(");
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => result.innerText()).toMatch(/INVALID_INPUT/);
  });

  test("an ask shows each file once, folders with what is in them, and what a move replaces", async () => {
    const changes = [
      { path: "docs/new.md", content: "# New\n" },
      { from: "a.txt", to: "b.txt" },
    ];
    const model = scriptedModel([
      {
        calls: [
          { tool: "read_file", input: { path: "missing.txt" } },
          { tool: "edit_files", input: { changes, description: "tidy up" } },
          { tool: "read_file", input: { path: "docs/new.md" } },
        ],
      },
      { say: "Done." },
    ]);
    const server = await testServer({ "a.txt": "a\n" }, { model });
    const page = await openTab(browser, server);
    await say(page, "Go");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    const tabs = dialog.getByRole("tab");
    expect((await tabs.allInnerTexts()).map((text) => text.replace(/\s*\+.*/s, ""))).toEqual([
      "creates docs/new.md",
      "moves a.txt → b.txt",
    ]);
    await tabs.nth(1).click();
    await dialog.getByText("Moved from a.txt.").waitFor();
    await page.keyboard.press("Escape");
    // Somebody is waited for: nothing pretends to be at work.
    await page.getByRole("list", { name: "Chats" }).getByText("needs approval").waitFor();
    expect(await page.getByText("Thinking").count()).toBe(0);
    expect(await page.getByRole("article", { name: "read_file, failed" }).innerText()).toMatch(
      /missing\.txt.*does not exist/s,
    );
    // A call that depends on the change has no result before it is approved.
    const dependent = page.getByRole("article", { name: "read_file, done" });
    expect(await dependent.count()).toBe(0);
    await page.getByRole("button", { name: "Review" }).click();
    await dialog.getByRole("button", { name: "Approve", exact: true }).click();
    await answered(page);
    expect(await dependent.innerText()).toContain("docs/new.md");
    const card = page.getByRole("article", { name: "edit_files, done" });
    await expect.poll(() => card.innerText()).toMatch(/docs\/new\.md and 1 more\s+\d files\s+\+1 −0/);
    await card.getByRole("button").first().click();
    await card.getByRole("group", { name: "Diff of docs/new.md" }).waitFor();
  });

  test("whoever says something sees the answer, and whoever read above finds the way back", async () => {
    const model = scriptedModel((_, index) => ({ say: `Answer ${index}\n\n${"word ".repeat(900)}` }));
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    await say(page, "One");
    await answered(page);
    const scroller = page.locator(".scroller");
    const toTop = () =>
      scroller.evaluate((box) => {
        box.scrollTop = 0;
      });
    const fromEnd = () => scroller.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    const way = page.getByRole("button", { name: "Scroll to the end" });
    expect(await way.count()).toBe(0);
    await toTop();
    await way.click();
    await expect.poll(fromEnd).toBeLessThan(80);
    await way.waitFor({ state: "detached" });
    await toTop();
    await way.waitFor();
    await say(page, "Two");
    await answered(page, 2);
    await expect.poll(fromEnd).toBeLessThan(80);
  });

  test("what is asked while the page still connects, or connects anew, is shown", async () => {
    const model = scriptedModel([{ say: "Hello." }]);
    const server = await testServer({ "a.txt": "a\n" }, { model });
    const page = await openTab(browser, server);
    await say(page, "Hi");
    await answered(page);
    const dialog = page.getByRole("dialog");
    const asks: Promise<unknown>[] = [];
    for (const begin of [
      () => page.reload(),
      () => page.getByRole("link", { name: "Settings" }).first().click(),
    ]) {
      const connected = Promise.withResolvers<void>();
      const known = page.waitForResponse(/api\/(approvals|settings)/);
      await page.route(/api\/events/, (route) => connected.promise.then(() => route.continue()));
      await begin();
      await known;
      asks.push(server.wield.call("write_file", { path: "a.txt", content: "A\n" }));
      await server.asked();
      connected.resolve();
      await dialog.getByText("changes a.txt", { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Deny…" }).click();
      await dialog.getByRole("button", { name: "Deny", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await page.unroute(/api\/events/);
    }
    await Promise.all(asks);
  });

  test("a file is named by a few letters after an @, by keyboard and by hand", async () => {
    const rules = [{ decision: "deny" as const, path: "src/secret-cart.ts" }];
    const model = scriptedModel([{ say: "Seen." }]);
    const files = {
      "src/cart.ts": "",
      "src/cart.test.ts": "",
      "docs/cards.md": "",
      "src/secret-cart.ts": "",
    };
    const server = await testServer(files, { model, wield: { settings: { rules } } });
    const page = await openTab(browser, server);
    const field = page.getByLabel("Message");
    const list = page.getByRole("listbox", { name: "Files" });
    await field.pressSequentially("Compare @car");
    // Each key asks the server again: the list is right once the answer to the last key is there.
    await expect
      .poll(() => list.getByRole("option").allInnerTexts())
      .toEqual(["src/cart.ts", "docs/cards.md", "src/cart.test.ts"]);
    await lookAt(page, "mention");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "detached" });
    await page.keyboard.type("with @crt");
    await list.getByText("src/cart.test.ts").click();
    await expect.poll(() => field.inputValue()).toBe("Compare @src/cart.ts with @src/cart.test.ts ");
    await page.keyboard.type("me@home @car");
    await list.waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await answered(page);
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain(
      "Compare @src/cart.ts with @src/cart.test.ts me@home @car",
    );
  });

  test("after a / at the beginning, commands of files are listed and sent as the message that they hold", async () => {
    const model = scriptedModel([{ say: "Seen." }]);
    const server = await testServer({}, { model });
    const commands = "../.config/wield/commands";
    server.write(`${commands}/review.md`, "---\ndescription: Review a part\n---\nReview $1 with care.");
    server.write(`${commands}/release.md`, "Write the notes of a release.");
    const page = await openTab(browser, server);
    const field = page.getByLabel("Message");
    const list = page.getByRole("listbox", { name: "Commands" });
    await field.pressSequentially("/rev");
    await expect.poll(() => list.getByRole("option").allInnerTexts()).toEqual(["review Review a part"]);
    await lookAt(page, "commands");
    await page.keyboard.press("Tab");
    await page.keyboard.type("src/cart.ts");
    await expect.poll(() => field.inputValue()).toBe("/review src/cart.ts");
    await page.keyboard.press("Enter");
    await answered(page);
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain("Review src/cart.ts with care.");
  });

  test("a chat that is not there leads to a new one", async () => {
    const server = await testServer();
    const page = await openTab(browser, server);
    await page.getByLabel("Message").waitFor();
    await page.goto(`${server.origin}/#/chat/a_nosuchchat`);
    await page.getByText("This session does not exist").waitFor();
    await page.getByRole("link", { name: "Start a new chat" }).click();
    await page.getByLabel("Message").waitFor();
    // Before the server has said which model there is, its link has a name, too.
    const gate = Promise.withResolvers<void>();
    await page.route("**/api/status", async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByLabel("Message").waitFor();
    await page.getByRole("link", { name: "Choose the model" }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    gate.resolve();
    await page.getByRole("link", { name: "Choose the model" }).waitFor({ state: "detached" });
  });

  test("a part that cannot be loaded is told as such, and the rest of the page goes on", async () => {
    const server = await testServer(project);
    const page = await openTab(browser, server);
    await page.getByLabel("Message").waitFor();
    await page.route(/tools-page/, (route) => route.abort());
    await page.getByRole("link", { name: "Tools" }).first().click();
    await page.getByRole("heading", { name: "This part could not be loaded" }).waitFor();
    await page.getByRole("link", { name: "Changes" }).first().click();
    await page.getByRole("heading", { name: "No changes yet" }).waitFor();
    await page.unroute(/tools-page/);
    await page.getByRole("link", { name: "Tools" }).first().click();
    await page.getByRole("button", { name: "Reload the page" }).click();
    await page.getByLabel("Search tools").waitFor();
  });

  test("a reload in the middle of a stream and of an approval loses nothing", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(async (_, index) => {
      if (index === 1) await gate.promise;
      return [
        { say: "Before the reload. ", calls: [{ tool: "read_file", input: { path: "a.txt" } }] },
        { say: "After the reload.", calls: edit("a.txt", "A\n").calls ?? [] },
        { say: "All done." },
      ][index] as ScriptedReply;
    });
    const server = await testServer({ "a.txt": "a\n" }, { model });
    const page = await openTab(browser, server);
    await say(page, "Go");
    await page.getByText("Before the reload.").waitFor();
    await page.reload();
    await page.getByText("Before the reload.").waitFor();
    gate.resolve();
    await page.getByText("After the reload.").waitFor();
    await page.getByRole("dialog").getByText("changes a.txt", { exact: true }).waitFor();
    await page.reload();
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    const text = await answered(page);
    expect(server.read("a.txt")).toBe("A\n");
    for (const words of ["Before the reload.", "After the reload.", "All done."])
      expect(text.split(words), `${words} once in ${text}`).toHaveLength(2);
  });

  test("two tabs show the same, and an answer in one closes the question in the other", async () => {
    const model = scriptedModel([edit("a.txt", "A\n"), { say: "Changed." }]);
    const server = await testServer({ "a.txt": "a\n" }, { model });
    const first = await openTab(browser, server);
    const second = await openTab(browser, server);
    await say(first, "Go");
    await second.getByRole("list", { name: "Chats" }).getByRole("link").waitFor();
    await second.getByRole("dialog").waitFor();
    await first.getByRole("dialog").waitFor();
    await second.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await first.getByRole("dialog").waitFor({ state: "detached" });
    await first.getByText("Changed.").waitFor();
    await second.getByRole("list", { name: "Chats" }).getByRole("link").click();
    await second.getByText("Changed.").waitFor();
    expect(server.read("a.txt")).toBe("A\n");
  });

  test("a run that one tab begins is followed in another, and a word that comes too late stays in its field", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const model = scriptedModel(async (_, index) => {
      await gates[index - 1]?.promise;
      return index === 2
        ? { say: "Third.", calls: [{ tool: "list_files", input: {} }] }
        : { say: `Answer ${index}.` };
    });
    const server = await testServer({}, { model });
    const first = await openTab(browser, server);
    await say(first, "One");
    await answered(first);
    const second = await openTab(browser, server);
    await second.getByRole("list", { name: "Chats" }).getByRole("link").click();
    await second.getByText("Answer 0.").waitFor();
    await say(first, "Two");
    await second.getByRole("article", { name: "You" }).getByText("Two").waitFor();
    gates[0]?.resolve();
    expect(await answered(first, 2)).toMatch(/Two.*Answer 1\./s);
    expect(await answered(second, 2)).toMatch(/Two.*Answer 1\./s);
    const id = new URL(first.url()).hash.split("/").at(-1);
    await second.route("**/api/sessions/*/messages", async (route) => {
      await server.api(`/sessions/${id}/messages`, { text: "From elsewhere" });
      await route.continue();
    });
    await say(second, "Too late");
    await second.getByText("still working").waitFor();
    await expect.poll(() => second.getByLabel("Message").inputValue()).toBe("Too late");
    gates[1]?.resolve();
    for (const tab of [first, second]) {
      const text = await answered(tab, 3);
      expect(text).toMatch(/From elsewhere.*Third\./s);
      expect(text).not.toContain("Too late");
    }
  });

  test("a connection that breaks in the middle of words loses none of them, and says none twice", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const model = scriptedModel(async (_, index) => {
      await gates[index - 1]?.promise;
      return [
        { say: "One. ", calls: [{ tool: "read_file", input: { path: "a.txt" } }] },
        { say: "Two. ", calls: [{ tool: "read_file", input: { path: "b.txt" } }] },
        { say: "Three." },
      ][index] as ScriptedReply;
    });
    const server = await testServer({ "a.txt": "a\n", "b.txt": "b\n" }, { model });
    const cable = await connectEvents(server);
    const page = await openTab(browser, server, { proxy: cable.proxy });
    await say(page, "Go");
    await page.getByText("One.").waitFor();
    cable.cut();
    gates[0]?.resolve();
    await page.getByText("Two.").waitFor();
    await page.reload();
    await page.getByText("Two.").waitFor();
    cable.cut();
    gates[1]?.resolve();
    const text = await answered(page);
    for (const words of ["One.", "Two.", "Three."])
      expect(text.split(words), `${words} once in ${text}`).toHaveLength(2);
    expect(await page.getByRole("article", { name: "read_file, done" }).count()).toBe(2);
  });

  test("an answer that is given while the server is gone is kept, said so, and sent when it is back, also to another process", async () => {
    const server = await testServer({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" }, { tokens: "kept" });
    const cable = await connectEvents(server);
    const page = await openTab(browser, server, { proxy: cable.proxy });
    const dialog = page.getByRole("dialog");
    const write = (path: string) => server.wield.call("write_file", { path, content: "new\n" });
    const ask = async (path: string) => {
      const call = write(path);
      await dialog.getByText(`changes ${path}`, { exact: true }).waitFor();
      cable.unplug();
      await dialog.getByText("your answer is kept").waitFor();
      await dialog.getByRole("button", { name: "Approve", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByText(`sent when Wield is back: approve write_file ${path}`).waitFor();
      return call;
    };
    const kept = page.getByText(/Your answer is kept/);
    const first = ask("a.txt");
    await kept.waitFor();
    await lookAt(page, "kept-answer");
    expect(server.read("a.txt")).toBe("a\n");
    cable.plugInto(server);
    expect((await first).result.ok).toBe(true);
    expect(server.read("a.txt")).toBe("new\n");
    await kept.waitFor({ state: "detached" });
    // An answer can be taken back, and one that nobody waits for any more is said not to have been used.
    const third = ask("c.txt");
    await kept.waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    await dialog.getByRole("button", { name: "Deny…" }).waitFor();
    await dialog.getByRole("button", { name: "Approve", exact: true }).click();
    await kept.waitFor();
    const { id = "" } = (await server.api<OpenView>("/approvals")).asks[0] ?? {};
    await server.api(`/approvals/${id}`, { approved: false });
    cable.plugInto(server);
    await page.getByText("It was not used").waitFor();
    await third;
    expect(server.read("c.txt")).toBe("c\n");
    // The next process on the folder finds the request of the one before, which answers no more.
    void ask("b.txt").catch(() => undefined);
    await kept.waitFor();
    const next = await startServer({ wield: { workspace: server.root, env: server.env }, tokens: "kept" });
    onTestFinished(() => next.close());
    cable.plugInto(next);
    await expect.poll(() => server.read("b.txt")).toBe("new\n");
    await kept.waitFor({ state: "detached" });
  });

  test("a plan is one checklist that is drawn once and changes while the agent works", async () => {
    const gates = [0, 1].map(() => Promise.withResolvers<void>());
    const replies: ScriptedReply[] = [
      {
        calls: [
          {
            tool: "createPlan",
            input: { title: "Ship it", steps: ["Write notes", "Tell people", "Tell people"] },
          },
        ],
      },
      {
        calls: [
          { tool: "updatePlan", input: { stepId: "1", status: "done" } },
          { tool: "updatePlan", input: { stepId: "2", status: "in_progress" } },
        ],
      },
      { calls: [{ tool: "updatePlan", input: { stepId: "2", status: "failed", note: "nobody there" } }] },
      { say: "Half way." },
    ];
    const model = scriptedModel(async (_, index) => {
      await gates[index - 1]?.promise;
      return replies[index] ?? { say: "" };
    });
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    await page.getByText("Assistant", { exact: true }).click();
    await say(page, "Go");
    const plan = page.locator(".plan");
    const steps = plan.getByRole("list", { name: "Plan" }).getByRole("listitem");
    await expect.poll(() => steps.count()).toBe(3);
    await plan.evaluate((element) => element.setAttribute("data-first", "true"));
    gates[0]?.resolve();
    await expect
      .poll(() => steps.allTextContents())
      .toEqual(["done: Write notes", "under way: Tell people", "open: Tell people"]);
    await lookAt(page, "plan");
    gates[1]?.resolve();
    await answered(page);
    expect(await steps.nth(1).textContent()).toBe("failed: Tell people (nobody there)");
    expect([await plan.count(), await plan.getAttribute("data-first")]).toEqual([1, "true"]);
    // The last words are above the checklist, not behind it.
    const [words, checklist] = await Promise.all(
      [page.locator(".ending"), plan].map((each) => each.boundingBox()),
    );
    expect((words?.y ?? 0) + (words?.height ?? 0)).toBeLessThanOrEqual(checklist?.y ?? 0);
    // Closed, it tells what comes next, and stays closed.
    await plan.locator("summary").click();
    await expect.poll(() => plan.locator("summary").innerText()).toMatch(/Ship it\s+Tell people\s+1\/3/);
    await page.reload();
    await plan.locator("summary").waitFor();
    expect(await steps.first().isVisible()).toBe(false);
  });

  test("stop, and go on", async () => {
    const model = scriptedModel((_, index) =>
      index === 0 ? new Promise<never>(() => undefined) : { say: "Here it is." },
    );
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    await say(page, "Go");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Here it is.").waitFor();
  });

  test("a session that an earlier process left is gone on with, or told something else", async () => {
    const server = await testServer(
      { "a.txt": "a\n" },
      { model: scriptedModel(() => ({ say: "Gone on." })) },
    );
    const { store, workspace } = server.wield;
    const at = new Date().toISOString();
    for (const id of ["a_firstleft0", "a_secondleft"]) {
      const about = { id, workspace: workspace.root, agent: "coding", title: id, at, updated: at };
      const call = { id: `c_${id}`, ref: "r", tool: "read_file", input: { path: "a.txt" } };
      const content = [{ type: "tool-call", toolCallId: "r", toolName: call.tool, input: call.input }];
      const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
      const step = {
        kind: "step",
        messages: [{ role: "assistant", content }],
        calls: [call],
        usage,
        final: false,
      };
      await store.appendEntry(about, { seq: 0, at, data: { kind: "user", text: "Go" } });
      await store.appendEntry(about, { seq: 1, at, data: step });
    }
    // The process ended after this call, and before it noted the results of the step.
    await store.finishCall(
      {
        ...{ id: "c_a_firstleft0", session: "a_firstleft0", tool: "read_file", at, durationMs: 3, ok: true },
        ...{ errorCode: null, bytes: 2, tokensIn: 1, tokensOut: 1, approval: "none" },
      },
      "1\ta",
    );
    const page = await openTab(browser, server);
    const done = page.getByRole("article", { name: "read_file, done" });
    await page.getByRole("link", { name: /^a_firstleft0 / }).click();
    await page.getByText("Wield stopped during this run.").waitFor();
    expect(await done.count()).toBe(1);
    await page.getByRole("button", { name: "Continue" }).click();
    expect(await answered(page)).toMatch(/Gone on\./);
    expect(await done.count()).toBe(1);
    await page.getByRole("link", { name: /^a_secondleft / }).click();
    await page.getByText("Wield stopped during this run.").waitFor();
    await page.getByRole("article", { name: "read_file, stopped" }).waitFor();
    await say(page, "Something else");
    expect(await answered(page)).toMatch(/Go.*Something else.*Gone on\./s);
    await done.waitFor();
    expect(await page.getByText("Wield stopped during this run").count()).toBe(0);
  });

  test("what a model says is text: it runs nothing, loads nothing, leads nowhere strange", async () => {
    const words = [
      '<img src=x onerror="document.title=1"> <script>document.title=2</script>',
      "![pixel](http://attacker.example/p.png) [link](javascript:alert(1)) [page](https://example.com/a)",
      "| a | b |\n|---|---|\n| `x` | **y** |",
    ].join("\n\n");
    const server = await testServer({}, { model: scriptedModel([{ say: words }]) });
    const page = await openTab(browser, server);
    await say(page, "Go");
    await answered(page);
    expect(await page.title()).toBe("Wield");
    const said = page.getByRole("article", { name: "Agent" });
    expect(await said.locator("img, script, iframe").count()).toBe(0);
    expect(
      await said.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual(["http://attacker.example/p.png", "https://example.com/a"]);
    expect(await said.getByRole("cell").allInnerTexts()).toEqual(["x", "y"]);
  });

  test("a long session opens at its end, and whoever reads above is left in peace", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(async (_, index) => {
      if (index === 200) await gate.promise;
      return { say: `Answer ${index}\n\n${"word ".repeat(60)}` };
    });
    const server = await testServer({}, { model });
    const agent = await server.wield.agent();
    for (let turn = 0; turn < 200; turn++) await agent.send(`Question ${turn}`);
    const page = await openTab(browser, server);
    await page.getByRole("list", { name: "Chats" }).getByRole("link").click();
    await page.getByText("Answer 199").waitFor();
    expect(await page.getByText("Answer 199").isVisible()).toBe(true);
    expect(await page.getByRole("article").count()).toBe(400);
    const scroller = page.locator(".scroller");
    await expect
      .poll(() => scroller.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
      .toBeLessThan(80);
    await say(page, "One more");
    await page.getByText("One more").waitFor();
    await scroller.evaluate((box) => {
      box.scrollTop = 0;
    });
    await expect
      .poll(() => page.getByRole("log").getByText("Question 0", { exact: true }).isVisible())
      .toBe(true);
    gate.resolve();
    await page.getByText("Answer 200").waitFor({ state: "attached" });
    expect(await scroller.evaluate((box) => box.scrollTop)).toBe(0);
  });

  test("without the token there is only a word about it; with it the page is signed in, after a restart too", async () => {
    const server = await testServer({}, { tokens: "kept" });
    const page = await openTab(browser, { ...server, address: server.origin });
    await page.getByRole("heading", { name: "This page needs its token" }).waitFor();
    await page.goto(server.address);
    await page.getByLabel("Message").waitFor();
    expect(page.url()).not.toContain(server.token);
    // A link with another token signs nobody out, and what is kept cannot be read or sent.
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${JSON.stringify(request.headers())} ${request.postData()}`));
    // The page starts again by itself.
    const started = page.waitForEvent("load");
    await page.goto(`${server.origin}/#token=${"x".repeat(43)}`);
    await started;
    await page.getByLabel("Message").waitFor();
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.filter((bytes) => bytes.includes(server.token))).toEqual([]);
    const kept = await page.evaluate(`(async () => {
      const opening = indexedDB.open("wield", 1);
      await new Promise((ready) => opening.addEventListener("success", ready));
      const reading = opening.result.transaction("keys").objectStore("keys").get("page");
      await new Promise((ready) => reading.addEventListener("success", ready));
      const read = await crypto.subtle.exportKey("raw", reading.result).then(String, String);
      return [JSON.stringify(localStorage), read];
    })()`);
    expect(kept).toEqual([expect.not.stringContaining("token"), expect.stringContaining("not extractable")]);
    await server.close();
    const { port, root, env } = server;
    const again = await startServer({ port, tokens: "kept", wield: { workspace: root, env } });
    onTestFinished(again.close);
    await page.getByText("Wield is not reachable").waitFor({ state: "detached" });
    await page.getByLabel("Message").fill("hello");
    await page.reload();
    await page.getByLabel("Message").waitFor();
    expect(sent.filter((bytes) => bytes.includes(server.token))).toEqual([]);
  });

  test("every page, empty and full, at every size and in every colour: usable by everybody", async () => {
    const server = await testServer(project);
    const page = await openTab(browser, server);
    const visit = async (...names: string[]) => {
      for (const name of names) {
        await page.goto(`${server.origin}/#/${name.toLowerCase()}`);
        await page.getByRole("heading", { name, level: 1 }).waitFor();
        await page.locator(".loading").waitFor({ state: "detached" });
      }
    };
    await page.getByRole("heading", { name: /What should I do/ }).waitFor();
    await lookAt(page, "welcome");
    for (const name of ["Changes", "Activity"]) {
      await visit(name);
      await page.locator(".empty").waitFor();
      await lookAt(page, `${name.toLowerCase()}-empty`);
    }
    await page.goto(`${server.origin}/#/chat`);
    await say(page, "Add a comment to the top of main.js explaining what it does");
    await page.getByRole("dialog").locator(".cm-content").first().waitFor();
    await lookAt(page, "approval");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await answered(page);
    await lookAt(page, "chat");
    for (const name of ["Changes", "Tools", "Activity", "Settings"]) {
      await visit(name);
      if (name === "Activity") await page.locator(".chart canvas").nth(3).waitFor();
      await lookAt(page, name.toLowerCase());
    }
    await page.goto(`${server.origin}/#/tools/read_file`);
    await page.getByRole("button", { name: "Run" }).waitFor();
    await lookAt(page, "console");
  });
});

test("the first load of the page is small", async () => {
  const { gzipSync } = await import("node:zlib");
  const folder = join(import.meta.dirname, "../../dist/ui");
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const entries = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  const scripts = entries.flatMap((path) => [path, ...staticImports(join(folder, path))]);
  const bytes = [...new Set(scripts)].map((path) => gzipSync(readFileSync(join(folder, path))).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300 * 1024);
});

function staticImports(file: string): string[] {
  if (!file.endsWith(".js")) return [];
  const source = readFileSync(file, "utf8");
  return [...source.matchAll(/\bfrom\s*"\.\/([\w.-]+\.js)"/g)].map(([, name = ""]) => `assets/${name}`);
}
