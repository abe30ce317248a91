import { describe, expect, test } from "vitest";
import type { Store } from "./store.ts";

/** What documents, plans, held changes and uses must do in every store. The two handles share their data. */
export function documentsContract(stores: () => [Store, Store]): void {
  const store = () => stores()[0];
  const other = () => stores()[1];
  const text = (title: string, content: string) => ({
    id: `d_${title}`,
    title,
    kind: "text" as const,
    content,
  });

  describe("documents", () => {
    test("every version is kept and can be read", async () => {
      const documents = store().documents("/w");
      const { id, version } = await documents.create(text("Notes", "one"));
      expect(version).toBe(1);
      expect((await documents.update(id, () => "two", "second")).version).toBe(2);
      expect(await documents.read(id)).toMatchObject({ content: "two", version: 2, description: "second" });
      expect(await documents.read(id, 1)).toMatchObject({ content: "one", version: 1, title: "Notes" });
      await expect(documents.read(id, 3)).rejects.toThrow("versions 1 to 2");
      await expect(documents.read("d_none")).rejects.toThrow("no document");
    });

    test("the history lists every version, newest first", async () => {
      const documents = store().documents("/w");
      const { id } = await documents.create(text("Notes", "one"));
      await documents.update(id, () => "two", "second");
      const history = await documents.versions(id);
      expect(history).toMatchObject([
        { version: 2, description: "second" },
        { version: 1, description: "created" },
      ]);
      expect(history[0]?.at).toMatch(/^\d{4}-.*Z$/);
      await expect(store().documents("/other").versions(id)).rejects.toThrow("no document");
    });

    test("a change made from an older version is a conflict; the same change again is not", async () => {
      const documents = store().documents("/w");
      const { id } = await documents.create(text("Notes", "one"));
      expect(await documents.update(id, () => "mine", "by hand", 1)).toMatchObject({ version: 2 });
      expect(await documents.update(id, () => "mine", "by hand", 1)).toMatchObject({ version: 2 });
      const late = other()
        .documents("/w")
        .update(id, () => "theirs", "", 1);
      await expect(late).rejects.toMatchObject({ code: "CONFLICT", details: { version: 2 } });
      expect((await documents.read(id)).content).toBe("mine");
      expect(await documents.versions(id)).toHaveLength(2);
    });

    test("a deleted document is gone with its versions, its suggestions and from the search", async () => {
      const documents = store().documents("/w");
      const { id } = await documents.create(text("Notes", "one word"));
      await documents.update(id, () => "two words", "");
      await documents.suggest(id, [{ id: "g_1", original: "two", suggested: "2", reason: "r" }]);
      await documents.create(text("Other", "two words too"));
      await store().documents("/elsewhere").delete(id);
      expect(await documents.versions(id)).toHaveLength(2);
      await documents.delete(id);
      await documents.delete(id);
      await expect(documents.read(id, 1)).rejects.toThrow("no document");
      await expect(documents.resolveSuggestion("g_1", "applied")).rejects.toThrow("no suggestion");
      expect((await documents.search("words", 9)).map(({ title }) => title)).toEqual(["Other"]);
      expect((await documents.list({ limit: 9 })).total).toBe(1);
      // Its id can be used anew, and nothing of the old document comes back.
      await documents.create(text("Notes", "fresh"));
      expect(await documents.versions(id)).toHaveLength(1);
      expect(await documents.suggestions(id)).toEqual([]);
    });

    test("creating one again under its id changes nothing", async () => {
      await store().documents("/w").create(text("Notes", "one"));
      const again = await other().documents("/w").create(text("Notes", "another"));
      expect(again).toMatchObject({ content: "one", version: 1 });
      expect((await store().documents("/w").list({ limit: 9 })).total).toBe(1);
    });

    test("belong to their workspace", async () => {
      const { id } = await store().documents("/w").create(text("Mine", "secret plan"));
      const [suggestion] = await store()
        .documents("/w")
        .suggest(id, [{ id: "g_1", original: "secret", suggested: "open", reason: "r" }]);
      const foreign = store().documents("/other");
      expect(await foreign.list({ limit: 9 })).toEqual({ documents: [], total: 0 });
      expect(await foreign.search("secret", 9)).toEqual([]);
      await expect(foreign.read(id)).rejects.toThrow("no document");
      await expect(foreign.update(id, () => "x", "")).rejects.toThrow("no document");
      await expect(foreign.resolveSuggestion(suggestion?.id ?? "", "dismissed")).rejects.toThrow(
        "no suggestion",
      );
    });

    test("are listed changed last first, page by page", async () => {
      const documents = store().documents("/w");
      for (const title of ["a", "b", "c"]) await documents.create(text(title, title));
      await documents.update("d_a", () => "new", "");
      const titles = async (page: { before?: string } = {}) =>
        (await documents.list({ limit: 2, ...page })).documents.map(({ title }) => title);
      expect(await titles()).toEqual(["a", "c"]);
      expect(await titles({ before: "d_c" })).toEqual(["b"]);
    });

    test("are found by the words of their newest version", async () => {
      const documents = store().documents("/w");
      const { id } = await documents.create(text("Budget", "The quarterly meetings were moved to Tuesday"));
      await documents.create(text("Recipe", "Flour, water, salt"));
      expect(await documents.search("meeting quarterly", 9)).toMatchObject([
        { id, snippet: expect.stringContaining("«meetings»") },
      ]);
      expect(await documents.search("meeting flour", 9)).toHaveLength(2);
      await documents.update(id, () => "All cancelled", "");
      expect(await documents.search("Tuesday", 9)).toEqual([]);
      expect(await documents.search("budget", 9)).toMatchObject([{ id }]);
    });

    test.each(['"', "AND OR NOT", "a* NEAR(b)", "title:x", "(", "--", "💥"])(
      "any query is only words: %s",
      async (query) => {
        const documents = store().documents("/w");
        await documents.create(text("t", "content"));
        expect(Array.isArray(await documents.search(query, 9))).toBe(true);
      },
    );

    test("suggestions are applied or dismissed, once, where their passage still is", async () => {
      const documents = store().documents("/w");
      const { id } = await documents.create(text("t", "teh cat, teh dog"));
      await documents.suggest(id, [
        { id: "g_1", original: "teh cat", suggested: "the cat", reason: "spelling" },
        { id: "g_2", original: "teh dog", suggested: "the dog", reason: "spelling" },
        { id: "g_3", original: "cat", suggested: "lion", reason: "drama" },
      ]);
      expect((await documents.resolveSuggestion("g_1", "applied")).state).toBe("applied");
      expect(await documents.read(id)).toMatchObject({ content: "the cat, teh dog", version: 2 });
      await expect(documents.resolveSuggestion("g_1", "applied")).rejects.toThrow("applied already");
      await documents.resolveSuggestion("g_3", "dismissed");
      await documents.update(id, () => "rewritten", "");
      await expect(documents.resolveSuggestion("g_2", "applied")).rejects.toThrow(
        "no longer in the document",
      );
      const states = (await documents.suggestions(id)).map(({ state }) => state);
      expect(states).toEqual(["applied", "open", "dismissed"]);
    });

    test("of two writers at once, the slower one edits what the faster one wrote", async () => {
      const { id } = await store().documents("/w").create(text("Log", ""));
      const add = (handle: Store, name: string) =>
        Array.from({ length: 20 }, (_, line) =>
          handle.documents("/w").update(id, (content) => `${content}${name}${line}\n`, name),
        );
      await Promise.all([...add(store(), "a"), ...add(other(), "b")]);
      const { content, version } = await store().documents("/w").read(id);
      expect(version).toBe(41);
      const expected = ["a", "b"].flatMap((name) =>
        Array.from({ length: 20 }, (_, line) => `${name}${line}`),
      );
      expect(content.trimEnd().split("\n").sort()).toEqual(expected.sort());
    });

    test("a writer that comes in between is not overwritten: the change is made again on its text", async () => {
      const { id } = await store().documents("/w").create(text("Log", "one\n"));
      const between: Promise<unknown>[] = [];
      const change = (content: string) => {
        if (between.length === 0)
          between.push(
            other()
              .documents("/w")
              .update(id, (now) => `${now}two\n`, ""),
          );
        return `${content}three\n`;
      };
      await store().documents("/w").update(id, change, "");
      await Promise.all(between);
      const { content, version } = await store().documents("/w").read(id);
      expect(version).toBe(3);
      expect(content.trimEnd().split("\n").sort()).toEqual(["one", "three", "two"]);
    });
  });

  describe("plans", () => {
    test("the last one made is the current one; steps change, come, go and move", async () => {
      const plans = store().plans("/w");
      expect(await plans.current()).toBeUndefined();
      await expect(plans.change({ remove: "1" })).rejects.toThrow("createPlan");
      await plans.create({ id: "p_1", title: "old", steps: ["x"] });
      await plans.create({ id: "p_2", title: "new", steps: ["one", "two"] });
      await plans.change({ set: [{ stepId: "1", status: "done", note: "quick" }] });
      await plans.change({ add: { text: "between", after: "1" } });
      await plans.change({ reorder: ["2", "1", "3"] });
      await plans.change({ remove: "2" });
      expect(await plans.current()).toMatchObject({
        title: "new",
        steps: [
          { id: "1", text: "one", status: "done", note: "quick" },
          { id: "3", text: "between", status: "pending" },
        ],
      });
      const set = { stepId: "9", status: "done" as const };
      await expect(plans.change({ set: [set] })).rejects.toThrow("its steps are 1, 3");
      await expect(plans.change({ reorder: ["1", "1"] })).rejects.toThrow("all 2 steps");
      expect(await store().plans("/other").current()).toBeUndefined();
    });

    test("creating one again under its id changes nothing; changes of two writers both count", async () => {
      await store()
        .plans("/w")
        .create({ id: "p_1", title: "one", steps: ["x"] });
      await other()
        .plans("/w")
        .create({ id: "p_1", title: "one", steps: ["x"] });
      const add = (handle: Store, name: string) =>
        Array.from({ length: 5 }, () => handle.plans("/w").change({ add: { text: name } }));
      await Promise.all([...add(store(), "a"), ...add(other(), "b")]);
      const texts = (await store().plans("/w").current())?.steps.map((step) => step.text);
      expect(texts?.sort().join("")).toBe("aaaaabbbbbx");
    });
  });

  test("held changes are found by their id, in their workspace, until they are dropped or too many", async () => {
    const held = store().held("/w");
    const record = (n: number) => ({
      id: `h_${n}`,
      description: `run ${n}`,
      data: new Uint8Array([n, 0, 255]),
    });
    await held.save(record(0));
    await held.save(record(0));
    expect(await other().held("/w").get("h_0")).toMatchObject({ description: "run 0" });
    expect([...((await held.get("h_0"))?.data ?? [])]).toEqual([0, 0, 255]);
    expect(await store().held("/other").get("h_0")).toBeUndefined();
    await held.drop("h_0");
    expect(await held.get("h_0")).toBeUndefined();
    for (let n = 1; n <= 40; n++) await held.save(record(n));
    expect(await held.ids()).toEqual(Array.from({ length: 32 }, (_, index) => `h_${index + 9}`));
  });

  test("uses are kept newest first, the same one only once", () => {
    const uses = store().uses();
    for (const query of ["one", "two", "one", "three"]) uses.record(query, "tool");
    expect(uses.recent(2).get("tool")).toEqual(["three", "one"]);
  });
}
