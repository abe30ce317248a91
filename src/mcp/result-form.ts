import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";

export const resultForms = ["auto", "text", "structured"] as const;
/** `structured`: text and structured value; `text`: text only; `auto`: depends on the client. */
export type ResultForm = (typeof resultForms)[number];

/**
 * Clients that pass the structured value to the model instead of the text (seen in Claude Code 2.1 and Codex 0.166). They
 * get only the text: it is written for a model and within its budget, and the value would cost a multiple of it.
 */
const readersOfValues = new Set(["claude-code", "codex-mcp-client"]);

export function wantsStructuredValue(form: ResultForm, server: Server, { mcpReq }: ServerContext): boolean {
  if (form !== "auto") return form === "structured";
  const declared: Record<string, unknown> = mcpReq.envelope ?? {};
  const client = (declared[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as
    | { name?: string }
    | undefined;
  return !readersOfValues.has(client?.name ?? "");
}
