import { type Elicit, theAgent } from "../mcp/elicitation.ts";
import type { McpPerson } from "../mcp/host.ts";
import { ToolRegistry } from "../registry/registry.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Tool } from "../tool/tool.ts";
import { type AskPerson, askPerson, type PersonQuestion } from "../tools/agent/ask-person.ts";

/** The same form that servers' questions are asked with: in the terminal, on the page, by the program, over MCP. */
export function askWith(elicit: () => Elicit | undefined): AskPerson {
  return async (questions, signal) => {
    const ask = elicit();
    if (!ask) return undefined;
    const names = questions.map((_, index) => (questions.length === 1 ? "answer" : `answer${index + 1}`));
    const properties = Object.fromEntries(
      questions.map((question, index) => [names[index] ?? "", fieldFor(question)]),
    );
    const message = questions.map(({ question }) => question).join("\n");
    const schema = { type: "object" as const, properties, required: names };
    const answer = await ask({ server: theAgent, message, schema }, signal);
    if (answer.action !== "accept") return null;
    const content = answer.content ?? {};
    return names.map((name) => String(content[name] ?? ""));
  };
}

function fieldFor({ question, options, multiple }: PersonQuestion) {
  if (!options || options.length === 0) return { type: "string" as const, description: question };
  if (!multiple) return { type: "string" as const, description: question, enum: [...options] };
  return {
    type: "string" as const,
    description: `${question} Several, with commas between: ${options.join(", ")}`,
  };
}

/** `ask_person` for a client of the MCP server: in the client's own form, or else a form at this machine. */
export function personForClients(
  runtimeFor: (registry: ToolRegistry) => Pick<Runtime, "call">,
  here: () => Elicit | undefined,
): McpPerson {
  const toolFor = (elicit: Elicit | undefined) =>
    askPerson(askWith(() => elicit ?? here())) as unknown as Tool;
  let offered: Tool | undefined;
  return {
    /** Made for the first client: other commands have none. */
    get tool() {
      offered ??= toolFor(undefined);
      return offered;
    },
    ask: (input, { elicit, ...options }) => {
      const tool = toolFor(elicit);
      const registry = new ToolRegistry();
      registry.register(tool);
      return runtimeFor(registry).call({ tool: tool.name, input }, options);
    },
  };
}
