import type { Answer, Asker } from "../approval/approval.ts";
import type { Judgement, Policy } from "../approval/decide.ts";
import type { Grant } from "../approval/grant.ts";
import type { FlowControl } from "../approval/provenance.ts";
import type { Rule } from "../approval/rules.ts";
import type { ApprovalOutcome, CallFile, CallRecord, WieldEvent } from "../events/events.ts";
import type { ToolError } from "../failure/failure.ts";
import type { RunCommand } from "../process/process.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { PendingApproval, Reach, Store } from "../store/store.ts";
import type { Effect } from "../tool/effects.ts";
import type { ToolResult } from "../tool/result.ts";
import type { ImagePart, Preview, Tool, ToolContext } from "../tool/tool.ts";
import type { Change, Fingerprint, Workspace } from "../workspace/workspace.ts";

/** What the runtime is given; it creates none of it. */
export interface RuntimeParts {
  registry: ToolRegistry;
  workspace: Workspace;
  run: RunCommand;
  store: Store;
  session: string;
  /** The rules and the mode in force now in a session; they may change between two calls. */
  policy(session: string): Policy | Promise<Policy>;
  /** Left out: what leaves is not watched. */
  flow?: FlowControl;
  /** Undefined: nobody is there to ask. */
  asker(): Asker | undefined;
  remember(rules: readonly Rule[], scope: "session" | "user", session: string): Promise<void>;
  /** Why a tool cannot be used now, for the model; undefined when it can. */
  disabled(tool: Tool): string | undefined;
  /** Why a tool that is not in the registry cannot be used here; undefined: there is none of that name. */
  elsewhere?(name: string): string | undefined;
  emit(event: WieldEvent): void;
  /** Commands of the person before and after calls. */
  hooks?: CallHooks;
  /** Notices for a session with the result of a call that touched this, such as the notes of a folder. */
  notes?(session: string, effects: readonly Effect[]): Promise<string[]>;
  /** What needs approval while nobody is there stays open, so that it can be answered later. */
  keepUnanswered?: boolean;
}

export interface HookedCall {
  tool: string;
  input: unknown;
  session: string;
  callId: string;
}

/** Makes a call that completes another one, such as the approval of what a run changed. */
export type FollowUp = (request: CallRequest) => Promise<CallOutcome>;

/** What happens around calls that a person did not make themselves. Where `followUp` makes none, nobody can be asked. */
export interface CallHooks {
  /** `refusal`: why the call is refused; undefined: it may run. */
  before(
    call: HookedCall,
    signal: AbortSignal,
    followUp?: () => FollowUp | undefined,
  ): Promise<{ refusal: string | undefined; changes: readonly Change[] }>;
  /** `told`: notices for the model besides the result. */
  after(
    call: HookedCall,
    result: ToolResult<unknown>,
    signal: AbortSignal,
    followUp?: () => FollowUp | undefined,
  ): Promise<{ told: readonly string[]; changes: readonly Change[] }>;
}

export interface CallRequest {
  tool: string;
  input: unknown;
  /** A fixed id, so that a caller who is killed can find out afterwards what became of the call. */
  id?: string;
  /** The caller's own name for the call, such as a model's tool call id. */
  ref?: string;
}

/** One call as it was asked for. Nothing in it changes; what a stage finds out is in the value that it returns. */
export interface Call {
  readonly id: string;
  readonly session: string;
  /** The session that asked for it and gets the result, where another process makes the call. */
  readonly heardBy?: string | undefined;
  readonly tool: string;
  readonly input: unknown;
  readonly started: [number, number];
  readonly at: string;
  readonly stepId: string;
  readonly signal: AbortSignal;
  /** Tokens of model text. */
  readonly budget: number;
  /** A person makes the call themselves. */
  readonly byPerson: boolean;
  /** A person makes the call, or answers the question about it: their decision overrides the mode. */
  readonly personDecides: boolean;
  readonly progress: ToolContext["progress"] | undefined;
  readonly topic?: string | undefined;
  /** Undefined: nobody is there to ask. */
  asker(): Asker | undefined;
  /** Called when waiting for a person begins and ends. */
  onWait(waiting: boolean): void;
}

/** The tool was found and the input fits its schema. */
export interface Parsed {
  readonly tool: Tool;
  readonly input: unknown;
}

/** What the call would do and what the rules say about it; nothing was changed, nobody was asked. */
export interface Prepared extends Parsed {
  readonly effects: readonly Effect[];
  /** The effects, and what the call reaches besides the names it gives: what the rules are asked about. */
  readonly judged: readonly Effect[];
  /** The tool's own default for these effects, before any rule. */
  readonly byDefault: "auto" | "ask";
  readonly judgement: Judgement;
  readonly policy: Policy;
  readonly preview: Preview | undefined;
  /** The file states that the preview shows. */
  readonly seen: ReadonlyMap<string, Fingerprint>;
  /** It looks through folders of which rules may hide a part. */
  readonly mayMissHidden: boolean;
  readonly reach: Reach;
}

/** One try at a permission: the call as first parsed, or as it is after files changed or a person edited it. */
export interface Attempt {
  readonly input: unknown;
  /** Why it is asked again. */
  readonly again?: string;
  /** A person has to see it, whatever the rules say. */
  readonly mustAsk?: boolean;
  /** An answer to an ask that an earlier process left open. */
  readonly given?: GivenAnswer;
}

/** Why an answer did not suffice: files changed, the edit reaches further, or a value turned out to be no secret. */
export type Again = "files" | "edit" | "secret";

export interface GivenAnswer {
  readonly pending: PendingApproval;
  readonly answer: Answer;
}

/** What became of the question whether the call may run. */
export type Permitted = { readonly waitedMs: number } & (
  | {
      readonly kind: "granted";
      readonly grant: Grant;
      /** As it will run: the person may have edited it. */
      readonly prepared: Prepared;
      readonly notices: readonly string[];
    }
  | {
      readonly kind: "refused";
      readonly approval: "denied" | "required";
      readonly error: ToolError;
    }
  /** Another process answered the question and keeps the record of the call, where it is known. */
  | {
      readonly kind: "elsewhere";
      readonly record: CallRecord | undefined;
      readonly result: ToolResult<never>;
    }
  /** The answer cannot be used: the call has to be prepared and asked again. */
  | { readonly kind: "again"; readonly attempt: Attempt; readonly because: Again }
);

/** What the tool did. "stale": a file was not as approved, so nothing was changed. */
export type Executed = { readonly places: Places } & (
  | { readonly kind: "done"; readonly result: ToolResult<unknown>; readonly changes: readonly Change[] }
  | { readonly kind: "stale"; readonly error: ToolError }
);

/** Where the files that a call read by name really were, by that name. */
export type Places = ReadonlyMap<string, ReadonlySet<string>>;

/** Everything to record and report about a call that is over. */
export interface Ended {
  readonly tool: Tool | undefined;
  /** As it ran, or as far as it came. */
  readonly input: unknown;
  readonly result: ToolResult<unknown>;
  readonly approval: ApprovalOutcome;
  readonly preview: Preview | undefined;
  readonly notices: readonly string[];
  readonly changes: readonly Change[];
  /** How long a person took to answer. */
  readonly waitedMs: number;
  /** How long it waited for earlier calls of its step. */
  readonly queuedMs: number;
  /** Another process answered the question, ran the call and keeps its record, where it is known. */
  readonly elsewhere: { readonly record: CallRecord | undefined } | undefined;
  /** Left out where it did not come so far as to read anything. */
  readonly reach?: Reach;
}

/** The three outputs of a call: a value, text for the model, details for people. */
export interface CallOutcome {
  id: string;
  tool: string;
  result: ToolResult<unknown>;
  text: string;
  images: readonly ImagePart[];
  details: {
    record: CallRecord;
    preview: Preview | undefined;
    changes: readonly Change[];
    /** Files for the person; their bytes are in the store. */
    files: readonly CallFile[];
    reach: Reach;
    /** How long a person took to answer. */
    waitedMs: number;
    /** It was answered and run in another process: the store has its result. */
    elsewhere?: true;
  };
}

/** `performance.now()` would load the whole of perf_hooks, a tenth of a short command's time. */
export function millisecondsSince(start: [number, number]): number {
  const [seconds, nanoseconds] = process.hrtime(start);
  return Math.round(seconds * 1e6 + nanoseconds / 1e3) / 1e3;
}
