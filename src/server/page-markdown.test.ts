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
  B -- no --> D[Wait a while]
  D --> B
\`\`\`

\`\`\`mermaid
flowchart LR
  subgraph near [Browser]
    P["Page (React)"]
  end
  subgraph far [Server]
    A(API) -->|"asks & answers"| Q[(Store)]
  end
  P -->|POST| A
  A -.->|events| P
\`\`\`

\`\`\`mermaid
sequenceDiagram
  participant U as User
  participant W as Wield
  U->>W: Change the title
  W-->>U: Approve?
  alt approved
    U->>W: yes
  else denied
    U->>W: no
  end
\`\`\`

\`\`\`mermaid
gantt
  title Not drawn
\`\`\`

| Key | Text |
|---|---|
| a | one<br>two |

[^1]: Because of it.
`;

/** Where a text stands in a drawing. */
function placeOf(svg: string, words: string): { x: number; y: number } {
  const text = svg.split("<text ").find((part) => part.includes(`>${words}</`)) ?? "";
  const at = (name: "x" | "y") => Number(new RegExp(`\\b${name}="([\\d.]+)"`).exec(text)?.[1]);
  return { x: at("x"), y: at("y") };
}

describe.skipIf(!hasChromium)("Markdown in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
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
    const diagrams = log.getByRole("img", { name: /^Diagram/ });
    await expect.poll(() => diagrams.count()).toBe(3);
    for (const diagram of await diagrams.all())
      await expect
        .poll(() => diagram.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
        .toBeGreaterThan(50);
    const [flow = "", servers = "", sequence = ""] = await diagrams.evaluateAll((all) =>
      all.map((image) => decodeURIComponent((image as unknown as { src: string }).src)),
    );
    // In the order of the source, with every label: nothing that leads back comes first.
    expect(["Start", "Ready?", "Go"].map((words) => placeOf(flow, words).y)).toEqual(
      ["Start", "Ready?", "Go"].map((words) => placeOf(flow, words).y).sort((a, b) => a - b),
    );
    expect(placeOf(flow, "Wait a while").y).toBeGreaterThan(placeOf(flow, "Ready?").y);
    for (const label of ["yes", "no"]) expect(flow).toContain(`>${label}</`);
    expect(placeOf(servers, "Page (React)").x).toBeLessThan(placeOf(servers, "API").x);
    expect(placeOf(servers, "API").x).toBeLessThan(placeOf(servers, "Store").x);
    for (const label of ["asks &amp; answers", "POST", "events"]) expect(servers).toContain(`>${label}</`);
    const said = ["Change the title", "Approve?", "yes", "no"].map((words) => placeOf(sequence, words).y);
    expect(said).toEqual(said.toSorted((a, b) => a - b));
    // What cannot be drawn is shown as it is written.
    await log.getByText("title Not drawn").waitFor();
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
