import { confirm, isCancel, note } from "@clack/prompts";
import type { Elicit, ElicitationAnswer } from "../mcp/connection.ts";
import { visibleText } from "../text/visible.ts";
import { fillFields } from "./form.ts";

/** A server's question in the terminal: who asks and what, then its fields. */
export const elicitInTerminal: Elicit = async ({ server, message, schema }) => {
  note(visibleText(message), `${server} asks`);
  const willing = await confirm({ message: "Answer it?" });
  if (isCancel(willing)) return { action: "cancel" };
  if (!willing) return { action: "decline" };
  const content = await fillFields(schema);
  if (content === undefined) return { action: "cancel" };
  return { action: "accept", content } as ElicitationAnswer;
};
