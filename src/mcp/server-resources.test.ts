import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { type TestWield, testWield } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";
import { createMcp } from "./server.ts";

let place: TestWield;
afterEach(() => place.close());

async function connect(...given: Parameters<typeof testWield>): Promise<Client> {
  place = await testWield(...given);
  const client = new Client({ name: "test", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createMcp(place.wield).build("legacy").connect(far);
  await client.connect(near);
  return client;
}

const summary = z.object({ id: z.string(), title: z.string() });
const documentTools = [
  defineTool({
    name: "listDocuments",
    title: "List documents",
    description: "For tests.",
    category: "Documents",
    input: z.object({}),
    output: z.object({ documents: z.array(summary) }),
    execute: async () => ({ documents: [{ id: "d_1", title: "Plan" }] }),
  }),
  defineTool({
    name: "readDocument",
    title: "Read document",
    description: "For tests.",
    category: "Documents",
    input: z.object({ id: z.string() }),
    output: summary.extend({ content: z.string() }),
    execute: async ({ id }) => ({ id, title: "Plan", content: `content of ${id}` }),
  }),
];

test("documents are resources where there are tools for them", async () => {
  const client = await connect({}, { customTools: documentTools });
  expect((await client.listResources()).resources).toEqual([{ uri: "wield://documents/d_1", name: "Plan" }]);
  const { contents } = await client.readResource({ uri: "wield://documents/d_1" });
  expect(contents).toMatchObject([{ text: "content of d_1" }]);
});

test("without the tool there is no such resource", async () => {
  const client = await connect({ "a.txt": "one\n" }, { tools: ["git_status"] });
  expect((await client.listResources()).resources).toEqual([]);
  await expect(client.readResource({ uri: "wield://files/a.txt" })).rejects.toThrow("not found");
});

test("a rule that denies a file denies it as a resource", async () => {
  const rules = [{ decision: "deny", path: "**/*.pem" } as const];
  const client = await connect({ "keys/a.pem": "secret\n" }, { settings: { rules } });
  await expect(client.readResource({ uri: "wield://files/keys/a.pem" })).rejects.toThrow("APPROVAL_DENIED");
});

test("many files come in pages, each once", async () => {
  const files = Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`f/${index}.txt`, "x"]));
  const client = await connect(files);
  const first = await client.listResources({ cursor: "0" });
  expect(first.resources).toHaveLength(200);
  const last = await client.listResources({ cursor: "400" });
  expect(last.nextCursor).toBeUndefined();
  const { resources } = await client.listResources();
  expect(new Set(resources.map(({ uri }) => uri)).size).toBe(450);
  await expect(client.listResources({ cursor: "-1" })).rejects.toThrow("cursor");
});
