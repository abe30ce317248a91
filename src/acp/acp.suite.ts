import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable, Transform, Writable } from "node:stream";
import {
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { TestWield } from "../testing/testing.ts";

const program = join(import.meta.dirname, "../cli/wield.ts");
const schemaFile = "@agentclientprotocol/sdk/schema/v1/schema.json";

export interface EditorOptions {
  env?: Record<string, string>;
  args?: readonly string[];
  capabilities?: ClientCapabilities;
  /** The option that the person chooses; default: the first that allows once. */
  permit?: (request: RequestPermissionRequest) => string | "cancelled";
  fill?: (request: CreateElicitationRequest) => CreateElicitationResponse;
  /** Texts in the editor, by absolute path. */
  buffers?: Map<string, string>;
}

/** An editor: the SDK's own client, connected to the real command. Every message is held against the protocol's schema. */
export interface Editor {
  agent: ClientContext;
  updates: SessionUpdate[];
  permissions: RequestPermissionRequest[];
  /** What broke the schema, in either direction. */
  problems: string[];
  said(): string;
  prompt(session: string, text: string): Promise<string>;
  kill(): Promise<void>;
}

export async function openEditor(
  place: Pick<TestWield, "root" | "env">,
  options: EditorOptions = {},
): Promise<Editor> {
  const { capabilities = {}, buffers = new Map<string, string>() } = options;
  const child = spawn(process.execPath, [program, "acp", ...(options.args ?? [])], {
    cwd: place.root,
    env: { ...place.env, ...options.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const check = schemaCheck();
  const toAgent = tap((message) => check("agent", message));
  const toClient = tap((message) => check("client", message));
  toAgent.pipe(child.stdin);
  child.stdout.pipe(toClient);
  const updates: SessionUpdate[] = [];
  const permissions: RequestPermissionRequest[] = [];
  const app = client({ name: "test editor" })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      permissions.push(params);
      const first = params.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
      const optionId = options.permit?.(params) ?? first;
      if (optionId === "cancelled") return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId } };
    })
    .onRequest(
      methods.client.elicitation.create,
      ({ params }) => options.fill?.(params) ?? { action: "cancel" },
    )
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      const content = buffers.get(params.path);
      if (content === undefined) throw new Error("not open");
      return { content };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      buffers.set(params.path, params.content);
      return {};
    });
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(toAgent) as WritableStream<Uint8Array>,
      Readable.toWeb(toClient) as unknown as ReadableStream<Uint8Array>,
    ),
  );
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: capabilities,
  });
  const textOf = () =>
    updates
      .map((update) =>
        update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
          ? update.content.text
          : "",
      )
      .join("");
  return {
    agent,
    updates,
    permissions,
    problems: check.problems,
    said: textOf,
    prompt: async (sessionId, text) => {
      const prompt = [{ type: "text" as const, text }];
      return (await agent.request<PromptResponse>(methods.agent.session.prompt, { sessionId, prompt }))
        .stopReason;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
      connection.close();
    },
  };
}

/** Passes lines on and shows each as a message. */
function tap(see: (message: Message) => void): Transform {
  let rest = "";
  return new Transform({
    transform(chunk, _encoding, done) {
      rest += chunk;
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") see(JSON.parse(line));
      done(null, chunk);
    },
  });
}

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** Judges every message by the definition that the schema has for its method, answers by that of their question. */
function schemaCheck() {
  const schema = createRequire(import.meta.url)(schemaFile) as {
    $defs: Record<string, Record<string, unknown>>;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false });
  ajv.addSchema(schema, "acp");
  const definitions = new Map<string, string>(
    Object.entries(schema.$defs).flatMap(([name, definition]) =>
      definition["x-method"] === undefined
        ? []
        : [[`${definition["x-method"]} ${/Response$/.test(name) ? "response" : "request"}`, name] as const],
    ),
  );
  const asked = new Map<string, string>();
  const problems: string[] = [];
  const hold = (what: string, value: unknown) => {
    const name = definitions.get(what);
    const validate = name === undefined ? undefined : ajv.getSchema(`acp#/$defs/${name}`);
    if (!validate) problems.push(`${what}: not in the schema`);
    else if (!validate(value))
      problems.push(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
  };
  const see = (to: "agent" | "client", message: Message) => {
    const other = to === "agent" ? "client" : "agent";
    if (message.method !== undefined) {
      if (message.id !== undefined) asked.set(`${to} ${message.id}`, message.method);
      hold(`${message.method} request`, message.params);
    } else if (message.error === undefined) {
      hold(`${asked.get(`${other} ${message.id}`)} response`, message.result);
    }
  };
  return Object.assign(see, { problems });
}
