import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/testing.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { testServer } from "./server.suite.ts";

const text = `# Largest
## Large
### Middle
#### Small

- [x] done
- [ ] open, and ~~not this~~

Euler: $e^{i\\pi} + 1 = 0$, press <kbd>Ctrl</kbd>+<kbd>C</kbd>.<br>Next line with a note[^1].

$$
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
$$

\`\`\`diff
 same
-old
+new // reviewed
\`\`\`

\`\`\`mermaid
graph TD
  A[Start] --> B{Ready?}
  B -->|yes| C[Go]
\`\`\`

| Key | Text |
|---|---|
| a | one<br>two |

[^1]: Because of it.
`;

describe.skipIf(!hasChromium)("Markdown in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 120_000);
  afterAll(() => browser?.close());

  test("tasks, strikes, formulas, footnotes, diffs, diagrams, keys, breaks and headings are drawn as such", async () => {
    const server = await testServer({}, { model: scriptedModel([{ say: text }]) });
    const page = await openTab(browser, server);
    await say(page, "Show all");
    await answered(page);
    const log = page.getByRole("log");
    expect(
      await log
        .getByRole("checkbox")
        .evaluateAll((all) => all.map((box) => (box as unknown as { checked: boolean }).checked)),
    ).toEqual([true, false]);
    expect(await log.locator("del").textContent()).toBe("not this");
    await expect.poll(() => log.locator("math").count()).toBe(2);
    await expect.poll(() => log.locator("math mfrac").count()).toBe(1);
    expect(await log.locator("kbd").allInnerTexts()).toEqual(["Ctrl", "C"]);
    expect(await log.locator(".code .plus").textContent()).toContain("+new // reviewed");
    expect(await log.locator(".code .minus").textContent()).toContain("-old");
    const diagram = log.getByRole("img", { name: /^Diagram/ });
    await expect
      .poll(() => diagram.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(50);
    expect(await log.locator("td br").count()).toBe(1);
    await log.getByRole("button", { name: "1", exact: true }).click();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Because of it.");
    const sizes = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.prose :is(h2, h3, h4, h5)')].map((each) => parseFloat(getComputedStyle(each).fontSize))",
    );
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a));
    expect(sizes).toHaveLength(4);
    // The page's own fonts, and no ligature in them.
    expect(
      await page.evaluate(
        "document.fonts.ready.then(() => [...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family))",
      ),
    ).toEqual(
      expect.arrayContaining([expect.stringContaining("Inter"), expect.stringContaining("JetBrains Mono")]),
    );
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('.code pre')).fontVariantLigatures"),
    ).toBe("none");
    await lookAt(page, "markdown");
  });
});
