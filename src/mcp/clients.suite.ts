import { join } from "node:path";
import {
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type TestWield, testWield } from "../testing/testing.ts";
import { testTools } from "./fixtures/tools.ts";
import { serveMcpHttp } from "./http.ts";
import { listen } from "./node-http.suite.ts";
import { createMcp } from "./server.ts";

/** Fills in a form as a person would; left out: the client cannot show forms. */
export type Person = (form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;

export interface Connected {
  client: Client;
  place: TestWield;
  toolsChanged: Promise<void>;
  close(): Promise<void>;
}

export const ways = [
  { era: "modern", transport: "stdio" },
  { era: "modern", transport: "http" },
  { era: "legacy", transport: "stdio" },
  { era: "legacy", transport: "http" },
] as const;
export type Way = (typeof ways)[number];

/** A real client, connected over a real process or a real port. */
export async function connect(
  way: Way,
  files: Record<string, string | Uint8Array>,
  person?: Person,
  name = "test",
): Promise<Connected> {
  const place: TestWield = await testWield(files, {
    tools: "workspace",
    customTools: testTools(
      () => place.wield.tools.registry,
      () => place.write("begun", ""),
    ),
  });
  const changed = Promise.withResolvers<void>();
  const client = new Client(
    { name, version: "1" },
    {
      capabilities: person ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: way.era === "modern" ? { pin: "2026-07-28" } : "legacy" },
      listChanged: { tools: { autoRefresh: false, onChanged: () => changed.resolve() } },
    },
  );
  if (person)
    client.setRequestHandler("elicitation/create", ({ params }) => person(params as ElicitRequestFormParams));
  const closeServer =
    way.transport === "stdio" ? await overStdio(client, place) : await overHttp(client, place);
  return {
    client,
    place,
    toolsChanged: changed.promise,
    close: async () => {
      await client.close();
      await closeServer();
      await place.close();
    },
  };
}

async function overStdio(client: Client, place: TestWield): Promise<() => Promise<void>> {
  const program = join(import.meta.dirname, "fixtures/stdio-server.ts");
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program], cwd: place.root, env: place.env }),
  );
  return async () => undefined;
}

async function overHttp(client: Client, place: TestWield): Promise<() => Promise<void>> {
  const served = serveMcpHttp(createMcp(place.wield));
  const { url, close } = await listen(served.fetch);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return async () => {
    await served.close();
    await close();
  };
}
