import type { z } from "zod";
import type { Effect } from "./effects.ts";
import type {
  Example,
  FilePart,
  FollowUp,
  ImagePart,
  Preview,
  Rendering,
  Tool,
  ToolContext,
} from "./tool.ts";

/** What the author of a tool writes; everything with a sensible default may be left out. */
export interface ToolDefinition<I extends z.ZodType, O extends z.ZodType> {
  name: string;
  title: string;
  description: string;
  brief?: { description: string; input: z.ZodType };
  category: string;
  loading?: "core" | "deferred";
  input: I;
  output: O;
  examples?: Example[];
  skill?: string;
  timeoutMs?: number;
  budget?: number;
  idempotent?: boolean;
  inOrder?: boolean;
  /** Kinds of effect it can have; default: none, a tool that only looks at its own input. */
  can?: Effect["kind"][];
  /** What its results show, where its effects do not say it. Left out: of a tool without effects, private data. */
  reveals?: "outside" | "nothing";
  effects?(input: z.output<I>, context: ToolContext): Promise<Effect[]> | Effect[];
  /** A fixed default, or one that depends on the effects. Left out: reading and records are auto, all else asks. */
  approval?: "auto" | "ask" | ((effects: readonly Effect[], input: z.output<I>) => "auto" | "ask");
  sends?(input: z.output<I>, context: ToolContext): Promise<string | undefined>;
  preview?(input: z.output<I>, context: ToolContext): Promise<Preview>;
  amend?(input: z.output<I>, path: string, content: string, proposed: string): z.output<I>;
  rejected?(input: z.output<I>): Promise<void>;
  execute(input: z.output<I>, context: ToolContext): Promise<z.output<O>>;
  followUp?: FollowUp<z.output<O>>;
  render?(value: z.output<O>, input: z.output<I>): Rendering;
  images?(value: z.output<O>, input: z.output<I>): ImagePart[];
  files?(value: z.output<O>, input: z.output<I>): FilePart[];
}

/** Default tokens of model text a call. */
export const defaultBudget = 8000;
const defaultTimeoutMs = 60_000;

export function defineTool<I extends z.ZodType, O extends z.ZodType>(
  definition: ToolDefinition<I, O>,
): Tool<z.output<I>, z.output<O>, z.input<I>> {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(definition.name)) {
    throw new TypeError(`Tool name ${JSON.stringify(definition.name)}: use 1 to 64 letters, digits, _ or -.`);
  }
  const { approval } = definition;
  return {
    loading: "core",
    examples: [],
    timeoutMs: defaultTimeoutMs,
    budget: defaultBudget,
    idempotent: false,
    can: [],
    effects: () => [],
    render: (value: z.output<O>) => JSON.stringify(value, null, 2) ?? "null",
    ...definition,
    approval: typeof approval === "function" ? approval : (effects) => approval ?? cautious(effects),
  } as Tool<z.output<I>, z.output<O>, z.input<I>>;
}

function cautious(effects: readonly Effect[]): "auto" | "ask" {
  return effects.every((e) => e.kind === "read" || e.kind === "record") ? "auto" : "ask";
}
