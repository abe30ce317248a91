import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { effectsOf, previewOf } from "../../tool/change-tool.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Reversal, Which } from "../../workspace/workspace.ts";

const input = z.object({
  steps: z.int().min(1).max(1000).optional().describe("How many changes, the newest first (default 1)"),
  changeId: z
    .union([z.string(), z.array(z.string()).min(1).max(1000)])
    .optional()
    .describe("One certain change instead, or a list of them; the beginning of an id is enough"),
});

const output = z.object({
  restored: z.array(z.object({ changeId: z.string(), description: z.string(), paths: z.array(z.string()) })),
});

/** Named in the text of one change; the value has all. */
const mostPaths = 10;

/** `undo` and `redo` are one tool in two directions. */
export function reversalTool(
  direction: "undo" | "redo",
  words: { title: string; description: string; brief: string; done: string },
) {
  const plans = new WeakMap<ToolContext, Promise<Reversal>>();
  const planFor = (given: z.infer<typeof input>, context: ToolContext) => {
    const known = plans.get(context);
    if (known !== undefined) return known;
    const made = context.workspace.planReversal(direction, which(given));
    plans.set(context, made);
    return made;
  };
  return defineTool({
    name: direction,
    title: words.title,
    description: words.description,
    brief: {
      description: words.brief,
      input: z.object({ steps: z.int().optional(), changeId: z.string().optional() }),
    },
    category: "Editing",
    input,
    output,
    can: ["write", "delete"],
    // Which change is the newest depends on every call before.
    inOrder: true,
    approval: "ask",
    effects: async (given, context) => effectsOf((await planFor(given, context)).plan),
    preview: async (given, context) => {
      const { changes, plan } = await planFor(given, context);
      return previewOf(`${direction} ${changes.map((change) => change.description).join("; ")}`, plan);
    },
    execute: async (given, { workspace, callId }) => {
      const by = { callId, tool: direction, description: direction };
      const changes = await workspace.reverse(direction, which(given), by);
      return {
        restored: changes.map(({ id, description, files }) => ({
          changeId: id,
          description,
          paths: files.map((file) => file.path),
        })),
      };
    },
    render: ({ restored }) =>
      restored
        .map(({ changeId, description, paths }) => {
          const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : "";
          const shown = paths.slice(0, mostPaths).join(", ");
          return `${words.done} ${changeId}: ${description} (${shown}${more})`;
        })
        .join("\n"),
    examples: [{ title: "The last change", input: {} }],
  });
}

function which({ steps, changeId }: z.infer<typeof input>): Which {
  if (changeId !== undefined && steps !== undefined) {
    throw new Failure("INVALID_INPUT", "Give either steps or changeId, not both.");
  }
  if (changeId === undefined) return { steps: steps ?? 1 };
  // As results print it: `change 1a2b3c4d`, `undo 1a2b3c4d`.
  const plain = [changeId].flat().map((id) => id.replace(/^(?:change|undo|redo) /, ""));
  return { changeId: plain };
}
