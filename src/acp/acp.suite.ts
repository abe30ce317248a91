import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type CreateTerminalRequest,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { schemaCheck, tap } from "./schema.suite.ts";

const program = join(import.meta.dirname, "../cli/wield.ts");

/** What the person at the editor does, and what the editor holds. */
export interface Person {
  /** The option that they choose; default: the first that allows once. */
  permit?: (request: RequestPermissionRequest) => string | "cancelled";
  fill?: (request: CreateElicitationRequest) => CreateElicitationResponse;
  /** Texts in the editor, by absolute path. */
  buffers?: Map<string, string>;
}

/** An editor: the SDK's own client, connected to the real command. Every message is validated by the protocol's schema. */
export interface Editor {
  agent: ClientContext;
  updates: SessionUpdate[];
  permissions: RequestPermissionRequest[];
  terminals: CreateTerminalRequest[];
  /** What broke the schema, in either direction. */
  problems: string[];
  /** Definitions of the schema that messages were validated by. */
  validated: ReadonlySet<string>;
  /** Forgets what happened; this person sits at the editor from here on. */
  begin(person: Person): void;
  said(): string;
  toolCalls(): ToolCallUpdate[];
  prompt(session: string, text: string): Promise<string>;
  kill(): Promise<void>;
}

export async function openEditor(
  { cwd, env }: { cwd: string; env: Record<string, string> },
  capabilities: ClientCapabilities,
): Promise<Editor> {
  const child = spawn(process.execPath, [program, "acp"], { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const check = schemaCheck();
  const toAgent = tap((message) => check("agent", message));
  const toClient = tap((message) => check("client", message));
  toAgent.pipe(child.stdin);
  child.stdout.pipe(toClient);
  const updates: SessionUpdate[] = [];
  const permissions: RequestPermissionRequest[] = [];
  const terminals = new Terminals();
  let person: Person = {};
  const app = client({ name: "test editor" })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      permissions.push(params);
      const first = params.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
      const optionId = person.permit?.(params) ?? first;
      if (optionId === "cancelled") return { outcome: { outcome: "cancelled" } };
      return { outcome: { outcome: "selected", optionId } };
    })
    .onRequest(
      methods.client.elicitation.create,
      ({ params }) => person.fill?.(params) ?? { action: "cancel" },
    )
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      const content = person.buffers?.get(params.path);
      if (content === undefined) throw new Error("not open");
      return { content };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      person.buffers?.set(params.path, params.content);
      return {};
    })
    .onRequest(methods.client.terminal.create, ({ params }) => terminals.create(params))
    .onRequest(methods.client.terminal.waitForExit, ({ params }) => terminals.ended(params.terminalId))
    .onRequest(methods.client.terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(methods.client.terminal.kill, ({ params }) => terminals.kill(params.terminalId))
    .onRequest(methods.client.terminal.release, ({ params }) => terminals.kill(params.terminalId));
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
  return {
    ...{ agent, updates, permissions, terminals: terminals.asked },
    ...{ problems: check.problems, validated: check.seen },
    begin: (next) => {
      person = next;
      for (const list of [updates, permissions, terminals.asked]) list.length = 0;
    },
    said: () => updates.map(textOf).join(""),
    toolCalls: () => updates.flatMap((update) => toolCallOf(update) ?? []),
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

function textOf(update: SessionUpdate): string {
  return update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
    ? update.content.text
    : "";
}

function toolCallOf(update: SessionUpdate): ToolCallUpdate | undefined {
  return update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update"
    ? update
    : undefined;
}

/** Terminals of the editor: real processes. */
class Terminals {
  readonly asked: CreateTerminalRequest[] = [];
  readonly #running = new Map<string, { child: ChildProcess; output: string; ended: Promise<unknown[]> }>();

  create(request: CreateTerminalRequest) {
    this.asked.push(request);
    const { command, args = [], cwd, env = [] } = request;
    const more = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const child = spawn(command, args, { ...(cwd && { cwd }), env: { ...process.env, ...more } });
    const running = { child, output: "", ended: once(child, "close") };
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        running.output += chunk;
      });
    const terminalId = `terminal_${this.#running.size + 1}`;
    this.#running.set(terminalId, running);
    return { terminalId };
  }

  async ended(id: string) {
    const [exitCode = null, signal = null] = (await this.#running.get(id)?.ended) ?? [];
    return { exitCode: exitCode as number | null, signal: signal as string | null };
  }

  output(id: string) {
    return { output: this.#running.get(id)?.output ?? "", truncated: false };
  }

  kill(id: string) {
    this.#running.get(id)?.child.kill("SIGKILL");
    return {};
  }
}
