import { expect, test } from "vitest";
import type { Ask, Asker } from "../approval/approval.ts";
import { PageBudget } from "./page-budget.ts";

const limits = { sites: 2, megabytes: 1 };
const signal = new AbortController().signal;

function ask(tool: string, url: string, more: Partial<Ask> = {}): Ask {
  return {
    ...{ id: url, stepId: "s", tool, title: "", reason: "", preview: undefined, remember: undefined },
    ...{ amend: undefined, byPerson: false, again: undefined },
    args: { url },
    ...{ warnings: [], counts: [] },
    effects: [{ kind: "fetch", url, method: "GET" }],
    ...more,
  };
}

const budgetOf = (received: () => number, person?: Asker) =>
  new PageBudget({ limits, received, person, onlyFound: false });

test("megabytes are counted from the start of the research", async () => {
  let bytes = 5_000_000;
  const { asker } = budgetOf(() => bytes);
  expect(await asker([ask("browseWeb", "https://a.com/")], signal)).toMatchObject([{ approved: true }]);
  bytes += 1_000_000;
  const [refused] = await asker([ask("browseWeb", "https://a.com/2")], signal);
  expect(refused).toMatchObject({ approved: false, byLimit: true });
  expect(refused?.reason).toContain("The 1 MB that this research may read are used up");
});

test.each([
  [
    "a POST",
    ask("web_fetch", "https://a.com/", {
      effects: [{ kind: "fetch", url: "https://a.com/", method: "POST" }],
    }),
  ],
  [
    "headers of its own",
    ask("web_fetch", "https://a.com/", { args: { url: "https://a.com/", headers: { x: "1" } } }),
  ],
  ["another tool", ask("mcp_send", "https://a.com/")],
  [
    "a change",
    ask("browseWeb", "https://a.com/", { effects: [{ kind: "write", path: "a", replaces: false }] }),
  ],
])("%s is not covered", async (_what, asked) => {
  const budget = budgetOf(() => 0);
  expect(await budget.asker([asked], signal)).toEqual([expect.objectContaining({ approved: false })]);
  expect(budget.refused()).toHaveLength(1);
});

test("a person who is there is asked for what the budget does not cover, and only that", async () => {
  const put: string[] = [];
  const person: Asker = async (asks) =>
    asks.map(({ id }) => {
      put.push(id);
      return { approved: true };
    });
  const budget = budgetOf(() => 0, person);
  const urls = ["https://a.com/", "https://b.com/", "https://c.com/"];
  const answers = await budget.asker(
    urls.map((url) => ask("browseWeb", url)),
    signal,
  );
  expect(answers.map(({ approved }) => approved)).toEqual([true, true, true]);
  expect(put).toEqual(["https://c.com/"]);
  expect(budget.refused()).toEqual([]);
});
