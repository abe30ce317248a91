import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { AgentOptions } from "../app/agent-options.ts";
import { createWield } from "../app/wield.ts";
import type { CodeIntelligence } from "../code/code.ts";
import { scriptedModel } from "../testing/testing.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { type TestServer, testServer } from "./server.suite.ts";

const trouble = join(import.meta.dirname, "../mcp/fixtures/trouble-server.mjs");
const writes = { decision: "allow", tool: "write_file" } as const;
const write = (server: TestServer, path: string, content: string) =>
  server.wield.call("write_file", { path, content });

/** To a place in the page by the keyboard: whatever has the focus is left behind. */
async function pressOn(
  page: Page,
  name: string | RegExp,
  key = "Enter",
  role: "button" | "switch" = "button",
) {
  await page.getByRole(role, { name }).focus();
  await page.keyboard.press(key);
}

describe.skipIf(!hasChromium)("the views of the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("a browser that Wield opens is let in once by its code", async () => {
    const server = await testServer();
    const address = server.signInAddress();
    const first = await openTab(browser, { origin: server.origin, address });
    await first.getByLabel("Message").waitFor();
    expect(first.url()).toBe(`${server.origin}/#/chat`);
    await first.reload();
    await first.getByLabel("Message").waitFor();
    const second = await openTab(browser, { origin: server.origin, address });
    await second.getByRole("heading", { name: "This page needs its token" }).waitFor();
  });

  test("favourites are pinned and unpinned, proposed when a tool is used often, and hold at once", async () => {
    const server = await testServer();
    const loading = (name: string) => server.wield.tools.registry.get(name)?.loading;
    const often = server.wield.tools.list().find((tool) => tool.loading === "deferred")?.name ?? "";
    for (let call = 0; call < 5; call++) await server.wield.callAny(often, {});
    const page = await openTab(browser, server);
    await page.getByRole("link", { name: "Tools" }).first().click();
    const proposals = page.getByRole("region", { name: "Tools to pin" });
    await proposals.getByText("5 times this month").waitFor();
    await lookAt(page, "favourites");
    await pressOn(page, `Pin ${often}`);
    await proposals.waitFor({ state: "detached" });
    expect([loading(often), server.wield.settings.user().tools.favourites]).toEqual(["core", [often]]);
    expect(server.wield.tools.catalogue()).not.toMatch(new RegExp(`\\b${often}\\b`));
    const pin = page.getByRole("button", { name: `Pin: ${often}`, exact: true });
    expect(await pin.getAttribute("aria-pressed")).toBe("true");
    await pin.focus();
    await page.keyboard.press("Space");
    await expect.poll(() => pin.getAttribute("aria-pressed")).toBe("false");
    expect([loading(often), server.wield.settings.user().tools.favourites]).toEqual(["deferred", []]);
  });

  test("tools are switched by category in the settings; Discovery stays on", async () => {
    const server = await testServer();
    const on = () => server.wield.tools.list().map(({ name }) => name);
    const page = await openTab(browser, server);
    await page.goto(`${server.origin}/#/settings`);
    const categories = page.getByRole("list", { name: "Categories of tools" });
    const discovery = categories.getByRole("listitem").filter({ hasText: "searchTools" });
    await discovery.getByText("Always on").waitFor();
    expect(await discovery.getByRole("switch").count()).toBe(0);
    await lookAt(page, "settings-tools");
    expect(on()).toContain("getWeather");
    await categories.getByRole("switch", { name: "Category Utility" }).focus();
    await page.keyboard.press("Space");
    await expect.poll(on).not.toContain("getWeather");
    await categories.getByText("0 of 1 on").waitFor();
    const weather = categories.getByRole("switch", { name: "Category Utility" });
    await expect.poll(() => weather.getAttribute("aria-checked")).toBe("false");
    await page.keyboard.press("Space");
    await expect.poll(on).toContain("getWeather");
    for (const name of ["Discovery", "searchTools", "readSkill"])
      await expect(server.api("/settings/switch", { name, on: false })).rejects.toThrow(
        `400 INVALID_INPUT: ${name} cannot be switched off`,
      );
    expect(on()).toEqual(expect.arrayContaining(["searchTools", "searchSkills", "readSkill"]));
    await page.goto(`${server.origin}/#/tools`);
    await page.getByRole("region", { name: "Discovery" }).getByText("Always on").waitFor();
    expect(await page.getByRole("switch", { name: "Category Discovery" }).count()).toBe(0);
  });

  test("skills are listed and read, with their further files", async () => {
    const server = await testServer();
    const skill = join(server.env["HOME"] ?? "", ".config/wield/skills/letter-style");
    mkdirSync(join(skill, "examples"), { recursive: true });
    writeFileSync(
      join(skill, "SKILL.md"),
      "---\nname: letter-style\ndescription: How we write letters.\n---\n# Letters\n\nBe **brief**.\n",
    );
    writeFileSync(join(skill, "examples/letter.py"), "print('Dear reader')\n");
    const page = await openTab(browser, server);
    await page.getByRole("link", { name: "Skills" }).first().click();
    await page
      .getByRole("region", { name: "Built in" })
      .getByRole("link", { name: /agent-browser/ })
      .waitFor();
    await page
      .getByRole("region", { name: "Yours" })
      .getByRole("link", { name: /letter-style/ })
      .press("Enter");
    const text = page.getByRole("article", { name: "letter-style" });
    await text.getByRole("heading", { name: "Letters" }).waitFor();
    await text.getByLabel("File").selectOption("examples/letter.py");
    await text.getByText("print('Dear reader')").waitFor();
    await page.goto(`${server.origin}/#/skills/agent-browser`);
    await page.getByRole("article", { name: "agent-browser" }).getByRole("heading").nth(1).waitFor();
    await lookAt(page, "skills");
    await page.goto(`${server.origin}/#/skills/nothing-here`);
    await page.getByText(/There is no skill "nothing-here"/).waitFor();
  });

  test("how thorough the explorer is can be chosen, at first and for each word after", async () => {
    const model = scriptedModel(() => ({ say: "Looked." }));
    const server = await testServer({}, { model });
    const asked: AgentOptions[] = [];
    const { agent } = server.wield;
    server.wield.agent = (given = {}) => {
      if (given.profile !== undefined) asked.push(given);
      return agent(given);
    };
    const page = await openTab(browser, server);
    await page.getByRole("radio", { name: "Code" }).focus();
    expect(await page.getByLabel("How thorough").count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    await page.getByLabel("How thorough").selectOption("thorough");
    await say(page, "Look around");
    await answered(page);
    await page.getByLabel("How thorough").selectOption("quick");
    await say(page, "And again");
    await answered(page, 2);
    expect(asked).toMatchObject([
      { profile: "explore", mode: "thorough" },
      { profile: "explore", mode: "quick" },
    ]);
  });

  test("suggestions for a document are asked for, applied and dismissed", async () => {
    const content = "Their are two mistakes hear.";
    const model = scriptedModel([
      { calls: [{ tool: "createDocument", input: { title: "Notes", kind: "text", content } }] },
      { say: "Written." },
    ]);
    const suggest = async () => [
      { original: "Their are", suggested: "There are", reason: "Spelling." },
      { original: "hear", suggested: "in this place", reason: "Clarity." },
    ];
    const server = await testServer({}, { model, wield: { suggest } });
    const { agent } = server.wield;
    server.wield.agent = (given) => agent({ ...given, tools: "studio" });
    const page = await openTab(browser, server);
    await say(page, "Go");
    await answered(page);
    await page.getByRole("button", { name: "Open" }).click();
    await pressOn(page, "Suggest");
    const cards = page.getByRole("region", { name: "Suggestion" });
    await expect.poll(() => cards.count()).toBe(2);
    await lookAt(page, "suggestions");
    await cards.first().getByRole("button", { name: "Accept" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("There are two mistakes hear.").waitFor();
    await expect
      .poll(() => page.getByLabel("Version", { exact: true }).locator("option").first().textContent())
      .toBe("Version 2: Spelling.");
    await cards.getByRole("button", { name: "Dismiss" }).click();
    await expect.poll(() => cards.count()).toBe(0);
    expect(await page.locator(".document-body").textContent()).toBe("There are two mistakes hear.");
  });

  test("a connected server's question is a form among the asks, answered by keyboard or declined", async () => {
    const settings = {
      mcp: { trouble: { command: process.execPath, args: [trouble, trouble] } },
      rules: [{ decision: "allow" as const, tool: "trouble__*" }],
    };
    const server = await testServer({}, { wield: { settings } });
    const page = await openTab(browser, server);
    const asking = server.wield.callAny("trouble__ask", {});
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "trouble asks" }).waitFor();
    await dialog.getByText("Which colour?").waitFor();
    await lookAt(page, "question");
    await dialog.getByLabel("size").selectOption("large");
    await dialog.getByLabel("sure").selectOption("yes");
    await dialog.getByLabel("count").fill("3");
    await dialog.getByLabel("Colour").focus();
    await page.keyboard.type("green");
    await page.keyboard.press("Enter");
    expect((await asking).text).toContain(
      JSON.stringify({ action: "accept", content: { colour: "green", size: "large", count: 3, sure: true } }),
    );
    await dialog.waitFor({ state: "detached" });
    const again = server.wield.callAny("trouble__ask", {});
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await pressOn(page, "1 question pending");
    await dialog.getByRole("button", { name: "Decline" }).click();
    expect((await again).text).toContain('{"action":"decline"}');
  });

  test("Settings shows which providers are set up, how to set up the others, and no key", async () => {
    const server = await testServer({}, { env: { TAVILY_API_KEY: "secret-key" } });
    const page = await openTab(browser, server);
    await page.getByRole("link", { name: "Settings" }).first().click();
    const search = page.getByRole("region", { name: "Search" });
    await search.getByText("in use (TAVILY_API_KEY)").waitFor();
    await search.getByText(/set BRAVE_API_KEY/).waitFor();
    await page
      .getByRole("region", { name: "Model" })
      .getByText(/set ANTHROPIC_API_KEY/)
      .waitFor();
    expect(await page.content()).not.toContain("secret-key");
  });

  test("the agent's questions are a form, and the answers reach it", async () => {
    const model = scriptedModel([
      {
        calls: [
          {
            tool: "ask_person",
            input: {
              questions: [
                { question: "Which database?", options: ["SQLite", "Postgres"] },
                { question: "Why that one?" },
              ],
            },
          },
        ],
      },
      { say: "Thank you." },
    ]);
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    await say(page, "Set it up");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "The agent asks" }).waitFor();
    await dialog.getByText("It is waiting for your answer").waitFor();
    expect(await dialog.getByText("Which database?").count()).toBe(1);
    await dialog.getByRole("radio", { name: "Postgres" }).check();
    await dialog.getByLabel("Why that one?").fill("It is there already.");
    await dialog.getByRole("button", { name: "Answer" }).click();
    await answered(page);
    const told = JSON.stringify(model.requests[1]?.prompt.at(-1));
    expect(told).toContain("Which database?\\n→ Postgres");
    expect(told).toContain("Why that one?\\n→ It is there already.");
  });

  test("what the agent delegated is shown below its call: question, calls and report", async () => {
    const model = scriptedModel(({ prompt }) => {
      const isExplorer = JSON.stringify(prompt).includes("Answer questions about the code");
      const results = prompt.filter(({ role }) => role === "tool").length;
      if (!isExplorer)
        return results > 0
          ? { say: "Planned." }
          : { calls: [{ tool: "explore", input: { question: "Where is it?", thoroughness: "quick" } }] };
      return results > 0
        ? { say: "It is in a.txt:1." }
        : { calls: [{ tool: "grep", input: { pattern: "alpha" } }] };
    });
    const server = await testServer({ "a.txt": "alpha\n" }, { model });
    const page = await openTab(browser, server);
    await say(page, "Plan it");
    await answered(page);
    expect(await page.getByRole("list", { name: "Chats" }).getByRole("link").count()).toBe(1);
    const card = page.getByRole("article", { name: "explore, done" });
    await card.getByRole("button").first().click();
    const run = card.getByRole("region", { name: /^Run t_/ });
    await run.getByText("Where is it?").waitFor();
    await run.getByRole("article", { name: "grep, done" }).getByRole("button").first().click();
    await run.getByText("alpha").first().waitFor();
    await run.getByText("It is in a.txt:1.").waitFor();
  });

  test("an answer that nobody asked for, or without what is needed, is refused and leaves the question open", async () => {
    const settings = {
      mcp: { trouble: { command: process.execPath, args: [trouble, trouble] } },
      rules: [{ decision: "allow" as const, tool: "trouble__*" }],
    };
    const server = await testServer({}, { wield: { settings } });
    const stop = new AbortController();
    const asking = server.wield.callAny("trouble__ask", {}, { signal: stop.signal });
    const questions = async () => (await server.api<{ questions: { id: string }[] }>("/approvals")).questions;
    await expect.poll(async () => (await questions()).length).toBe(1);
    const [{ id } = { id: "" }] = await questions();
    for (const body of [
      { action: "accept", content: { colour: { deep: "blue" } } },
      { action: "accept", content: { colour: "blue", password: "x" } },
      { action: "accept", content: {} },
      { action: "maybe" },
    ])
      await expect(server.api(`/questions/${id}`, body)).rejects.toThrow(/400 INVALID_INPUT/);
    await expect(server.api("/questions/other", { action: "cancel" })).rejects.toThrow(/409 CONFLICT/);
    stop.abort();
    await asking;
    await expect.poll(async () => (await questions()).length).toBe(0);
  });

  test("rules are changed and removed, by keyboard", async () => {
    const server = await testServer();
    const mine = { decision: "allow", tool: "edit_file", path: "src/*" } as const;
    server.wield.settings.change((now) => ({
      ...now,
      rules: [mine, { ...mine, path: "docs/*", workspace: server.root }, { ...writes, workspace: "/other" }],
    }));
    const page = await openTab(browser, server);
    await page.goto(`${server.origin}/#/settings`);
    await pressOn(page, "Edit allow edit_file on docs/*");
    const form = page.getByRole("form", { name: /Edit allow edit_file/ });
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await pressOn(page, "Edit allow edit_file on docs/*");
    await page.keyboard.press("d");
    await page.keyboard.press("Tab");
    await page.keyboard.type("*_file");
    await lookAt(page, "rules");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Edit deny *_file on docs/*" }).waitFor();
    // In its old place, for the same folder, and no other rule touched.
    expect(server.wield.settings.user().rules).toEqual([
      mine,
      { decision: "deny", tool: "*_file", path: "docs/*", workspace: server.root },
      { ...writes, workspace: "/other" },
    ]);
    await pressOn(page, "Remove allow edit_file on src/*");
    await page
      .getByRole("button", { name: "Remove allow edit_file on src/*" })
      .waitFor({ state: "detached" });
    expect(server.wield.settings.user().rules).toHaveLength(2);
  });

  test("any selection of changes is undone and redone as one; what stands in the way is shown", async () => {
    const server = await testServer({ "a.txt": "0\n" }, { wield: { settings: { rules: [writes] } } });
    for (const [path, content] of [
      ["a.txt", "1\n"],
      ["b.txt", "b\n"],
      ["a.txt", "2\n"],
    ] as const)
      await write(server, path, content);
    const page = await openTab(browser, server);
    await page.goto(`${server.origin}/#/changes`);
    const boxes = page.getByRole("checkbox");
    await expect.poll(() => boxes.count()).toBe(3);
    await boxes.nth(2).focus();
    await page.keyboard.press("Space");
    await pressOn(page, "Undo 1");
    await page
      .getByRole("alert")
      .getByText(/later changes touched `a\.txt`/)
      .waitFor();
    await pressOn(page, "Select that change, too");
    await page.getByText("2 changes selected").waitFor();
    await pressOn(page, "Undo 2");
    await expect.poll(() => page.getByText("undone", { exact: true }).count()).toBe(2);
    expect([server.read("a.txt"), server.read("b.txt")]).toEqual(["0\n", "b\n"]);
    // A range, by the keyboard as by the mouse: from the last one that was touched to this one.
    await boxes.nth(0).check();
    await boxes.nth(2).focus();
    await page.keyboard.press("Shift+Space");
    await page.getByText("3 changes selected").waitFor();
    await page.getByRole("button", { name: "Redo 2" }).click();
    await expect.poll(() => page.getByText("undone", { exact: true }).count()).toBe(0);
    expect(server.read("a.txt")).toBe("2\n");
    server.write("b.txt", "someone else\n");
    await boxes.nth(1).check();
    await page.getByRole("button", { name: "Undo 1" }).click();
    const difference = page.getByRole("alert").getByRole("group", { name: "Diff of b.txt" });
    await expect.poll(() => difference.textContent()).toMatch(/b.*someone else/s);
    await lookAt(page, "conflict");
  });

  test("asks that another process left open are listed and answered; a call whose file has changed is asked again", async () => {
    const server = await testServer({ "a.txt": "a\n", "b.txt": "b\n" });
    const other = await createWield({
      workspace: server.root,
      env: server.env,
      asker: () => new Promise(() => undefined),
    });
    for (const path of ["a.txt", "b.txt"])
      void other.call("edit_file", { path, content: `new ${path}\n`, description: "say it better" });
    await expect.poll(async () => (await server.wield.approvals.pending()).length).toBe(2);
    // It stays as it is, as if its process hung: closing it would withdraw its questions.
    onTestFinished(() => other.close());
    server.write("b.txt", "changed since\n");
    const page = await openTab(browser, server);
    await page.getByRole("img", { name: "2 pending" }).first().waitFor();
    await page.getByRole("link", { name: "Changes" }).first().click();
    const left = page.getByRole("region", { name: "Left open" });
    await expect.poll(() => left.getByRole("listitem").count()).toBe(2);
    // What would change, not the call's JSON.
    await left.getByText("new b.txt", { exact: true }).waitFor();
    expect(await left.textContent()).not.toContain('"content"');
    await lookAt(page, "left-open");
    await left
      .getByRole("listitem")
      .filter({ hasText: "a.txt" })
      .getByRole("button", { name: "Approve" })
      .focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => left.getByRole("listitem").count()).toBe(1);
    expect(server.read("a.txt")).toBe("new a.txt\n");
    await left.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("called outside a chat").waitFor();
    await dialog.getByText(/files changed since you were asked/).waitFor();
    expect(server.read("b.txt")).toBe("changed since\n");
    await dialog.getByRole("button", { name: "Approve", exact: true }).click();
    await expect.poll(() => server.read("b.txt")).toBe("new b.txt\n");
    await left.waitFor({ state: "detached" });
  });

  test("an index that is built from here shows how far it is, and uses the whole machine", async () => {
    const server = await testServer({ "a.ts": "export const a = 1;\n" });
    const gate = Promise.withResolvers<void>();
    const code = await server.wield.code();
    const threads: number[] = [];
    const held: Pick<CodeIntelligence, "build" | "status"> = {
      status: (options) => code.status(options),
      build: async (options) => {
        threads.push(options?.threads ?? 0);
        options?.progress?.({ files: 10, code: 10, parsed: 4 });
        await gate.promise;
        return code.build(options);
      },
    };
    server.wield.code = async () => held as CodeIntelligence;
    const page = await openTab(browser, server);
    await page.goto(`${server.origin}/#/activity`);
    await pressOn(page, "Build now");
    await page.getByText("4 of 10 files").waitFor();
    // Whoever comes while it is built sees it, too.
    const late = await openTab(browser, server);
    await late.goto(`${server.origin}/#/activity`);
    await late.getByText("4 of 10 files").waitFor();
    gate.resolve();
    for (const each of [page, late]) await each.getByText("1 of 1 files").waitFor();
    expect(threads).toEqual([availableParallelism()]);
  });
});
