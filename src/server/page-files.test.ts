import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../testing/testing.ts";
import { answered, hasChromium, launchBrowser, lookAt, openTab, say } from "./page.suite.ts";
import { testServer } from "./server.suite.ts";

/** A chart, a table, a drawing and a page that would both run a script, and a binary file. */
const code = `
import struct, zlib
def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
rows = b"".join(b"\\0" + bytes([200, 80 + y, 40]) * 120 for y in range(80))
header = struct.pack(">IIBBBBB", 120, 80, 8, 2, 0, 0, 0)
png = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
open("chart.png", "wb").write(png)
open("prices.csv", "w").write("item,price\\n" + "".join(f"item {n},{n}.50\\n" for n in range(300)))
script = "document.title='run';fetch('/api/status')"
open("drawing.svg", "w").write(f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="teal"/><script>{script}</script></svg>')
open("page.html", "w").write(f"<script>{script}</script>")
open("datos año.bin", "wb").write(bytes(range(256)))
print("made five files")
`;

describe.skipIf(!hasChromium)("files of calls on the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("images and tables that executeCode made are shown, all files are saved, and nothing in them runs", async () => {
    const model = scriptedModel([
      { calls: [{ tool: "executeCode", input: { code } }] },
      { say: "Five files." },
    ]);
    const server = await testServer({}, { model });
    const page = await openTab(browser, server);
    await page.getByText("Assistant", { exact: true }).click();
    await say(page, "Make files");
    await answered(page);
    const files = page.getByRole("region", { name: "Files" });
    await expect.poll(() => files.getByRole("button", { name: /^Download/ }).count()).toBe(5);
    for (const name of ["chart.png", "drawing.svg"]) {
      const image = files.getByRole("img", { name });
      await expect
        .poll(() =>
          image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth),
        )
        .toBeGreaterThan(50);
    }
    const table = files.getByRole("region", { name: "prices.csv" });
    await table.getByRole("cell", { name: "item 7", exact: true }).waitFor();
    await table.getByRole("button", { name: "Show 100 more rows" }).click();
    await expect.poll(() => table.getByRole("row").count()).toBe(301);
    await page.locator(".scroller").evaluate((element) => element.scrollTo(0, 0));
    await lookAt(page, "files");
    expect(await page.title()).toBe("Wield");

    const save = async (name: string) => {
      const arrived = page.waitForEvent("download");
      await files.getByRole("button", { name: `Download ${name}` }).click();
      const file = await arrived;
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
    };
    expect((await save("page.html")).bytes.toString()).toContain("<script>");
    expect(await save("datos año.bin")).toEqual({
      name: "datos año.bin",
      bytes: Buffer.from(Array.from({ length: 256 }, (_, at) => at)),
    });
    // The same after a reload, from the store.
    await page.reload();
    await expect.poll(() => files.getByRole("button", { name: /^Download/ }).count()).toBe(5);
    await files.getByRole("img", { name: "chart.png" }).waitFor();
  });

  test("a file is served as an attachment that can neither run nor load, to this folder's page only", async () => {
    const server = await testServer();
    const outcome = await server.wield.call("executeCode", { code });
    expect(outcome.details.files.map(({ name }) => name)).toEqual([
      "chart.png",
      "datos año.bin",
      "drawing.svg",
      "page.html",
      "prices.csv",
    ]);
    const path = `/api/calls/${outcome.id}/files/3`;
    expect(await server.status(path)).toBe(401);
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await fetch(`${server.origin}${path}`, { headers });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    for (const wrong of ["files/9", "files/-1", "files/x"])
      expect(await server.status(`/api/calls/${outcome.id}/${wrong}`, { headers })).toBe(404);
    // A call of a session in another folder.
    const { store } = server.wield;
    const at = new Date().toISOString();
    const about = { id: "a_elsewhere0", workspace: "/elsewhere", agent: "code", title: "", at, updated: at };
    await store.appendEntry(about, { seq: 0, at, data: {} });
    const { record } = outcome.details;
    await store.finishCall({ ...record, id: "c_elsewhere0", session: about.id }, "", [
      { name: "secret.txt", mediaType: "text/plain", bytes: Buffer.from("secret") },
    ]);
    expect(await server.status("/api/calls/c_elsewhere0/files/0", { headers })).toBe(404);
  });
});
