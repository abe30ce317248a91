import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";

export const resultForms = ["auto", "text", "structured"] as const;
/** `structured`: text and the whole value; `text`: text alone; `auto`: what does this client's model good. */
export type ResultForm = (typeof resultForms)[number];

/**
 * Clients that hand the model the structured value in place of the text (seen in Claude Code 2.1 and Codex 0.166). They
 * get the text alone: it is made for a model and keeps to its budget, and the value costs a multiple of it.
 */
const readersOfValues = new Set(["claude-code", "codex-mcp-client"]);

export function wantsValues(form: ResultForm, server: Server, { mcpReq }: ServerContext): boolean {
  if (form !== "auto") return form === "structured";
  const declared: Record<string, unknown> = mcpReq.envelope ?? {};
  const client = (declared[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as
    | { name?: string }
    | undefined;
  return !readersOfValues.has(client?.name ?? "");
}
