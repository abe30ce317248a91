import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Store } from "./store.ts";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wield-store-"));
  store = openSqliteStore(join(folder, "wield.db"));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("documents", () => {
  const text = (title: string, content: string) => ({ title, kind: "text" as const, content });

  test("every version is kept and can be read", () => {
    const documents = store.documents("/w");
    const { id, version } = documents.create(text("Notes", "one"));
    expect(version).toBe(1);
    expect(documents.update(id, () => "two", "second").version).toBe(2);
    expect(documents.read(id)).toMatchObject({ content: "two", version: 2, description: "second" });
    expect(documents.read(id, 1)).toMatchObject({ content: "one", version: 1, title: "Notes" });
    expect(() => documents.read(id, 3)).toThrow("versions 1 to 2");
    expect(() => documents.read("d_none")).toThrow("no document");
  });

  test("belong to their workspace", () => {
    const { id } = store.documents("/w").create(text("Mine", "secret plan"));
    const other = store.documents("/other");
    expect(other.list({ limit: 9 })).toEqual({ documents: [], total: 0 });
    expect(other.search("secret", 9)).toEqual([]);
    expect(() => other.read(id)).toThrow("no document");
    expect(() => other.update(id, () => "x", "")).toThrow("no document");
  });

  test("are listed changed last first, page by page", () => {
    const documents = store.documents("/w");
    const ids = ["a", "b", "c"].map((title) => documents.create(text(title, title)).id);
    documents.update(ids[0] ?? "", () => "new", "");
    const titles = (before?: string) =>
      documents
        .list({ limit: 2, ...(before !== undefined && { before }) })
        .documents.map(({ title }) => title);
    expect(titles()).toEqual(["a", "c"]);
    expect(titles(ids[2])).toEqual(["b"]);
  });

  test("are found by the words of their newest version", () => {
    const documents = store.documents("/w");
    const { id } = documents.create(text("Budget", "The quarterly meetings were moved to Tuesday"));
    documents.create(text("Recipe", "Flour, water, salt"));
    expect(documents.search("meeting quarterly", 9)).toMatchObject([
      { id, snippet: expect.stringContaining("«meetings»") },
    ]);
    expect(documents.search("meeting flour", 9)).toHaveLength(2);
    documents.update(id, () => "All cancelled", "");
    expect(documents.search("Tuesday", 9)).toEqual([]);
    expect(documents.search("budget", 9)).toMatchObject([{ id }]);
  });

  test.each(['"', "AND OR NOT", "a* NEAR(b)", "title:x", "(", "--", "💥"])(
    "any query is only words: %s",
    (query) => {
      const documents = store.documents("/w");
      documents.create(text("t", "content"));
      expect(Array.isArray(documents.search(query, 9))).toBe(true);
    },
  );

  test("suggestions are applied or dismissed, once, where their passage still is", () => {
    const documents = store.documents("/w");
    const { id } = documents.create(text("t", "teh cat, teh dog"));
    const [first, second, third] = documents.suggest(id, [
      { original: "teh cat", suggested: "the cat", reason: "spelling" },
      { original: "teh dog", suggested: "the dog", reason: "spelling" },
      { original: "cat", suggested: "lion", reason: "drama" },
    ]);
    expect(documents.resolveSuggestion(first?.id ?? "", "applied").state).toBe("applied");
    expect(documents.read(id)).toMatchObject({ content: "the cat, teh dog", version: 2 });
    expect(() => documents.resolveSuggestion(first?.id ?? "", "applied")).toThrow("applied already");
    documents.resolveSuggestion(third?.id ?? "", "dismissed");
    documents.update(id, () => "rewritten", "");
    expect(() => documents.resolveSuggestion(second?.id ?? "", "applied")).toThrow(
      "no longer in the document",
    );
    expect(documents.suggestions(id).map(({ state }) => state)).toEqual(["applied", "open", "dismissed"]);
  });

  test("two processes that write at once lose nothing", async () => {
    const { id } = store.documents("/w").create(text("Log", ""));
    const writer = join(import.meta.dirname, "fixtures/document-writer.ts");
    const run = (name: string) =>
      new Promise<number | null>((resolve) => {
        spawn(process.execPath, [writer, join(folder, "wield.db"), id, name], { stdio: "inherit" }).on(
          "exit",
          resolve,
        );
      });
    expect(await Promise.all([run("a"), run("b")])).toEqual([0, 0]);
    const { content, version } = store.documents("/w").read(id);
    expect(version).toBe(201);
    const expected = ["a", "b"].flatMap((name) => Array.from({ length: 100 }, (_, i) => `${name}${i}`));
    expect(content.trimEnd().split("\n").sort()).toEqual(expected.sort());
  });
});

describe("plans", () => {
  test("the last one made is the current one; steps change, come, go and move", () => {
    const plans = store.plans("/w");
    expect(plans.current()).toBeUndefined();
    expect(() => plans.change({ remove: "1" })).toThrow("createPlan");
    plans.create("old", ["x"]);
    plans.create("new", ["one", "two"]);
    plans.change({ set: { stepId: "1", status: "done", note: "quick" } });
    plans.change({ add: { text: "between", after: "1" } });
    plans.change({ reorder: ["2", "1", "3"] });
    plans.change({ remove: "2" });
    expect(plans.current()).toMatchObject({
      title: "new",
      steps: [
        { id: "1", text: "one", status: "done", note: "quick" },
        { id: "3", text: "between", status: "pending" },
      ],
    });
    expect(() => plans.change({ set: { stepId: "9", status: "done" } })).toThrow("its steps are 1, 3");
    expect(() => plans.change({ reorder: ["1", "1"] })).toThrow("all 2 steps");
    expect(store.plans("/other").current()).toBeUndefined();
  });
});

test("uses are kept newest first, the same one only once", () => {
  const uses = store.uses();
  for (const query of ["one", "two", "one", "three"]) uses.record(query, "tool");
  expect(uses.recent(2).get("tool")).toEqual(["three", "one"]);
});
