import type { z } from "zod";
import type { RunCommand } from "../process/process.ts";
import type { Fingerprint, Workspace } from "../workspace/workspace.ts";
import type { Effect } from "./effects.ts";
import type { ToolResult } from "./result.ts";

/** One definition; everything else (catalogues, CLI, forms, reference pages) is derived from it. */
export interface Tool<I = unknown, O = unknown, Given = unknown> {
  readonly name: string;
  readonly title: string;
  /** Read by models. */
  readonly description: string;
  /** How a profile that saves tokens describes it: the parameters that most calls need. All others still work. */
  readonly brief?: { description: string; input: z.ZodType };
  readonly category: string;
  /** Core tools are described to the model from the start; deferred ones are found by searching. */
  readonly loading: "core" | "deferred";
  /** From what a caller may send (`Given`, members with a default left out) to what the tool takes. */
  readonly input: z.ZodType<I, Given>;
  readonly output: z.ZodType<O>;
  readonly examples: readonly Example[];
  /** A skill worth reading before the first use. */
  readonly skill?: string;
  readonly timeoutMs: number;
  /** Tokens of model text; the runtime may set less. */
  readonly budget: number;
  /** Calling it again with the same input changes nothing more. */
  readonly idempotent: boolean;
  /**
   * It depends on more than its effects say, such as the journal or the page in the browser: among calls that are made
   * together it runs after all before it and before all behind it.
   */
  readonly inOrder?: boolean;
  /** What kinds of effect it can have at all, known without an input: for annotations and policy listings. */
  readonly can: readonly Effect["kind"][];

  /** What its results show, where its effects do not say it: only what others wrote, or nothing that was not known before. */
  readonly reveals?: "outside" | "nothing";

  effects(input: I, context: ToolContext): Promise<Effect[]> | Effect[];
  /** The tool's own default, before any rule. */
  approval(effects: readonly Effect[], input: I): "auto" | "ask";
  /** The text that leaves besides the input, such as commits; undefined: more than can be looked at. */
  sends?(input: I, context: ToolContext): Promise<string | undefined>;
  preview?(input: I, context: ToolContext): Promise<Preview>;
  /** The arguments after a person made `content` of the text that was `proposed` for a file. */
  amend?(input: I, path: string, content: string, proposed: string): I;
  /** A person said no to this call: what was kept for it can go. */
  rejected?(input: I): Promise<void>;
  execute(input: I, context: ToolContext): Promise<O>;
  /** A call that completes this one and needs a person's approval: made right after it where somebody is there to ask. */
  readonly followUp?: FollowUp<O>;
  /** Renderings for the model, longest first; the runtime takes the first that fits. */
  render(value: O, input: I): Rendering;
  /** Images for models that see. */
  images?(value: O, input: I): ImagePart[];
  /** Files for the person: kept with the call, shown on the page, saved from there. */
  files?(value: O, input: I): FilePart[];
}

export interface FilePart extends ImagePart {
  name: string;
}

/** A tool of any input and value: what a registry holds side by side. It is used through its schemas. */
// biome-ignore lint/suspicious/noExplicitAny: parameters of a function type are contravariant, `unknown` would fit no tool
export type AnyTool = Tool<any, any, any>;

export interface Example {
  title: string;
  input: Record<string, unknown>;
}

export type Rendering = string | readonly (string | ((budget: number) => string))[];

export interface ImagePart {
  mediaType: string;
  base64: string;
}

export interface ToolContext {
  readonly callId: string;
  /** In which session the call is made; left out where there is none. */
  readonly session?: string;
  /** As this call may see it: hidden paths never appear in listings and walks, and cannot be read. */
  readonly workspace: Workspace;
  /** For paths that a tool has found by other means than the workspace, such as an index. */
  mayRead(path: string): boolean;
  /** What is hidden from this call, topmost first: for a tool that shows the folder itself to a program. */
  hiddenPaths(): Promise<HiddenPaths>;
  readonly run: RunCommand;
  readonly signal: AbortSignal;
  /** What the caller is after, in words: a tool that cannot show everything chooses by it. */
  readonly topic?: string;
  /** Whether a person can answer questions about this call. Omitted: nobody can. */
  readonly attended?: boolean;
  /** States that were approved. A file that is in another state is not changed, whatever the tool does. */
  readonly approved: ReadonlyMap<string, Fingerprint>;
  /** `output`: the last lines that a program has printed so far, for people. */
  progress(message: string, done?: number, total?: number, output?: string): void;
}

export interface FollowUp<O> {
  /** The tool that is called; it is loaded with this one. */
  readonly tool: string;
  /** Undefined when there is nothing to ask. */
  request(value: O): { id: string; input: Record<string, unknown> } | undefined;
  /** The value of the first call, with what became of the second. */
  merge(value: O, answer: ToolResult<unknown>): O;
}

export interface HiddenPath {
  path: string;
  type: "file" | "directory";
}

export interface HiddenPaths extends ReadonlyArray<HiddenPath> {
  /** Whether these are still all: false once something appeared beside them that has to be hidden. */
  isComplete(): Promise<boolean>;
}

/** What a person sees before saying yes. */
export interface Preview {
  summary: string;
  files: FilePreview[];
  /** What the approval is bound to. */
  seen: ReadonlyMap<string, Fingerprint>;
  notes: string[];
}

export interface FilePreview {
  path: string;
  change: "create" | "modify" | "delete" | "move";
  from?: string;
  /** Unified diff for text; empty where there is nothing to compare. */
  diff: string;
  added: number;
  removed: number;
  /** The proposed text, when it is text that a person may edit. */
  proposed?: string;
  /** The text that it would replace; left out where there is no file yet. */
  current?: string;
}
