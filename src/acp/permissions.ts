import { type AgentContext, methods, type PermissionOption } from "@agentclientprotocol/sdk";
import type { Answer, Ask, Asker, RememberScope } from "../approval/approval.ts";
import { factLines, reasonBesides } from "../approval/ask-facts.ts";
import { exactly } from "../approval/widths.ts";
import { answerOf, formOf } from "../mcp/approval-form.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";
import { kindOf, locationsOf, proposedDiffs, textContent } from "./tool-calls.ts";

export interface PermissionParts {
  client: AgentContext;
  session: string;
  root: string;
  /** The client shows forms: then proposed text can be edited. */
  forms: boolean;
  toolOf(name: string): Tool | undefined;
  /** The client's id for a call. */
  refOf(callId: string): string;
  /** The client shows the proposed change with the call from here on. Resolves when it has been told of the call. */
  shown(callId: string, diffs: ReturnType<typeof proposedDiffs>): Promise<void>;
}

/** Asks in the editor. Whatever is not a clear yes is a no. */
export function editorAsker(parts: PermissionParts): Asker {
  return async (asks, signal) => {
    const answers: Answer[] = [];
    // One after the other: an editor shows one question at a time, and an answer may make the next one unnecessary.
    for (const ask of asks) {
      try {
        answers.push(await askOne(ask, parts, signal));
      } catch (error) {
        if (signal.aborted) throw error;
        const why = error instanceof Error ? error.message : String(error);
        answers.push({ approved: false, reason: `the editor could not show the question: ${why}` });
      }
    }
    return answers;
  };
}

async function askOne(ask: Ask, parts: PermissionParts, signal: AbortSignal): Promise<Answer> {
  const { client, session: sessionId, root, forms } = parts;
  const toolCallId = parts.refOf(ask.id);
  const diffs = proposedDiffs(ask.preview?.files ?? [], root);
  await parts.shown(ask.id, diffs);
  const notes = ask.preview?.notes ?? [];
  const words = [...factLines(ask), reasonBesides(ask), ask.again, ...notes].filter(
    (text) => text !== undefined,
  );
  const { outcome } = await client.request(
    methods.client.session.requestPermission,
    {
      sessionId,
      toolCall: {
        ...{ toolCallId, status: "pending", rawInput: ask.args },
        title: visibleLine(`${ask.title}: ${ask.preview?.summary ?? ask.reason}`),
        kind: kindOf(ask.tool, parts.toolOf(ask.tool)),
        content: [textContent(visibleText(words.join("\n"))), ...diffs],
        locations: locationsOf(ask.args, root),
      },
      options: optionsFor(ask, forms),
    },
    { cancellationSignal: signal },
  );
  if (outcome.outcome !== "selected")
    return { approved: false, reason: "the question was closed without an answer" };
  switch (outcome.optionId) {
    case "allow":
      return { approved: true };
    case "session":
    case "user":
      return remembered(ask, outcome.optionId);
    case "edit":
      return forms ? edit(ask, toolCallId, parts, signal) : { approved: false };
    default:
      return { approved: false };
  }
}

function optionsFor(ask: Ask, forms: boolean): PermissionOption[] {
  const rules = ask.remember ? visibleLine(exactly(ask.remember)) : "";
  const kept = (ask.remember?.scopes ?? []).map(
    (scope): PermissionOption => ({
      optionId: scope,
      name: `${scope === "session" ? "Allow in this session" : "Always allow"}: ${rules}`,
      kind: "allow_always",
    }),
  );
  const reject: PermissionOption = { optionId: "reject", name: "Reject", kind: "reject_once" };
  const allowing: PermissionOption[] = [
    { optionId: "allow", name: "Allow", kind: "allow_once" },
    ...(forms && ask.amend
      ? [{ optionId: "edit", name: "Edit, then allow", kind: "allow_once" } as const]
      : []),
    ...kept,
  ];
  // Editors mark the first one.
  return ask.warnings.length > 0 ? [reject, ...allowing] : [...allowing, reject];
}

/** Only what was offered: some calls may be remembered for a session, some not at all. */
function remembered({ remember }: Ask, scope: RememberScope): Answer {
  if (!remember?.scopes.includes(scope)) return { approved: false };
  return { approved: true, remember: { rules: remember.rules, scope } };
}

/** The same form as MCP clients get; what comes back starts again at the checks of the call. */
async function edit(
  ask: Ask,
  toolCallId: string,
  parts: PermissionParts,
  signal: AbortSignal,
): Promise<Answer> {
  const { message, requestedSchema } = formOf(ask);
  return answerOf(ask, await showForm(parts, { message, schema: requestedSchema, toolCallId }, signal));
}

/** Questions of the agent and of MCP servers, as a form of the editor. */
export function editorElicit(parts: Pick<PermissionParts, "client" | "session">): Elicit {
  return async ({ server, message, schema }, signal) => {
    const { action, content } = await showForm(
      parts,
      { message: `${visibleLine(server)} asks: ${visibleText(message)}`, schema: visibleLabels(schema) },
      signal,
    );
    if (action !== "accept") return { action };
    return { action, content: (content ?? {}) as Record<string, string> };
  };
}

/** A schema whose words for the person show what they hold; names and values stay, because the answer is made of them. */
function visibleLabels(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(visibleLabels);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (typeof value !== "string") return [key, visibleLabels(value)];
      return [key, key === "title" || key === "description" ? visibleLine(value) : value];
    }),
  );
}

async function showForm(
  { client, session }: Pick<PermissionParts, "client" | "session">,
  { message, schema, toolCallId }: { message: string; schema: unknown; toolCallId?: string },
  signal: AbortSignal,
): Promise<{ action: "accept" | "decline" | "cancel"; content: Record<string, unknown> | undefined }> {
  const answer = await client.request(
    methods.client.elicitation.create,
    {
      ...{ mode: "form", message, sessionId: session, ...(toolCallId !== undefined && { toolCallId }) },
      requestedSchema: schema as never,
    },
    { cancellationSignal: signal },
  );
  const action = answer.action === "accept" || answer.action === "decline" ? answer.action : "cancel";
  const content = "content" in answer ? (answer.content as Record<string, unknown> | null) : undefined;
  return { action, content: content ?? undefined };
}
