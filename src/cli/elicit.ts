import { confirm, isCancel, note } from "@clack/prompts";
import type { Elicit, ElicitationAnswer } from "../mcp/elicitation.ts";
import { visibleText } from "../text/visible.ts";
import { fillFields } from "./form.ts";

/** A server's question in the terminal: who asks, the message, then its fields. */
export const elicitInTerminal: Elicit = async ({ server, message, schema }, signal) => {
  note(visibleText(message), `${server} asks`);
  const willing = await confirm({ message: "Answer it?", signal });
  if (isCancel(willing)) return { action: "cancel" };
  if (!willing) return { action: "decline" };
  const content = await fillFields(schema, signal);
  if (content === undefined) return { action: "cancel" };
  return { action: "accept", content } as ElicitationAnswer;
};
