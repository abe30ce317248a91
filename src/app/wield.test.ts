import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";

let place: TestWield;
beforeEach(async () => {
  place = await testWield({ "a.txt": "hello\n" });
});
afterEach(() => place.close());

describe("a folder that holds Wield's own files is refused", () => {
  test.each(["", "state", "config"])("%j", async (folder) => {
    const home = place.env["HOME"] ?? "";
    mkdirSync(join(home, "config/wield"), { recursive: true });
    await expect(place.reopen({ workspace: join(home, folder) })).rejects.toThrow("Wield's own files");
  });

  test("also through a link", async () => {
    const link = join(place.root, "..", "link");
    symlinkSync(place.env["HOME"] ?? "", link);
    await expect(place.reopen({ workspace: link })).rejects.toThrow("Wield's own files");
  });
});

test("a toolset holds its tools and no others", async () => {
  const wield = await place.reopen({ tools: "coding" });
  expect(wield.tools.map((tool) => tool.name)).toContain("edit_file");
  expect((await wield.call("list_directory", {})).result).toMatchObject({ error: { code: "UNKNOWN_TOOL" } });
});

test("a listener that is taken off hears nothing more", async () => {
  const heard: string[] = [];
  const off = place.wield.on((event) => heard.push(event.type));
  await place.wield.call("read_file", { path: "a.txt" });
  off();
  await place.wield.call("read_file", { path: "a.txt" });
  expect(heard).toEqual(["call-start", "call-end"]);
});
