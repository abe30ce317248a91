/** A request to Anthropic's Messages API, as far as it is looked at here. */
export interface MessagesRequest {
  model: string;
  max_tokens: number;
  stream?: boolean;
  system?: string | TextBlock[];
  messages: { role: string; content: string | Block[] }[];
  tools?: { name: string; type?: string; description?: string; input_schema?: { type?: string } }[];
  tool_choice?: { type: string };
}

export interface Block {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: unknown;
  is_error?: boolean;
  cache_control?: unknown;
}

type TextBlock = { type: string; text: string; cache_control?: unknown };

const knownVersions = ["2023-06-01", "2026-10-21"];

/**
 * What the documentation of the Messages API says a request must be; each line that does not hold is told, as the real
 * service would refuse it.
 */
export function problemsOf(request: MessagesRequest, headers: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const must = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  // The service's own SDK gives its key as a bearer token, and names a newer version.
  const hasKey =
    typeof headers["x-api-key"] === "string" || /^Bearer \S/.test(String(headers["authorization"]));
  must(hasKey, "x-api-key: header is required");
  must(knownVersions.includes(String(headers["anthropic-version"])), "anthropic-version: header is required");
  must(typeof request.model === "string" && request.model !== "", "model: Field required");
  must(Number.isInteger(request.max_tokens) && request.max_tokens > 0, "max_tokens: Field required");
  must(
    Array.isArray(request.messages) && request.messages.length > 0,
    "messages: at least one message is required",
  );
  for (const block of Array.isArray(request.system) ? request.system : []) {
    must(block.type === "text" && block.text !== "", "system: text blocks must not be empty");
  }
  for (const tool of request.tools ?? []) {
    must(/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name), `tools: ${tool.name} is not a valid name`);
    const custom = tool.type === undefined || tool.type === "custom";
    must(
      !custom || tool.input_schema?.type === "object",
      `tools.${tool.name}: input_schema.type must be "object"`,
    );
  }
  const names = request.tools?.map(({ name }) => name) ?? [];
  must(new Set(names).size === names.length, "tools: names must be unique");
  must(
    (JSON.stringify(request).match(/"cache_control"/g) ?? []).length <= 4,
    "at most 4 blocks with cache_control",
  );
  return [...problems, ...problemsOfMessages(request.messages ?? [])];
}

function problemsOfMessages(messages: MessagesRequest["messages"]): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (role !== "user" && role !== "assistant")
      problems.push(`messages.${index}: role ${role} is not allowed`);
    if (index === 0 && role !== "user") problems.push("messages.0: the first message must be the user's");
    if (blocks.length === 0) problems.push(`messages.${index}: content must not be empty`);
    if (blocks.some((block) => block.type === "text" && !block.text?.trim())) {
      problems.push(`messages.${index}: text content blocks must contain non-whitespace text`);
    }
    const results = blocks.flatMap((block) =>
      block.type === "tool_result" ? [block.tool_use_id ?? ""] : [],
    );
    const missing = open.filter((id) => !results.includes(id));
    if (role === "user" && missing.length > 0) {
      problems.push(
        `messages.${index}: tool_use ids were found without tool_result blocks immediately after: ${missing}`,
      );
    }
    const stray = results.filter((id) => !open.includes(id));
    if (stray.length > 0)
      problems.push(`messages.${index}: unexpected tool_use_id in tool_result blocks: ${stray}`);
    const other = blocks.findIndex((block) => block.type !== "tool_result");
    if (other >= 0 && other < results.length)
      problems.push(`messages.${index}: tool_result blocks must come first`);
    open = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id ?? ""] : []));
    if (
      blocks.some(
        (block) => block.type === "tool_use" && (block.input === null || typeof block.input !== "object"),
      )
    ) {
      problems.push(`messages.${index}: tool_use.input must be an object`);
    }
  }
  return problems;
}
