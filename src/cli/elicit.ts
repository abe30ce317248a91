import { confirm, isCancel, note } from "@clack/prompts";
import { type Elicit, type ElicitationAnswer, theAgent } from "../mcp/elicitation.ts";
import { visibleText } from "../text/visible.ts";
import { fillFields } from "./form.ts";

type Schema = Parameters<typeof fillFields>[0];

/** A server's question in the terminal: who asks, the message, then its fields. */
export const elicitInTerminal: Elicit = async ({ server, message, schema }, signal) => {
  note(visibleText(message), `${server} asks`);
  // A line break alone agrees to nothing that a server asks: it may have a consequence.
  const isOfAgent = server === theAgent;
  const willing = await confirm({ message: "Answer it?", initialValue: isOfAgent, signal });
  if (isCancel(willing)) return { action: "cancel" };
  if (!willing) return { action: "decline" };
  const content = await fillFields(isOfAgent ? schema : withoutConsent(schema), signal);
  if (content === undefined) return { action: "cancel" };
  return { action: "accept", content } as ElicitationAnswer;
};

/** Where the server itself proposes an answer among several, a person chooses it; a line break is not that choice. */
function withoutConsent(schema: Schema): Schema {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { default: _, ...rest } = field;
    return [name, field.type === "boolean" || field.enum ? rest : field];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}
