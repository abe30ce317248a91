import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
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

test("documents are resources where there are tools for them", async () => {
  const client = await connect({}, { tools: "studio" });
  const document = { title: "Plan", kind: "text", content: "the content\n" };
  const { result } = await place.wield.callAny("createDocument", document);
  const { id } = (result.ok && result.value) as { id: string };
  const uri = `wield://documents/${id}`;
  expect((await client.listResources()).resources).toEqual([{ uri, name: "Plan" }]);
  expect((await client.readResource({ uri })).contents).toMatchObject([{ text: "the content\n" }]);
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
