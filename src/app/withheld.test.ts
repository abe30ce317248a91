import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { withheldText } from "./withheld.ts";

const marker = "xyzzySecret";
const deny = { decision: "deny" as const, path: "vault/**" };
const other = { decision: "deny" as const, path: "elsewhere/**" };

let place: TestWield;
beforeEach(async () => {
  place = await testWield({ "vault/key.txt": `${marker}\n`, "open/b.txt": "plain\n" });
});
afterEach(() => place.close());

const calls = [
  ["read_file", { path: "vault/key.txt" }],
  ["grep", { pattern: marker }],
  ["list_files", { path: "vault" }],
] as const;

test.each(calls)("what %s showed before a rule denied it is read no more", async (tool, input) => {
  const before = await place.wield.callAny(tool, input);
  expect(before.text).toMatch(/xyzzySecret|key\.txt/);
  const again = await place.wield.callAny("read_result", { id: before.id });
  expect(again.result.ok).toBe(true);
  const later = await place.reopen({ settings: { rules: [deny] } });
  for (const id of [before.id, again.id]) {
    const { result, text } = await later.callAny("read_result", { id });
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED", message: withheldText } });
    expect(text).not.toMatch(/xyzzySecret|key\.txt/);
  }
});

test("what is not denied can still be read, and so can what was made under the same rules", async () => {
  const file = await place.wield.callAny("read_file", { path: "open/b.txt" });
  const later = await place.reopen({ settings: { rules: [deny] } });
  expect((await later.callAny("read_result", { id: file.id })).text).toContain("plain");
  const search = await later.callAny("grep", { pattern: "plain" });
  const same = await place.reopen({ settings: { rules: [deny] } });
  expect((await same.callAny("read_result", { id: search.id })).text).toContain("plain");
  const stricter = await place.reopen({ settings: { rules: [deny, other] } });
  expect((await stricter.callAny("read_result", { id: search.id })).result.ok).toBe(false);
});

test("a session that is continued or saved shows no more what is denied by now", async () => {
  const step = (tool: string, input: object) => ({ calls: [{ tool, input }] });
  const model = scriptedModel([
    step("read_file", { path: "vault/key.txt" }),
    step("read_file", { path: "open/b.txt" }),
    { say: "Read." },
  ]);
  const agent = await place.wield.agent({ model });
  const { session } = await agent.send("Read both.");
  const saved = async (wield: TestWield["wield"]) => JSON.stringify(await wield.sessions.log(session));
  expect(await saved(place.wield)).toContain(marker);

  const later = await place.reopen({ settings: { rules: [deny] } });
  const told = await saved(later);
  expect(told).toContain(withheldText);
  expect(told).toContain("plain");
  expect(told).not.toContain(marker);

  const next = scriptedModel([{ say: "Nothing." }]);
  const resumed = await later.agent({ model: next, session });
  await resumed.send("What was in it?");
  const sent = JSON.stringify(next.requests);
  expect(sent).toContain("plain");
  expect(sent).not.toContain(marker);
});
