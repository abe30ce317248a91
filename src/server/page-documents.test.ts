import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { testServer } from "./server.suite.ts";

const report = `# Bread at home

Flour, water, salt and **time**. A loaf costs about a third of what a bakery asks.

## Costs

| Item | Price |
|---|--:|
| Flour, 1 kg | 1.20 |
| Salt | 0.05 |

1. Mix
2. Wait
3. Bake
`;

/** A server whose model answers over the real wire. */
async function withModel(answer: (index: number) => WireReply | Promise<WireReply>) {
  const wire = await anthropicServer((_, index) => answer(index));
  onTestFinished(() => wire.close());
  const env = {
    ANTHROPIC_API_KEY: "key-for-tests",
    ANTHROPIC_BASE_URL: wire.url,
    OLLAMA_HOST: "127.0.0.1:1",
  };
  return { wire, server: await testServer({}, { env }) };
}

const call = (id: string, name: string, input: unknown, half?: Promise<unknown>): WireReply => ({
  content: [{ type: "tool_use", id, name, input }],
  ...(half && { half }),
});
const text = (words: string): WireReply => ({ content: [{ type: "text", text: words }] });

async function ask(page: Page, words: string): Promise<void> {
  await page.getByText("Assistant", { exact: true }).click();
  await say(page, words);
}

/** The file that the browser saves. */
async function saved(page: Page, start: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const arrived = page.waitForEvent("download");
  await start();
  const file = await arrived;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

describe.skipIf(!hasChromium)("documents on the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("a document is beside the conversation while it is written, then in its versions", async () => {
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    let id = "";
    const { server } = await withModel(async (index) => {
      if (index === 0)
        return call(
          "toolu_1",
          "createDocument",
          { title: "Bread", kind: "text", content: report },
          first.promise,
        );
      if (index === 1) return text("The report is written.");
      [id = ""] = (await server.wield.store.documents(server.root).list({ limit: 1 })).documents.map(
        (d) => d.id,
      );
      if (index === 2) {
        const content = report.replace("1.20", "1.35").replace("# Bread at home", "# Bread, at home");
        return call("toolu_2", "updateDocument", { id, content, description: "new prices" }, second.promise);
      }
      return text("Prices are up to date.");
    });
    const page = await openTab(browser, server);
    await ask(page, "Write about bread");
    const panel = page.getByRole("complementary", { name: "Document" });
    // The first half is there while the second has not been written.
    await panel.getByRole("heading", { name: "Bread at home" }).waitFor();
    await panel.getByText(/^Being written · \d+ characters$/).waitFor();
    expect(await panel.getByText("Bake", { exact: true }).count()).toBe(0);
    await lookAt(page, "document-being-written");
    const place = () => panel.getByRole("heading", { name: "Bread at home" }).boundingBox();
    const before = await place();
    first.resolve();
    await answered(page);
    await panel.getByText("Bake", { exact: true }).waitFor();
    await panel.getByLabel("Version", { exact: true }).waitFor();
    // What is being read stays where it is when the document is saved.
    expect(await place()).toEqual(before);
    await lookAt(page, "document");

    await say(page, "Check the prices");
    await panel.getByRole("heading", { name: "Bread, at home" }).waitFor();
    await panel.getByText(/^Being written/).waitFor();
    second.resolve();
    await answered(page, 2);
    const versions = panel.getByLabel("Version", { exact: true });
    await expect
      .poll(() => versions.locator("option").allInnerTexts())
      .toEqual(["Version 2: new prices", "Version 1"]);
    await panel.getByText("1.35").waitFor();

    await panel.getByRole("button", { name: "Compare" }).click();
    const differences = panel.getByRole("region", { name: "Differences" });
    await expect
      .poll(() => differences.locator(".diff-add .line").allInnerTexts())
      .toEqual(["# Bread, at home", "| Flour, 1 kg | 1.35 |"]);
    expect(await differences.locator(".diff-remove .line").first().textContent()).toBe("# Bread at home");
    await lookAt(page, "document-compared");
    await panel.getByRole("button", { name: "Compare" }).click();

    await versions.selectOption("1");
    await panel.getByText("This is version 1 of 2.").waitFor();
    expect(await panel.getByText("1.20").count()).toBe(1);
    await panel.getByRole("button", { name: "Restore it" }).click();
    await expect
      .poll(() => versions.locator("option").first().textContent())
      .toBe("Version 3: restored version 1");
    expect((await server.wield.store.documents(server.root).read(id)).content).toBe(report);
  });

  test("it is edited by hand as a new version, the agent is told, and a conflict shows both texts", async () => {
    let id = "";
    const { server, wire } = await withModel(async (index) => {
      if (index === 0)
        return call("toolu_1", "createDocument", { title: "Bread", kind: "text", content: report });
      return text("Done.");
    });
    const documents = server.wield.store.documents(server.root);
    const page = await openTab(browser, server);
    await ask(page, "Write about bread");
    await answered(page);
    [id = ""] = (await documents.list({ limit: 1 })).documents.map((d) => d.id);
    const panel = page.getByRole("complementary", { name: "Document" });
    await panel.getByRole("button", { name: "Edit" }).click();
    const field = panel.getByLabel("Text of Bread");
    await field.fill(report.replace("time", "patience"));
    await lookAt(page, "document-edited");
    // What is not saved yet survives a reload.
    await page.reload();
    await expect.poll(() => field.inputValue()).toContain("patience");
    await field.focus();
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => documents.read(id))
      .toMatchObject({ version: 2, description: "edited by the person" });
    await panel.getByText("patience").waitFor();

    await say(page, "Thank you");
    await answered(page, 2);
    expect(JSON.stringify(wire.requests.at(-1)?.messages)).toContain(
      `The person changed document ${id} (Bread): it is at version 2 now`,
    );

    await panel.getByRole("button", { name: "Edit" }).click();
    await field.fill("Mine alone.");
    await documents.update(id, () => "Theirs alone.", "elsewhere");
    await panel.getByRole("button", { name: "Save as version 3" }).click();
    const conflict = panel.getByRole("region", { name: "Conflict" });
    await conflict.getByText("Version 3 was saved in between.").waitFor();
    await conflict.getByText("Theirs alone.").waitFor();
    await conflict.getByText("Mine alone.").waitFor();
    await lookAt(page, "document-conflict");
    expect((await documents.read(id)).content).toBe("Theirs alone.");
    await panel.getByRole("button", { name: "Save as version 4" }).click();
    await panel.getByText("Mine alone.").waitFor();
    await expect.poll(() => documents.read(id)).toMatchObject({ version: 4, content: "Mine alone." });
    expect((await documents.read(id, 3)).content).toBe("Theirs alone.");
  });

  test("documents are listed, searched, opened and deleted after a question", async () => {
    const server = await testServer();
    for (const [title, content] of [
      ["Bread", report],
      ["Hiking list", "Boots, a map and some bread."],
      ["Budget", "Nothing to eat."],
    ] as const)
      await server.wield.call("createDocument", { title, kind: "text", content });
    const page = await openTab(browser, server);
    await page.getByRole("link", { name: "Documents" }).first().click();
    const list = page.getByRole("list", { name: "Documents" }).getByRole("listitem");
    await expect.poll(() => list.count()).toBe(3);
    await lookAt(page, "documents");
    await page.getByLabel("Search documents").fill("bread");
    await expect.poll(() => list.locator("mark").allTextContents()).toEqual(["Bread", "bread"]);
    expect(await list.count()).toBe(2);
    await page.getByLabel("Search documents").fill("no such word");
    await page.getByRole("heading", { name: "No matching documents" }).waitFor();
    await page.getByLabel("Search documents").fill("map");
    await list.getByRole("link").press("Enter");
    const panel = page.getByRole("region", { name: "Document", exact: true });
    await panel.getByText("Boots, a map").waitFor();
    await panel.getByRole("button", { name: "Delete the document" }).click();
    await lookAt(page, "document-deleting");
    // The focus is on the answer that changes nothing.
    await page.keyboard.press("Enter");
    expect((await server.wield.store.documents(server.root).list({ limit: 9 })).total).toBe(3);
    await panel.getByRole("button", { name: "Delete the document" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByLabel("Search documents").fill("");
    await expect.poll(() => list.locator("strong").allTextContents()).toEqual(["Budget", "Bread"]);
    await page.getByRole("heading", { name: "Open a document" }).waitFor();
  });

  test("a text is saved as Markdown and Word, a sheet as CSV, code as a source file", async () => {
    const server = await testServer();
    const create = (title: string, kind: "text" | "code" | "sheet", content: string) =>
      server.wield.call("createDocument", { title, kind, content });
    await create("Bread / tests", "text", report);
    await create("Prices", "sheet", 'item,price\n"Flour, fine",1.20\n"two\nlines",3\n');
    await create("hello", "code", "import sys\nprint('hello')\n");
    const page = await openTab(browser, server);
    const open = async (title: string) => {
      await page.goto(`${server.origin}/#/documents`);
      await page.getByRole("link", { name: title }).click();
    };
    await open("Bread / tests");
    await page.locator("summary", { hasText: "Download" }).click();
    await lookAt(page, "download");
    const markdown = await saved(page, () => page.getByRole("button", { name: "Markdown (.md)" }).click());
    expect(markdown).toEqual({ name: "Bread tests.md", bytes: Buffer.from(report) });
    await page.locator("summary", { hasText: "Download" }).click();
    const word = await saved(page, () => page.getByRole("button", { name: "Word (.docx)" }).click());
    expect([word.name, word.bytes.subarray(0, 4).toString("latin1")]).toEqual([
      "Bread tests.docx",
      "PK\x03\x04",
    ]);
    await open("Prices");
    await page.getByRole("cell", { name: "Flour, fine" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(3);
    const csv = await saved(page, () => page.getByRole("button", { name: "Download" }).click());
    expect(csv.name).toBe("Prices.csv");
    await open("hello");
    const source = await saved(page, () => page.getByRole("button", { name: "Download" }).click());
    expect([source.name, source.bytes.toString()]).toEqual(["hello.py", "import sys\nprint('hello')\n"]);
  });
});
