import { type Attributes, attributesText, spanHead } from "./otlp.ts";

/** Servers and files may bring any number of tools. */
const mostTools = 256;

/** What spans and metrics of each tool have in common, made once. */
export class ToolShapes {
  readonly #known = new Map<string, ToolShape>();

  of(tool: string): ToolShape {
    const known = this.#known.get(tool);
    if (known) return known;
    if (this.#known.size === mostTools) this.#known.clear();
    const shape = new ToolShape(tool);
    this.#known.set(tool, shape);
    return shape;
  }
}

class ToolShape {
  readonly #tool: string;
  readonly #durations = new Map<string | undefined, Attributes>();
  #session: string | undefined;
  #approval: string | undefined;
  #beginning = "";

  constructor(tool: string) {
    this.#tool = tool;
  }

  /** The span of a call up to the id of the call. Most calls follow one like them. */
  beginning(session: string, approval: string | undefined): string {
    if (this.#session === session && this.#approval === approval) return this.#beginning;
    const attributes = attributesText({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": this.#tool,
      "gen_ai.tool.type": "function",
      "gen_ai.conversation.id": session,
      "wield.approval": approval,
    });
    this.#session = session;
    this.#approval = approval;
    this.#beginning = `{${spanHead(`execute_tool ${this.#tool}`, "internal")},"attributes":[${attributes},{"key":"gen_ai.tool.call.id","value":{"stringValue":`;
    return this.#beginning;
  }

  /** The attributes of a duration. */
  duration(error: string | undefined): Attributes {
    const known = this.#durations.get(error);
    if (known) return known;
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.provider.name": "wield",
      "gen_ai.tool.name": this.#tool,
      "error.type": error,
    };
    this.#durations.set(error, attributes);
    return attributes;
  }
}
