import { type Attributes, attributesText, spanHead } from "./otlp.ts";

/** Names of tools come from models. */
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
  #inSession = "";
  /** Of the span of a call. */
  readonly head: string;

  constructor(tool: string) {
    this.#tool = tool;
    this.head = spanHead(`execute_tool ${tool}`, "internal");
  }

  /** The attributes of the span of a call. Most calls follow one of the same session. */
  in(session: string): string {
    if (this.#session === session) return this.#inSession;
    this.#session = session;
    this.#inSession = attributesText({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": this.#tool,
      "gen_ai.tool.type": "function",
      "gen_ai.conversation.id": session,
    });
    return this.#inSession;
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
