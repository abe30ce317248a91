import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { anthropicServer, type WireBlock } from "../testing/anthropic-server.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { testServer } from "./server.suite.ts";

const found = ["prices", "buyers"].map((host) => ({
  type: "web_search_result",
  url: `https://${host}.com/page`,
  title: `Page about ${host} <b>`,
  encrypted_content: "x",
  page_age: null,
}));
const cited = (text: string, at: number): WireBlock => ({
  type: "text",
  text,
  citations: [
    {
      ...{ type: "web_search_result_location", cited_text: text, encrypted_index: "x" },
      ...{ url: found[at]?.url ?? "", title: found[at]?.title ?? "" },
    },
  ],
});

describe.skipIf(!hasChromium)("research on the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("an idea in, a report with its sources and the log out", async () => {
    const wire = await anthropicServer(() => ({
      content: [
        {
          type: "server_tool_use",
          id: "srvtoolu_1",
          name: "web_search",
          input: { query: "solar roof prices" },
        },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: found },
        { type: "text", text: "# Solar roofs\n\n" },
        cited("They cost 900 euros.", 0),
        { type: "text", text: " " },
        cited("Gardeners buy them.", 1),
      ],
    }));
    onTestFinished(() => wire.close());
    const key = {
      ANTHROPIC_API_KEY: "key-for-tests",
      ANTHROPIC_BASE_URL: wire.url,
      OLLAMA_HOST: "127.0.0.1:1",
    };
    const server = await testServer({}, { env: key });
    const page = await openTab(browser, server);
    await page.getByText("Research", { exact: true }).click();
    await say(page, "Solar roofs for sheds");
    await answered(page);
    await page.getByText("Searched the web: solar roof prices (2 results)").waitFor();
    const sources = page.getByRole("region", { name: "Report" });
    const answer = page.getByRole("article", { name: "Agent" });
    const list = ["prices", "buyers"].map(
      (host, at) => `[${at + 1}] Page about ${host} <b>. https://${host}.com/page`,
    );
    const entries = answer
      .getByRole("listitem")
      .filter({ hasText: "Page about" })
      .filter({ hasText: /^\[\d\]/ });
    expect(await entries.allInnerTexts()).toEqual(list);
    expect(await answer.getByRole("link", { name: "https://prices.com/page" }).count()).toBe(1);
    // What the provider runs is no call of ours that somebody stopped.
    expect(await page.getByText("Stopped.").count()).toBe(0);
    await lookAt(page, "research");
    const words = () => page.getByRole("article", { name: "Agent" }).textContent();
    expect(((await words()) ?? "").replaceAll(/\s+/g, " ")).toContain(
      "900 euros. [1] Gardeners buy them. [2]",
    );
    await page.reload();
    await sources.waitFor();
    expect(((await words()) ?? "").replaceAll(/\s+/g, " ")).toContain(
      "900 euros. [1] Gardeners buy them. [2]",
    );

    await sources.getByRole("button", { name: "Save report" }).click();
    const saved = await sources.getByText(/^Saved as ideas\//).textContent();
    const [, report = "", log = ""] = /Saved as (\S+) and (\S+)/.exec(saved ?? "") ?? [];
    expect(report).toMatch(/-solar-roofs-for-sheds\/research\.md$/);
    const text = readFileSync(join(server.root, report), "utf8");
    expect(text).toContain("1. Page about prices \\<b\\>. <https://prices.com/page>");
    expect(existsSync(join(server.root, log))).toBe(true);

    const arrived = page.waitForEvent("download");
    await sources.getByRole("button", { name: "Word" }).click();
    const file = await arrived;
    expect(file.suggestedFilename()).toBe("research.docx");
    expect(
      readFileSync(await file.path())
        .subarray(0, 2)
        .toString(),
    ).toBe("PK");
  });
});
