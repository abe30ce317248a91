// The documentation as a site. `npm test` has installed what builds it; a site that is up to date is not built again.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import MiniSearch from "minisearch";
import { beforeAll, expect, test } from "vitest";
import { docPages, repository } from "./doc-snippets.suite.ts";

const dist = join(repository, "site/dist");
const pages = new Map<string, string>();

beforeAll(async () => {
  const script = join(repository, "scripts/docs-site.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 1 << 24 });
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  for (const name of files.filter((file) => file.endsWith(".html") && file !== "404.html"))
    pages.set(`/${name.replace(/(?:index)?\.html$/, "")}`, readFileSync(join(dist, name), "utf8"));
  expect(stdout).toContain(`${pages.size} pages`);
}, 600_000);

test("every page of the documentation is there, and in the menu", () => {
  for (const file of docPages()) expect([...pages.keys()]).toContain(`/${file.replace(/\.md$/, "")}`);
  const menu = /class="nav"[\s\S]*?<\/nav>/.exec(pages.get("/") ?? "")?.[0] ?? "";
  for (const html of pages.values()) expect(html).not.toContain("&lt;!--");
  expect([...pages.keys()].filter((page) => !menu.includes(`href="${page}"`))).toEqual([]);
});

test("no link within the site is broken, neither to a page nor to a heading", () => {
  const links = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/<a [^>]*?href="(?!\w+:)([^"#]*)(?:#([^"]+))?"/g)].map(([, target = "", heading]) => ({
      page,
      target: new URL(target, `http://site${page}`).pathname.replace(/\/index$/, "/"),
      heading,
    })),
  );
  expect(links.length).toBeGreaterThan(500);
  const broken = links.filter(({ target, heading }) => {
    const found = pages.get(target);
    if (!found) return !existsSync(join(dist, target));
    return heading && !found.includes(`id="${decodeURIComponent(heading)}"`);
  });
  expect(broken).toEqual([]);
});

test("search finds every tool and every command in the generated references", async () => {
  const chunks = join(dist, "assets/chunks");
  const [file = ""] = readdirSync(chunks).filter((name) => name.includes("localSearchIndex"));
  const { default: json } = await import(join(chunks, file));
  const index = MiniSearch.loadJSON(json, { fields: ["title", "titles", "text"], storeFields: ["title"] });
  const references = ["tools", "cli"].flatMap((page) => {
    const text = readFileSync(join(repository, `docs/${page}.md`), "utf8");
    return [...text.matchAll(/^##+ `?(\w+_\w+|[a-z]+[A-Z]\w+|wield \w+)`?$/gm)].map(([, title = ""]) => ({
      page,
      title,
    }));
  });
  expect(references.length).toBeGreaterThan(80);
  const missed = references.filter(
    ({ page, title }) =>
      !index
        .search(title, { combineWith: "AND" })
        .some((hit) => hit["title"] === title && String(hit.id).startsWith(`/${page}#`)),
  );
  expect(missed).toEqual([]);
});
