import type { z } from "zod";
import { diffTexts } from "../text/diff.ts";
import { readBothTexts } from "../text/encoding.ts";
import { protectedFirst } from "../workspace/protected-first.ts";
import type { Change, FileOperation, Fingerprint, Plan, PlannedFile } from "../workspace/workspace.ts";
import { defineTool, type ToolDefinition } from "./define-tool.ts";
import type { Effect } from "./effects.ts";
import type { FilePreview, Preview, Tool, ToolContext } from "./tool.ts";

/** Operations, and what person and model should know of how they were found. */
export interface NotedOperations {
  operations: FileOperation[];
  notes: string[];
  /** Edits of parts of files, and whether each was found as it was given. */
  edits?: { count: number; files: number; exact: boolean };
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
  /** `wanted`: what the change was made from. */
  value(change: Change, input: z.output<I>, wanted: NotedOperations): z.output<O> | Promise<z.output<O>>;
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
      const preview = await previewOf(await describe(input), plan);
      return present({ ...preview, notes: [...preview.notes, ...notes] }, input);
    },
    execute: async (input, context) => {
      const wanted = await wantedOf(input, context);
      const description = await describe(input);
      const by = { callId: context.callId, tool: definition.name, description };
      return value(await context.workspace.apply(wanted.operations, by), input, wanted);
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

export async function previewOf(summary: string, plan: Plan): Promise<Preview> {
  const notes = plan.undoable ? [] : ["Too large for the journal: this change cannot be undone."];
  const texts = new Map<PlannedFile, Texts>();
  for (const file of plan.files) texts.set(file, await textsOf(file));
  const withTexts = (file: PlannedFile) => [file, texts.get(file) ?? {}] as const;
  notes.push(...plan.files.flatMap((file) => besidesDiff(...withTexts(file))));
  // A folder that is created or removed with its contents needs no separate preview.
  const parents = new Set(plan.files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  const shown = protectedFirst(plan.files.filter(({ path }) => !parents.has(path)));
  const files = shown.map((file) => previewFile(...withTexts(file)));
  return { summary, files, seen: plan.seen, notes };
}

/** What a change does that no diff shows: a person must not take an empty diff for an empty change. */
function besidesDiff({ path, before, after }: PlannedFile, texts: Texts): string[] {
  if (before === after) return [];
  if (after.startsWith("link:")) return [`${path} becomes a link to ${after.slice("link:".length)}`];
  const [kind, mode, content] = after.split(":");
  const [, modeBefore, contentBefore] = before.split(":");
  if (kind !== "file") return [];
  if (content === contentBefore) return [`the mode of ${path} changes from ${modeBefore} to ${mode}`];
  const isShown = texts.before !== undefined && texts.after !== undefined;
  return isShown ? [] : [`what changes in ${path} is not shown: it is not text, or too large`];
}

function previewFile(file: PlannedFile, { before, after }: Texts): FilePreview {
  const base = { path: file.path, change: file.change, ...(file.from !== undefined && { from: file.from }) };
  if (before === undefined || after === undefined) return { ...base, diff: "", added: 0, removed: 0 };
  const diff = diffTexts(file.path, before, after, { maxCharacters: Number.POSITIVE_INFINITY });
  return {
    ...base,
    ...diff,
    ...(after !== null && file.change !== "move" && { proposed: after }),
    ...(before !== null && { current: before }),
  };
}

/** Of each side: null where there is no file, undefined where it is not text or too large to show. */
interface Texts {
  before?: string | null | undefined;
  after?: string | null | undefined;
}

async function textsOf({ before, after, beforeBytes, afterBytes }: PlannedFile): Promise<Texts> {
  const [old, now] = await readBothTexts(beforeBytes, afterBytes);
  const shown = (state: Fingerprint, text: string | null | undefined) =>
    state === "absent" ? null : (text ?? undefined);
  return { before: shown(before, old), after: shown(after, now) };
}
