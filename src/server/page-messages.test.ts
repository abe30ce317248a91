import { execFileSync } from "node:child_process";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/testing.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { testServer } from "./server.suite.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.skipIf(!hasChromium)("messages and sessions in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("files are attached by button, paste and drop, refused with a reason, and sent with the message", async () => {
    const model = scriptedModel([{ say: "I see both." }]);
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    const buffer = Buffer.from(pixel, "base64");
    await page.locator("input[type=file]").setInputFiles([
      { name: "dot.png", mimeType: "image/png", buffer },
      { name: "tool.exe", mimeType: "", buffer: Buffer.from([0, 1, 2]) },
    ]);
    await page.getByText("tool.exe is neither text, an image nor a PDF").waitFor();
    const files = page.getByRole("list", { name: "Attached files" });
    for (const [kind, name] of [
      ["paste", "pasted.txt"],
      ["drop", "dropped.txt"],
    ] as const) {
      await page.evaluate(`{
        const data = new DataTransfer();
        data.items.add(new File(["words"], "${name}", { type: "text/plain" }));
        const event = "${kind}" === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector(".composer textarea").dispatchEvent(event);
      }`);
      await files.getByText(name).waitFor();
    }
    await files.getByRole("button", { name: "Remove dropped.txt" }).click();
    await expect.poll(() => files.getByRole("listitem").count()).toBe(2);
    await lookAt(page, "attachments");
    await say(page, "What is this?");
    await answered(page);
    const asked = JSON.stringify(model.requests[0]?.prompt);
    expect(asked).toContain(pixel);
    expect(asked).toContain("pasted.txt");
    expect(asked).not.toContain("dropped.txt");
    await page.reload();
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await page.getByRole("button", { name: "pasted.txt" }).waitFor();
  });

  test("a message is edited and sent again, an answer retried, and a chat forked; the fork leaves the first as it is", async () => {
    const model = scriptedModel((_, index) => ({ say: `Answer ${index + 1}.` }));
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    const log = page.getByRole("log");
    await say(page, "First");
    await answered(page);
    await say(page, "Second");
    await answered(page, 2);
    await page.getByRole("button", { name: "Edit and resend" }).nth(1).click();
    await page.getByLabel("Edited text").fill("Other");
    await page.getByRole("button", { name: "Send", exact: true }).first().click();
    await expect.poll(() => log.textContent()).toMatch(/First.*Answer 1\..*Other.*Answer 3\./s);
    expect(await log.textContent()).not.toContain("Second");
    expect(JSON.stringify(model.requests[2]?.prompt)).not.toContain("Second");
    await page.getByRole("button", { name: "Retry" }).last().click();
    await expect.poll(() => log.textContent()).toMatch(/Other.*Answer 4\./s);
    expect(await log.textContent()).not.toContain("Answer 3.");
    const before = page.url();
    const footer = (await page.locator(".ending").first().textContent()) ?? "";
    expect(footer).toMatch(/1 step · [1-9]\S* tokens in, [1-9]/);
    await page.getByRole("button", { name: "Fork from here" }).first().click();
    await page.waitForURL((url) => url.href !== before);
    await expect.poll(() => log.textContent()).toMatch(/First.*Answer 1\./s);
    await expect.poll(() => log.textContent()).not.toContain("Other");
    // The same footer as in the chat that it was copied from.
    await expect.poll(() => page.locator(".ending").first().textContent()).toBe(footer);
    await page.goto(before);
    await expect.poll(() => log.textContent()).toMatch(/First.*Answer 1\..*Other.*Answer 4\./s);
    await page.getByRole("button", { name: "Copy answer" }).last().waitFor();
    await lookAt(page, "message-actions");
  });

  test("a chat is rewound with its files to before a message, which comes back into the input", async () => {
    const edit = (content: string) => ({
      calls: [{ tool: "edit_file", input: { path: "a.txt", content, description: "d" } }],
    });
    const model = scriptedModel([{ say: "Hello." }, edit("two\n"), { say: "Changed." }]);
    const server = await testServer({ "a.txt": "one\n" }, { model });
    const page = await openTab(browser, server);
    await page.getByLabel("Permissions").selectOption("edits");
    await say(page, "Hi");
    await answered(page);
    await say(page, "Change it");
    await answered(page, 2);
    expect(server.read("a.txt")).toBe("two\n");
    await page.getByText("Change it").hover();
    await page.getByRole("button", { name: "Rewind to here" }).last().click();
    const dialog = page.getByRole("dialog", { name: "Rewind to before this message" });
    await dialog.getByText("a.txt").click();
    await dialog.getByText("two").waitFor();
    await lookAt(page, "rewind");
    await dialog.getByRole("button", { name: "Rewind", exact: true }).click();
    await expect.poll(() => page.getByRole("log").textContent()).not.toContain("Change");
    expect(server.read("a.txt")).toBe("one\n");
    await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("Change it");
    // What is gone from the chat is not found in it.
    const chats = page.getByRole("list", { name: "Chats" }).getByRole("listitem");
    await page.getByLabel("Search chats").fill("change");
    await expect.poll(() => chats.count()).toBe(0);
    await page.getByLabel("Search chats").fill("hello");
    await expect.poll(() => chats.count()).toBe(1);
  });

  test("chats are renamed, pinned, saved, found by what was answered, and deleted after a question", async () => {
    const model = scriptedModel([{ say: "The lighthouse is red." }, { say: "Nothing." }]);
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    for (const text of ["Tell me", "Another"]) {
      await page.getByRole("link", { name: "New chat" }).click();
      await page.getByRole("heading", { name: /What should I do/ }).waitFor();
      await say(page, text);
      await answered(page);
    }
    const chats = page.getByRole("list", { name: "Chats" });
    const titles = () => chats.locator(".session-title").allInnerTexts();
    const pick = async (chat: string, action: string) => {
      await chats.getByRole("listitem").filter({ hasText: chat }).hover();
      await page.getByRole("button", { name: `Actions for ${chat}` }).click();
      await page.getByRole("button", { name: action }).click();
    };
    await pick("Tell me", "Rename");
    await page.getByLabel("New title").fill("Coast");
    await page.getByLabel("New title").press("Enter");
    await expect.poll(titles).toEqual(["Another", "Coast"]);
    await pick("Coast", "Pin to the top");
    await expect.poll(titles).toEqual(["Coast", "Another"]);
    await page.getByRole("button", { name: "Actions for Coast" }).click();
    await lookAt(page, "session-menu");
    await page.getByRole("button", { name: "Actions for Coast" }).click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as Markdown" }).click();
    expect((await saved).suggestedFilename()).toBe("Coast.md");
    await page.getByLabel("Search chats").fill("LIGHTHOUSE is");
    await expect.poll(titles).toEqual(["Coast"]);
    await pick("Coast", "Delete…");
    expect(await titles()).toEqual(["Coast"]);
    await page.getByRole("button", { name: "Delete for good" }).click();
    await expect.poll(titles).toEqual([]);
    await page.getByLabel("Search chats").fill("");
    await expect.poll(titles).toEqual(["Another"]);
  });

  test("chats of all folders are in one list; one of another folder is read here and continued there", async () => {
    const there = await testServer({});
    const { HOME } = there.env;
    const here = await testServer({}, { wield: { env: there.env } });
    expect(HOME).not.toContain(here.root);
    const { session } = await there.api<{ session: string }>("/sessions", {
      text: "Show me the structure of this project",
    });
    await there.ended(session);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(here.address);
    await page.getByLabel("Chats of").selectOption("all");
    await page.getByRole("link", { name: /Show me the structure/ }).click();
    await page.getByText("This chat belongs to").waitFor();
    expect(await page.getByLabel("Message").count()).toBe(0);
    await page.getByRole("button", { name: "Open that folder" }).click();
    await page.waitForURL((url) => url.origin !== here.origin);
    await page.getByLabel("Message").waitFor();
    expect(page.url()).toContain(session);
    await expect.poll(() => page.getByRole("log").textContent()).toContain("Show me the structure");
    await context.close();
  });

  test("a new chat in a worktree: its own checkout, shown in the list, merged after a look", async () => {
    const server = await testServer({ "a.txt": "one\n" });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.address);
    await page.getByRole("button", { name: "New worktree" }).click();
    await say(page, 'Replace "one" with "two" in a.txt');
    await page.getByText("A worktree needs a git repository").waitFor();
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", server.root, "-c", "user.name=T", "-c", "user.email=t@e", ...args], {
        env: server.env,
        encoding: "utf8",
      });
    git("init", "--quiet", "--initial-branch=main");
    git("add", ".");
    git("commit", "--quiet", "--message=first");
    await lookAt(page, "new-chat-worktree");
    await page.getByLabel("Message").press("Enter");
    await page.waitForURL((url) => url.origin !== server.origin);
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("Done:").waitFor();
    await page.getByText("wield/task-1").waitFor();
    expect(server.read("a.txt")).toBe("one\n");
    await page.getByText("New chats on this page work in it, too.").waitFor();
    const inWorktree = page.url();
    await page.getByRole("button", { name: "workspace", exact: true }).click();
    await page.waitForURL((url) => url.origin === server.origin);
    await page.goto(inWorktree);
    await page.getByRole("button", { name: "Merge, keep or discard…" }).click();
    const dialog = page.getByRole("dialog", { name: "Worktree task-1" });
    await dialog.getByText(/Compared with main, 1 file changed.*: 0 commits, 1 uncommitted file\./).waitFor();
    await lookAt(page, "worktree-end");
    // From the repository it is seen, too.
    const [listed] = await server.api<{ worktree: string }[]>("/sessions");
    expect(listed?.worktree).toBe("task-1");
    await dialog.getByRole("button", { name: "Merge", exact: true }).click();
    await dialog.getByText("Merged 1 commit with 1 changed file (+1 −1) into main.").waitFor();
    expect(server.read("a.txt")).toBe("two\n");
    await dialog.getByRole("button", { name: "Open the repository" }).click();
    await page.waitForURL((url) => url.origin === server.origin);
    // Nothing is offered where the folder was: only what became of it, and the way back.
    const refused = page.waitForResponse(
      (response) => response.url() === `${new URL(inWorktree).origin}/api/approvals`,
    );
    await page.goto(inWorktree);
    expect((await refused).status()).toBe(409);
    await page.getByRole("heading", { name: /^The worktree task-1 was merged on \d{4}-/ }).waitFor();
    expect(await page.getByLabel("Message").count()).toBe(0);
    await lookAt(page, "worktree-ended");
    await page.getByRole("button", { name: "Open the repository" }).click();
    await page.waitForURL((url) => url.origin === server.origin);
    const earlier = page.getByRole("link", { name: /Replace "one"/ });
    await earlier.getByText("worktree task-1").waitFor();
    // Its chat can be read, and says why it cannot be continued.
    await earlier.click();
    await page.getByText(/The worktree task-1 was merged on .* To go on, start a new chat\./).waitFor();
    expect(await page.getByRole("button", { name: "Open the worktree" }).count()).toBe(0);
    // A later worktree of that name has a page of its own.
    const later = { text: "What files are here?", worktree: { name: "task-1" } };
    const { address } = await server.api<{ address: string }>("/sessions", later);
    expect(new URL(address).origin).not.toBe(new URL(inWorktree).origin);
    await context.close();
  });
});
