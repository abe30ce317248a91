import { afterEach, expect, test } from "vitest";
import type { PermissionMode } from "../approval/modes.ts";
import { type ScriptedReply, scriptedModel, type TestWield, testWield } from "../testing/testing.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { Wield } from "./wield.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const files = { "a.txt": "old\n", ".envrc": "old\n" };
const edit = (path: string, content = "new\n"): ScriptedReply => ({
  calls: [{ tool: "edit_file", input: { path, content, description: "d" } }],
});

/** What an agent with nobody there to ask gets for its calls. */
async function results(wield: Wield, options: AgentOptions, ...replies: ScriptedReply[]) {
  const codes: (string | null)[] = [];
  const stop = wield.on((event) => {
    if (event.type === "call-end") codes.push(event.record.errorCode);
  });
  const agent = await wield.agent({ model: scriptedModel([...replies, { say: "Done." }]), ...options });
  await agent.send("Go");
  stop();
  return { codes, session: agent.session };
}

test.each<[PermissionMode, string | null]>([
  ["ask", "APPROVAL_REQUIRED"],
  ["edits", null],
  ["plan", "APPROVAL_DENIED"],
  ["auto", null],
])("an edit in the mode %s", async (mode, code) => {
  place = await testWield(files);
  const { codes } = await results(place.wield, { permissionMode: mode }, edit("a.txt"), edit(".envrc"));
  expect(codes).toEqual([code, mode === "plan" ? "APPROVAL_DENIED" : "APPROVAL_REQUIRED"]);
  expect(place.read("a.txt")).toBe(code === null ? "new\n" : "old\n");
  expect(place.read(".envrc")).toBe("old\n");
});

test("what code changes follows the mode of its session as an edit does", async () => {
  place = await testWield(files);
  const run: ScriptedReply = {
    calls: [{ tool: "run_code", input: { language: "bash", code: "echo new > a.txt" } }],
  };
  for (const mode of ["ask", "plan"] as const) {
    await results(place.wield, { permissionMode: mode }, run);
    expect(place.read("a.txt")).toBe("old\n");
  }
  await results(place.wield, { permissionMode: "edits" }, run);
  expect(place.read("a.txt")).toBe("new\n");
});

test("a session keeps its mode in a later process; another session has that of the folder", async () => {
  place = await testWield(files);
  const { session } = await results(place.wield, { permissionMode: "edits" });
  const later = await place.reopen();
  expect(later.settings.mode()).toBe("ask");
  expect(await later.settings.modeOf(session)).toBe("edits");
  expect((await results(later, { session }, edit("a.txt"))).codes).toEqual([null]);
  expect((await results(later, {}, edit("a.txt", "newer\n"))).codes).toEqual(["APPROVAL_REQUIRED"]);
});

test("the folder's mode is the person's choice: it lasts, and the folder's own settings have no say", async () => {
  place = await testWield({ ...files, ".wield/settings.json": '{"modes":{}}' });
  place.write(".wield/settings.json", JSON.stringify({ modes: { [place.root]: "auto" } }));
  await place.trust();
  expect((await place.reopen()).settings.mode()).toBe("ask");
  await place.wield.settings.setMode("edits", { folder: true });
  const later = await place.reopen();
  expect(later.settings.mode()).toBe("edits");
  expect((await later.call("edit_file", { path: "a.txt", content: "n\n", description: "d" })).result.ok).toBe(
    true,
  );
  expect((await place.reopen({ mode: "plan" })).settings.mode()).toBe("plan");
});

test("an agent that is delegated to works in the mode of the one that delegates, also when it changes", async () => {
  place = await testWield(files);
  const { wield } = place;
  const task: ScriptedReply = {
    calls: [{ tool: "task", input: { profile: "code", instructions: "Change a.txt" } }],
  };
  const replies = [task, edit("a.txt"), { say: "Changed." }, { say: "Done." }];
  const { codes } = await results(wield, { permissionMode: "edits" }, ...replies);
  expect(codes).toEqual([null, null]);
  expect(place.read("a.txt")).toBe("new\n");
});

test("plan mode does not keep the person from undoing, and the agent is told of it", async () => {
  place = await testWield(files, { approve: () => ({ approved: true }) });
  const { wield } = place;
  await results(wield, {}, edit("a.txt"));
  const model = scriptedModel([edit("a.txt", "third\n"), { say: "Done." }]);
  await (await wield.agent({ model, permissionMode: "plan" })).send("Go");
  const [system] = model.requests[0]?.prompt ?? [];
  expect(JSON.stringify(system)).toContain("Plan mode: calls that change or send something are refused.");
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain("in plan mode nothing is changed");
  await wield.settings.setMode("plan", { folder: true });
  const undone = await wield.call("undo", {}, { byPerson: true });
  expect(undone.result.ok).toBe(true);
  expect(place.read("a.txt")).toBe("old\n");
});

test("what is meant for a model is not told to the person", async () => {
  place = await testWield(files, { mode: "plan" });
  const input = { path: "a.txt", content: "new\n" };
  const said = (byPerson: boolean) => place?.wield.call("write_file", input, { byPerson });
  expect((await said(false))?.text).toContain("find another way or ask the person");
  expect((await said(true))?.text).not.toContain("ask the person");
});
