import type { z } from "zod";
import { diffTexts } from "../text/diff.ts";
import { protectedFirst } from "../workspace/protected-first.ts";
import type { Change, FileOperation, Fingerprint, Plan, PlannedFile } from "../workspace/workspace.ts";
import { defineTool, type ToolDefinition } from "./define-tool.ts";
import type { Effect } from "./effects.ts";
import type { FilePreview, Preview, Tool, ToolContext } from "./tool.ts";

/** Operations, and what person and model should know of how they were found. */
export interface NotedOperations {
  operations: FileOperation[];
  notes: string[];
}
type Wanted = FileOperation[] | NotedOperations;

/**
 * A tool that changes files says only which operations it wants. Effects, preview and execution all come from that one
 * plan, so what is shown, what is judged and what is done cannot differ.
 */
export type ChangeToolDefinition<I extends z.ZodType, O extends z.ZodType> = Omit<
  ToolDefinition<I, O>,
  "effects" | "preview" | "execute" | "can"
> & {
  operations(input: z.output<I>, context: ToolContext): Promise<Wanted> | Wanted;
  /** One line for the journal and for the person: what and why. */
  describe(input: z.output<I>): string | Promise<string>;
  /** `notes`: those that came with the operations. */
  value(change: Change, input: z.output<I>, notes: readonly string[]): z.output<O> | Promise<z.output<O>>;
  /** What a person is shown, where the plain list of files is not it. */
  present?(preview: Preview, input: z.output<I>): Preview | Promise<Preview>;
};

export function defineChangeTool<I extends z.ZodType, O extends z.ZodType>(
  definition: ChangeToolDefinition<I, O>,
): Tool<z.output<I>, z.output<O>, z.input<I>> {
  const { operations, describe, value, present = (preview) => preview, ...rest } = definition;
  // Effects and preview of one preparation share one plan: the runtime makes a context per preparation.
  const plans = new WeakMap<ToolContext, Promise<{ plan: Plan; notes: string[] }>>();
  const wantedOf = async (input: z.output<I>, context: ToolContext): Promise<NotedOperations> => {
    const wanted = await operations(input, context);
    return Array.isArray(wanted) ? { operations: wanted, notes: [] } : wanted;
  };
  const planFor = (input: z.output<I>, context: ToolContext) => {
    const known = plans.get(context);
    if (known !== undefined) return known;
    const made = (async () => {
      const wanted = await wantedOf(input, context);
      return { plan: await context.workspace.plan(wanted.operations), notes: wanted.notes };
    })();
    plans.set(context, made);
    return made;
  };
  return defineTool<I, O>({
    ...rest,
    can: ["write", "delete"],
    effects: async (input, context) => effectsOf((await planFor(input, context)).plan),
    preview: async (input, context) => {
      const { plan, notes } = await planFor(input, context);
      const preview = previewOf(await describe(input), plan);
      return present({ ...preview, notes: [...preview.notes, ...notes] }, input);
    },
    execute: async (input, context) => {
      const wanted = await wantedOf(input, context);
      const description = await describe(input);
      const by = { callId: context.callId, tool: definition.name, description };
      return value(await context.workspace.apply(wanted.operations, by), input, wanted.notes);
    },
  });
}

export function effectsOf(plan: Plan): Effect[] {
  const lasting = plan.undoable ? {} : { lasting: true as const };
  return plan.files.flatMap((file): Effect[] => {
    if (file.change === "delete") return [{ kind: "delete", path: file.path, ...lasting }];
    // Of a move, `before` is what is moved; what it would replace is what was seen at its target.
    const replaces = (plan.seen.get(file.path) ?? file.before) !== "absent";
    const { path, from } = file;
    return file.change === "move" && from !== undefined
      ? [
          { kind: "delete", path: from, ...lasting },
          { kind: "write", path, replaces, from, ...lasting },
        ]
      : [{ kind: "write", path, replaces, ...lasting }];
  });
}

export function previewOf(summary: string, plan: Plan): Preview {
  const notes = plan.undoable ? [] : ["Too large for the journal: this change cannot be undone."];
  notes.push(...plan.files.flatMap(besidesDiff));
  // A folder that is created or removed with its contents needs no separate preview.
  const parents = new Set(plan.files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  const files = protectedFirst(plan.files.filter(({ path }) => !parents.has(path))).map(previewFile);
  return { summary, files, seen: plan.seen, notes };
}

/** What a change does that no diff shows: a person must not take an empty diff for an empty change. */
function besidesDiff({ path, before, after, beforeBytes, afterBytes }: PlannedFile): string[] {
  if (before === after) return [];
  if (after.startsWith("link:")) return [`${path} becomes a link to ${after.slice("link:".length)}`];
  const [kind, mode, content] = after.split(":");
  const [, modeBefore, contentBefore] = before.split(":");
  if (kind !== "file") return [];
  if (content === contentBefore) return [`the mode of ${path} changes from ${modeBefore} to ${mode}`];
  const isShown = textOf(before, beforeBytes) !== undefined && textOf(after, afterBytes) !== undefined;
  return isShown ? [] : [`what changes in ${path} is not shown: it is not text, or too large`];
}

function previewFile(file: PlannedFile): FilePreview {
  const base = { path: file.path, change: file.change, ...(file.from !== undefined && { from: file.from }) };
  const before = textOf(file.before, file.beforeBytes);
  const after = textOf(file.after, file.afterBytes);
  if (before === undefined || after === undefined) return { ...base, diff: "", added: 0, removed: 0 };
  const diff = diffTexts(file.path, before, after, { maxCharacters: Number.POSITIVE_INFINITY });
  return {
    ...base,
    ...diff,
    ...(after !== null && file.change !== "move" && { proposed: after }),
    ...(before !== null && { current: before }),
  };
}

/** The text of one side; null where there is no file, undefined where it is not text or too large to show. */
function textOf(state: Fingerprint, bytes: Buffer | null): string | null | undefined {
  if (state === "absent") return null;
  try {
    return !bytes || bytes.includes(0) ? undefined : strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
