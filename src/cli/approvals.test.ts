import { afterEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const files = { "a.txt": "one\n", "b.txt": "two\n", "package.json": "{}\n" };

/** What a run changed with nobody there to ask. */
async function held(): Promise<{ id: string; text: string; here: TestWield }> {
  place = await testWield(files);
  const code = 'echo new > a.txt; rm b.txt; echo "{ }" > package.json';
  const { result, text } = await place.wield.call("run_code", { language: "bash", code });
  if (!result.ok || !result.value.held) throw new Error(text);
  return { id: result.value.held.id, text, here: place };
}

test("what waits is shown with its diff and every reason, and the model is told how it is approved", async () => {
  const { id, text, here } = await held();
  expect(text).toContain(`wield approvals approve ${id}`);
  const { out } = await runCli(here, ["approvals"]);
  expect(out).toMatch(/-one[\s\S]*\+new/);
  for (const reason of [/it changes a\.txt/, /it deletes b\.txt/, /it changes package\.json/])
    expect(out).toMatch(reason);
  expect(out).toContain(`wield approvals approve ${id}`);
});

test("the beginning of an id is enough; one that fits several or none is refused with those there are", async () => {
  const { id, here } = await held();
  await here.wield.call("run_code", { language: "bash", code: "echo x > b.txt" });
  const both = await runCli(here, ["approvals", "approve", "h_"]);
  expect(both.code).toBe(1);
  expect(both.err + both.out).toContain("is the beginning of several ids");
  expect((await runCli(here, ["approvals", "approve", "h_nothing"])).err).toContain(
    "No approval request is pending",
  );
  expect((await runCli(here, ["approvals", "approve", id.slice(0, -2)])).code).toBe(0);
  expect(here.read("a.txt")).toBe("new\n");
});

test("what was denied cannot be applied by a later call, also when its files changed since", async () => {
  const { id, here } = await held();
  here.write("a.txt", "by hand\n");
  const denied = await runCli(here, ["approvals", "deny", id, "--reason", "not now"]);
  expect(denied.code).toBe(0);
  expect(denied.out).toContain("User rejected changes: not now");
  const asker = await here.reopen({ approve: () => ({ approved: true }) });
  const later = await asker.call("apply_held_changes", { id });
  expect(later.result).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
  expect(later.text).toContain("They were applied or rejected, or are too old");
  expect(here.read("a.txt")).toBe("by hand\n");
});

test("what nobody answers expires, with the changes that were held for it", async () => {
  const { id, here } = await held();
  const { wield } = here;
  const [pending] = await wield.store.pending();
  if (!pending) throw new Error("nothing is pending");
  const eightDaysAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000).toISOString();
  await wield.store.savePending({ ...pending, at: eightDaysAgo });
  here.writeConfig("settings.json", JSON.stringify({ approvals: { days: 9 } }));
  expect((await runCli(here, ["approvals"])).out).toContain(id);
  here.writeConfig("settings.json", "{}");
  expect((await runCli(here, ["approvals"])).out).toBe("No approval requests are pending.\n");
  expect((await runCli(here, ["approvals", "approve", id])).err).toContain("expire after 7 days");
  const asker = await here.reopen({ approve: () => ({ approved: true }) });
  expect((await asker.call("apply_held_changes", { id })).result.ok).toBe(false);
});

test("an edit that wield ask could not get approved waits in wield approvals, and is made by a yes", async () => {
  place = await testWield({ "src/main.js": "export function start() {}\n" });
  const asked = await runCli(place, [
    "ask",
    "Add a comment to the top of src/main.js explaining what it does",
  ]);
  expect(asked.err).toContain("wield approvals shows and answers what is open");
  const [open] = await place.wield.approvals.pending();
  expect(open).toMatchObject({ tool: "replace_in_file" });
  const listed = await runCli(place, ["approvals"]);
  expect(listed.out).toMatch(/replace_in_file[\s\S]*\+\/\/ main\.js/);
  await runCli(place, ["approvals", "approve", open?.id ?? ""]);
  expect(place.read("src/main.js")).toMatch(/^\/\/ main\.js/);
});

test("what one run by hand would replace is asked about at once, and --yes approves it", async () => {
  place = await testWield(files);
  const run = JSON.stringify({ language: "bash", code: "echo new > a.txt" });
  const { out } = await runCli(place, ["call", "run_code", run, "--yes"]);
  expect(out).toContain("1 file changed");
  expect(place.read("a.txt")).toBe("new\n");
});
