import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type GetPromptResult,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { AnyTool } from "../tool/tool.ts";
import { HeldCalls } from "./held-calls.ts";
import type { McpHost } from "./host.ts";
import type { Mcp } from "./server.ts";
import { callTool, catalogueOf, runCallFor } from "./server-calls.ts";

// The official conformance suite calls tools, resources and prompts that it prescribes. Those that a Wield tool can be are
// Wield tools and run through the whole pipeline; the others stand beside it and show that the transport carries them.

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image", data: pixel, mimeType: "image/png" } as const;
const text = (said: string) => ({ type: "text", text: said }) as const;

const plain = {
  category: "Test",
  description: "For conformance.",
  input: z.object({}),
  output: z.object({}),
};

/** As tools of Wield. */
export const conformanceTools = (registry: () => ToolRegistry): AnyTool[] => [
  defineTool({
    ...plain,
    name: "test_simple_text",
    title: "Text",
    execute: async () => ({}),
    render: () => "This is a simple text response for testing.",
  }),
  defineTool({
    ...plain,
    name: "test_image_content",
    title: "Image",
    execute: async () => ({}),
    images: () => [{ mediaType: "image/png", base64: pixel }],
  }),
  defineTool({
    ...plain,
    name: "test_error_handling",
    title: "Error",
    execute: async () => {
      throw new Failure("EXECUTION_ERROR", "This tool intentionally returns an error for testing");
    },
  }),
  defineTool({
    ...plain,
    name: "test_tool_with_progress",
    title: "Progress",
    execute: async (_input, { progress }) => {
      for (const done of [0, 50, 100]) progress(`${done} of 100`, done, 100);
      return {};
    },
  }),
  defineTool({
    ...plain,
    name: "test_logging_tool",
    title: "Logging",
    execute: async (_input, { progress }) => {
      progress("working");
      return {};
    },
  }),
  defineTool({
    ...plain,
    name: "test_streaming_elicitation",
    title: "Approval",
    approval: "ask",
    execute: async () => ({}),
  }),
  defineTool({
    ...plain,
    name: "test_trigger_tool_change",
    title: "Change the tools",
    execute: async () => {
      registry().register(
        defineTool({ ...plain, name: "test_later", title: "Later", execute: async () => ({}) }),
      );
      registry().unregister("test_later");
      return {};
    },
  }),
];

type Handler<T> = (
  args: Record<string, string>,
  context: ServerContext,
) => T | InputRequiredResult | Promise<T | InputRequiredResult>;

const states = createRequestStateCodec<{ step: number }>({ key: "a key of at least thirty-two bytes!" });
const form = (message: string, properties: ElicitRequestFormParams["requestedSchema"]["properties"]) => ({
  message,
  requestedSchema: { type: "object" as const, properties, required: Object.keys(properties) },
});
const nameForm = inputRequired.elicit(form("What is your name?", { name: { type: "string" } }));
const given = (context: ServerContext, key: string) => acceptedContent(context.mcpReq.inputResponses, key);
const question = (asked: string) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: text(asked) }], maxTokens: 100 });
const said = (...content: CallToolResult["content"]): CallToolResult => ({ content });

/** Asks for `key` until it is answered. */
function asking(key: string, request: InputRequest, state?: number): Handler<CallToolResult> {
  return async (_args, context) => {
    const answer = given(context, key);
    const known = context.mcpReq.requestState<{ step: number }>()?.step;
    if (answer && (state === undefined || known === state)) {
      return said(text(`Hello, ${answer["name"]}! ${known === state ? "state-ok" : ""}`));
    }
    const requestState =
      state === undefined ? {} : { requestState: await states.mint({ step: state }, context) };
    return inputRequired({ inputRequests: { [key]: request }, ...requestState });
  };
}

function elicits(
  properties: ElicitRequestFormParams["requestedSchema"]["properties"],
): Handler<CallToolResult> {
  return async ({ message = "Please fill in" }, context) => {
    const { action, content } = await context.mcpReq.elicitInput(form(message, properties), {
      relatedRequestId: context.mcpReq.id,
    });
    return said(text(`action=${action}, content=${JSON.stringify(content)}`));
  };
}

/** Asks until every key has some response, of whatever kind, and repeats the responses. */
function collecting(requests: (args: Record<string, string>) => InputRequests): Handler<CallToolResult> {
  return async (args, context) => {
    const inputRequests = requests(args);
    const responses = context.mcpReq.inputResponses ?? {};
    const complete = Object.keys(inputRequests).every(
      (key) => inputResponse(responses, key).kind !== "missing",
    );
    if (complete) return said(text(JSON.stringify(responses)));
    return inputRequired({ inputRequests, requestState: await states.mint({ step: 1 }, context) });
  };
}

const tools: Record<string, Handler<CallToolResult>> = {
  test_sampling: collecting(({ prompt = "" }) => ({ answer: question(prompt) })),
  test_missing_capability: collecting(() => ({ answer: question("Anything?") })),
  test_input_required_result_sampling: collecting(() => ({
    capital_question: question("What is the capital of France?"),
  })),
  test_input_required_result_list_roots: collecting(() => ({ client_roots: inputRequired.listRoots() })),
  test_input_required_result_multiple_inputs: collecting(() => ({
    user_name: nameForm,
    greeting: question("Generate a greeting"),
    client_roots: inputRequired.listRoots(),
  })),
  test_input_required_result_capabilities: collecting(() => ({ greeting: question("Generate a greeting") })),
  test_audio_content: () =>
    said({ type: "audio", data: Buffer.from("RIFF").toString("base64"), mimeType: "audio/wav" }),
  test_embedded_resource: () =>
    said({
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    }),
  test_multiple_content_types: () =>
    said(text("Multiple content types test:"), image, {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: `{"test":"data","value":123}`,
      },
    }),
  test_elicitation: elicits({ username: { type: "string" }, email: { type: "string" } }),
  test_elicitation_sep1034_defaults: elicits({
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  test_elicitation_sep1330_enums: elicits({
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled("First Option", "Second Option") },
    legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice") } },
  }),
  test_input_required_result_elicitation: asking("user_name", nameForm),
  test_input_required_result_request_state: asking(
    "confirm",
    inputRequired.elicit(form("Please confirm", { ok: { type: "boolean" } })),
    1,
  ),
  test_input_required_result_tampered_state: asking(
    "confirm",
    inputRequired.elicit(form("Please confirm", { ok: { type: "boolean" } })),
    1,
  ),
  test_input_required_result_multi_round: async (_args, context) => {
    const step = context.mcpReq.requestState<{ step: number }>()?.step ?? 0;
    if (step === 2 && given(context, "step2")) return said(text("Done."));
    const next = step === 1 && given(context, "step1") ? 2 : 1;
    const ask = next === 1 ? { name: { type: "string" as const } } : { color: { type: "string" as const } };
    return inputRequired({
      inputRequests: { [`step${next}`]: inputRequired.elicit(form(`Step ${next}`, ask)) },
      requestState: await states.mint({ step: next }, context),
    });
  },
};

const prompts: Record<string, Handler<GetPromptResult>> = {
  test_simple_prompt: () => ({
    messages: [{ role: "user", content: text("This is a simple prompt for testing.") }],
  }),
  test_prompt_with_arguments: ({ arg1, arg2 }) => ({
    messages: [{ role: "user", content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
  }),
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => ({
    messages: [
      {
        role: "user",
        content: {
          type: "resource",
          resource: {
            uri: resourceUri,
            mimeType: "text/plain",
            text: "Embedded resource content for testing.",
          },
        },
      },
      { role: "user", content: text("Please process the embedded resource above.") },
    ],
  }),
  test_prompt_with_image: () => ({
    messages: [
      { role: "user", content: image },
      { role: "user", content: text("Please analyze the image above.") },
    ],
  }),
  test_input_required_result_prompt: (_args, context) => {
    const answer = given(context, "user_context");
    if (answer) return { messages: [{ role: "user", content: text(`Context: ${answer["context"]}`) }] };
    const ask = inputRequired.elicit(
      form("What context should the prompt use?", { context: { type: "string" } }),
    );
    return inputRequired({ inputRequests: { user_context: ask } });
  },
};

const resources: Record<string, { mimeType: string } & ({ text: string } | { blob: string })> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: pixel },
};

/** Wield's server with what the suite wants beside Wield's own tools. */
export function conformanceMcp(host: McpHost): Mcp {
  const held = new HeldCalls();
  const catalogue = catalogueOf(host);
  return {
    onToolsChange: (listener) => host.tools.registry.onChange(listener),
    close: async () => held.close(),
    build: (era) => {
      const server = new Server(
        { name: "wield-conformance", version: "1" },
        {
          capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, completions: {} },
          requestState: {
            verify: (state, context) => (held.open(state) ? undefined : states.verify(state, context)),
          },
        },
      );
      const run = runCallFor(host, held, server, era);
      server.setRequestHandler("tools/list", async () => ({
        tools: [
          ...(await catalogue.list(true)).tools,
          ...Object.keys(tools).map((name) => ({
            name,
            description: "For conformance.",
            inputSchema: { type: "object" as const },
          })),
        ],
      }));
      server.setRequestHandler("tools/call", ({ params }, context) => {
        const { name, arguments: args = {} } = params;
        return (
          tools[name]?.(args as Record<string, string>, context) ??
          callTool({ run, server, catalogue, form: "structured" }, params, context)
        );
      });
      server.setRequestHandler("prompts/list", () => ({
        prompts: Object.keys(prompts).map((name) => ({ name, description: "For conformance." })),
      }));
      server.setRequestHandler("prompts/get", ({ params }, context) => {
        const prompt = prompts[params.name];
        if (!prompt) throw new ResourceNotFoundError(params.name);
        return prompt(params.arguments ?? {}, context);
      });
      server.setRequestHandler("resources/list", () => ({
        resources: Object.keys(resources).map((uri) => ({ uri, name: uri })),
      }));
      server.setRequestHandler("resources/templates/list", () => ({
        resourceTemplates: [{ name: "template", uriTemplate: "test://template/{id}/data" }],
      }));
      server.setRequestHandler("resources/read", ({ params: { uri } }) => {
        const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
        const content = id
          ? {
              mimeType: "application/json",
              text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
            }
          : resources[uri];
        if (!content) throw new ResourceNotFoundError(uri);
        return { contents: [{ uri, ...content }] };
      });
      server.setRequestHandler("completion/complete", () => ({ completion: { values: [] } }));
      return server;
    },
  };
}

function titled(...titles: string[]): { const: string; title: string }[] {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }));
}
