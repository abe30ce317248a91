import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import type { LogData } from "../agent/log.ts";
import type { Tool } from "../tool/tool.ts";
import { planUpdate } from "./plan.ts";
import { kindOf, locationsOf, textContent, titleOf } from "./tool-calls.ts";

/** A session's log as the updates that a client received at the time. */
export function updatesOf(
  entries: readonly LogData[],
  root: string,
  toolOf: (name: string) => Tool | undefined,
): SessionUpdate[] {
  return entries.flatMap((entry): SessionUpdate[] => {
    if (entry.kind === "user") return said(entry);
    if (entry.kind === "step") return [...spoken(entry), ...calls(entry, root, toolOf)];
    if (entry.kind === "results") return entry.results.flatMap(resultUpdates);
    return [];
  });
}

type Step = Extract<LogData, { kind: "step" }>;
type Result = Extract<LogData, { kind: "results" }>["results"][number];

/** The message with its images; an attached text, which may be long, by its name. */
function said({ text, attachments = [] }: Extract<LogData, { kind: "user" }>): SessionUpdate[] {
  const blocks = attachments.map((attached): ContentBlock => {
    const { name, mediaType } = attached;
    return "base64" in attached && mediaType.startsWith("image/")
      ? { type: "image", data: attached.base64, mimeType: mediaType }
      : textBlock(`\n(attached: ${name})`);
  });
  return [...(text === "" ? [] : [textBlock(text)]), ...blocks].map((content) => ({
    sessionUpdate: "user_message_chunk",
    content,
  }));
}

function spoken({ messages }: Step): SessionUpdate[] {
  return messages.flatMap(({ role, content }): SessionUpdate[] => {
    if (role !== "assistant") return [];
    const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    return parts.flatMap((part): SessionUpdate[] => {
      if (part.type === "text")
        return [{ sessionUpdate: "agent_message_chunk", content: textBlock(part.text) }];
      if (part.type === "reasoning")
        return [{ sessionUpdate: "agent_thought_chunk", content: textBlock(part.text) }];
      return [];
    });
  });
}

function calls(
  { calls: made }: Step,
  root: string,
  toolOf: (name: string) => Tool | undefined,
): SessionUpdate[] {
  return made.map(({ ref, tool, input }) => ({
    ...{ sessionUpdate: "tool_call", toolCallId: ref, status: "pending", name: tool, rawInput: input },
    title: titleOf(tool, input, toolOf(tool)),
    kind: kindOf(tool, toolOf(tool)),
    locations: locationsOf(input, root),
  }));
}

function resultUpdates({ ref, ok, text, plan }: Result): SessionUpdate[] {
  return [
    {
      ...{ sessionUpdate: "tool_call_update", toolCallId: ref, status: ok ? "completed" : "failed" },
      content: [textContent(text)],
    },
    ...(plan ? [planUpdate(plan)] : []),
  ];
}

function textBlock(text: string) {
  return { type: "text" as const, text };
}
