import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPageReader, type PageReader } from "./page-reader.ts";

let reader: PageReader;
beforeAll(() => {
  reader = createPageReader({ workMs: 20_000 });
});
afterAll(() => reader.close());

const words = "Water runs downhill and finds the sea in the end. ".repeat(8);
const read = (html: string) => reader.read(html, "https://site.com/a/");

describe("a page reader", () => {
  it("finds the article and who wrote it", async () => {
    const page = await read(`<!doctype html><html><head><title>Rivers | The Site</title>
      <meta name="author" content="Ada Brook"><meta property="article:published_time" content="2026-03-04"></head><body>
      <header><a href="/">The Site</a></header><nav><a href="/a">A</a> <a href="/b">B</a></nav>
      <div class="cookie-banner">We use cookies <button>Accept</button></div>
      <main><article><h1>Rivers</h1><p>${words}</p><h2>Deltas</h2><p>${words}</p><p>${words}</p></article></main>
      <aside><h3>Read next</h3><a href="/c">C</a></aside><footer>© The Site</footer></body></html>`);
    expect(page).toMatchObject({ author: "Ada Brook", published: "2026-03-04", needsScripts: false });
    expect(page.title).toContain("Rivers");
    expect(page.text).toContain("## Deltas");
    for (const furniture of ["cookies", "Read next", "© The Site", "[A]"])
      expect(page.text).not.toContain(furniture);
  });

  it("keeps spaces before punctuation: a quotation must be exact", async () => {
    const { text } = await read(`<main><article><h1>Sums</h1><p>${words}</p>
      <p>12 * 30 != 365, and <b>x</b> ?: y. « Vraiment ? »</p><p>${words}</p></article></main>`);
    expect(text).toContain("12 * 30 != 365, and **x** ?: y. « Vraiment ? »");
    expect(text).not.toMatch(/\p{Co}/u);
  });

  it("keeps definition lists, nested lists and tables", async () => {
    const { text } = await read(`<main><h1>Options</h1><p>${words}</p>
      <dl><dt>--fast</dt><dd>Quick, but <em>rough</em>.</dd><dt>--slow</dt><dd>Thorough.<dl><dt>inner</dt><dd>deep</dd></dl></dd></dl>
      <ul><li>one<ul><li>two</li></ul></li></ul>
      <table><tr><th>Name</th><th>Size</th></tr><tr><td>a</td><td>1</td></tr></table></main>`);
    expect(text).toContain("- **--fast**: Quick, but *rough*.");
    expect(text).toContain("**inner**: deep");
    expect(text).toContain("- one\n  - two");
    expect(text).toContain("| a | 1 |");
  });

  it("takes the whole page when it is no article", async () => {
    const items = Array.from(
      { length: 40 },
      (_, i) => `<tr><td><a href="/${i}">Story number ${i}</a></td><td>${i} points</td></tr>`,
    );
    const { text } = await read(`<body><table>${items.join("")}</table></body>`);
    expect(text).toContain("[Story number 39](https://site.com/39)");
  });

  it("knows a page that needs scripts", async () => {
    expect(await read('<body><div id="root"></div><script src="app.js"></script></body>')).toMatchObject({
      needsScripts: true,
    });
    expect(await read(`<body><p>${words}</p><script src="app.js"></script></body>`)).toMatchObject({
      needsScripts: false,
    });
    expect(await read("<body><p>Short, but all there is.</p></body>")).toMatchObject({ needsScripts: false });
  });

  it("reads pages whose authors left tags out", async () => {
    expect((await read("<p>just this")).text).toBe("just this");
    expect(await read("<!doctype html><title>T</title><p>hello")).toMatchObject({
      title: "T",
      text: "hello",
    });
    expect((await read("<html><head><title>a</title><body class=x><p>q")).text).toBe("q");
    expect((await read("")).text).toBe("");
  });

  it("reads several pages at once, each for itself", async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((n) => read(`<p>page ${n}</p>`)));
    expect(pages.map(({ text }) => text)).toEqual(["page 1", "page 2", "page 3", "page 4"]);
  });

  it("gives the plain reading of a page that takes too long, and goes on", async () => {
    const hasty = createPageReader({ workMs: 1 });
    const page = await hasty.read(
      `<title>T</title><style>p { color: red }</style><p>Some text</p>`,
      "https://site.com/",
    );
    expect(page.text).toContain("Some text");
    expect(page.text).not.toContain("color");
    await hasty.close();
  });

  it("survives a page that is made to break parsers", async () => {
    const { text } = await createAndClose((own) =>
      own.read(`${"<div>".repeat(100_000)}deep`, "https://site.com/"),
    );
    expect(text).toContain("deep");
  });
});

async function createAndClose<T>(work: (own: PageReader) => Promise<T>): Promise<T> {
  const own = createPageReader({ workMs: 3_000 });
  try {
    return await work(own);
  } finally {
    await own.close();
  }
}
