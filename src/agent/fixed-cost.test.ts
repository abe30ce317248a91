import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { MessagesRequest } from "../testing/anthropic-request.ts";
import { type AnthropicServer, anthropicServer } from "../testing/anthropic-server.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";
import { twins } from "../toolsets/toolsets.ts";
import { type ProfileName, profileNames } from "./profiles.ts";

/** Tokens of the system prompt and the tools in every request, by bytes on the wire divided by 3.6. */
const budgets: Record<ProfileName, number> = { code: 2400, explore: 600, research: 1200, assistant: 1600 };

let server: AnthropicServer | undefined;
let place: TestWield | undefined;
afterEach(async () => {
  await server?.close();
  await place?.close();
});

const added = Array.from({ length: 500 }, (_, i) =>
  defineTool({
    name: `export_${["invoice", "customer", "shipment", "contract", "ticket"][i % 5]}_${i}`,
    title: `Export ${i}`,
    description: `Export the records of unit ${i} as a table, newest first.`,
    category: `Department ${i % 25}`,
    ...(i % 2 === 0 && { loading: "deferred" as const }),
    input: z.object({ from: z.string().optional(), limit: z.int().default(20) }),
    output: z.object({}),
    execute: async () => ({}),
  }),
);

async function requestOf(profile: ProfileName, customTools: typeof added): Promise<MessagesRequest> {
  server = await anthropicServer(() => ({ content: [{ type: "text", text: "Done." }] }));
  place = await testWield({ "a.ts": "export const a = 1;\n" });
  const env = { ...place.env, ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
  const settings = { web: { research: { repository: "someone/notes" } } };
  const wield = await place.reopen({ env, customTools, settings });
  await (await wield.agent({ profile })).send("Hello");
  const [request] = server.requests;
  if (!request) throw new Error("no request came");
  return request;
}

const tokensOf = (value: unknown) => Math.round(Buffer.byteLength(JSON.stringify(value) ?? "") / 3.6);

describe.each(profileNames)("%s", (profile) => {
  test.each([
    ["the built-in tools", []],
    ["500 added tools", added],
  ])("fixed cost with %s", async (_what, customTools) => {
    const { system, tools = [] } = await requestOf(profile, customTools);
    const fixed = tokensOf(system) + tokensOf(tools);
    console.log(
      `${profile}: ${fixed} of ${budgets[profile]} tokens (system ${tokensOf(system)}, ${tools.length} tools ${tokensOf(tools)})`,
    );
    const wire = JSON.stringify([system, tools]);
    expect(wire).not.toMatch(/9007199254740991|\$schema|"additionalProperties":false/);
    const names = new Set(tools.map(({ name }) => name));
    expect(twins.filter((pair) => pair.every((name) => names.has(name)))).toEqual([]);
    expect(names).toContain("searchTools");
    // What every task needs comes with its schema, and what it may end with by its name.
    if (profile === "code" && customTools.length === 0) {
      const editing = ["batch_read", "find_files", "read_file", "replace_in_file", "edit_files", "undo"];
      for (const name of [...editing, "run_code", "run_tests"]) expect(names).toContain(name);
      const shape = tools.find(({ name }) => name === "edit_files")?.input_schema;
      for (const key of ["edits", "content", "delete", "from", "to"])
        expect(shape).toHaveProperty(["properties", "changes", "items", "properties", key]);
      for (const name of ["git_status", "git_commit", "git_push"]) expect(wire).toContain(name);
    }
    // Who may call a tool by its name is told the name.
    if (customTools.length === 0) expect(JSON.stringify(system)).not.toMatch(/\*\* \(\d+\)/);
    expect(fixed).toBeLessThanOrEqual(budgets[profile]);
  });
});
