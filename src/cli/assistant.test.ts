import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { bin, hasTmux, terminal } from "./terminal.suite.ts";

const use = (id: string, name: string, input: unknown): WireReply => ({
  content: [{ type: "tool_use", id, name, input }],
});

describe.skipIf(!hasTmux)("the assistant in a terminal", () => {
  test("plan, tool search, skill, weather that asks, code with files, a document; then its files are saved", async () => {
    const results: string[] = [];
    const code = "open('costs.csv', 'w').write('item,euros\\ncourse,90\\n')\nprint('total', 90)";
    const script: WireReply[] = [
      use("t0", "createPlan", { title: "A baking course", steps: ["Look", "Calculate", "Write"] }),
      use("t1", "searchTools", { query: "browser" }),
      use("t2", "readSkill", { name: "agent-browser" }),
      use("t3", "getWeather", { city: "Lisbon" }),
      use("t4", "updatePlan", { stepId: "1", status: "done" }),
      use("t5", "executeCode", { code }),
      use("t6", "createDocument", {
        title: "Course",
        kind: "text",
        content: "# Course\n\nIt costs 90 euros.",
      }),
      use("t7", "updatePlan", { stepId: "2", status: "done" }),
      { content: [{ type: "text", text: "All is written down." }] },
    ];
    const wire = await anthropicServer(({ messages }) => {
      if (messages.length > 1) results.push(JSON.stringify(messages.at(-1)));
      return script[results.length] ?? { content: [{ type: "text", text: "No more." }] };
    });
    onTestFinished(() => wire.close());
    const env = {
      ANTHROPIC_API_KEY: "key-for-tests",
      ANTHROPIC_BASE_URL: wire.url,
      OLLAMA_HOST: "127.0.0.1:1",
    };
    const { type, see, place } = await terminal({}, `${bin} chat --profile assistant`, env);
    await see(/› /);
    type("Plan a baking course", "Enter");
    // Weather tells a service where to look: it asks first, here as everywhere.
    await see(/Allow getWeather\?/);
    type("n");
    await see(/Why not\?/);
    type("Enter");
    const screen = await see(/All is written down\./);
    // The checklist once, then only what changed in it.
    expect(screen.match(/\[ \] Write/g)).toHaveLength(1);
    expect(screen).toMatch(/\[x\] Look\s+1 of 3 done/);
    expect(screen).toMatch(/\[x\] Calculate\s+2 of 3 done/);
    const [, call = ""] = /costs\.csv: wield files (c_\w+) --save \. saves them/.exec(screen) ?? [];
    const [, id = ""] = /\/documents (d_\w+) shows it/.exec(screen) ?? [];
    type(`/documents ${id}`, "Enter");
    await see(/It costs 90 euros\./);
    type("/plan", "Enter");
    await see(/A baking course: 2 of 3 done[\s\S]*\[ \] 3\. Write\s+Last changed[\s\S]*assistant · ask › $/m);
    for (const name of ["Navigate", "Interact", "Extract", "Close"])
      expect(results[1]).toContain(`agentBrowser${name} (Browser Automation)`);
    expect(results[1]).toContain("browseWeb (Web Content)");
    expect(results[3]).toContain("User rejected changes");
    expect(results[5]).toMatch(/total 90.*file costs\.csv/);

    const wield = (...args: string[]) =>
      execFileSync(bin, args, { cwd: place.root, encoding: "utf8", env: { ...process.env, ...place.env } });
    expect(wield("files")).toMatch(new RegExp(`${call} .*costs\\.csv text/csv, 21 bytes`));
    expect(wield("files", call, "--save", "out")).toBe("Saved out/costs.csv\n");
    expect(place.read("out/costs.csv")).toBe("item,euros\ncourse,90\n");
    expect(wield("documents", id)).toContain("It costs 90 euros.");
    expect(wield("documents", id, "--save", "course.docx")).toBe("Saved course.docx\n");
    expect(readFileSync(join(place.root, "course.docx")).subarray(0, 2).toString()).toBe("PK");
    wield("call", "updateDocument", JSON.stringify({ id, edits: [{ oldText: "90", newText: "95" }] }));
    expect(wield("documents", id, "--compare", "1")).toMatch(
      /-It costs 90 euros\.\n.*\n?\+It costs 95 euros\./,
    );
  });
});
