import type { Answer, Asker } from "../approval/approval.ts";
import type { Judgement, Policy } from "../approval/decide.ts";
import type { Grant } from "../approval/grant.ts";
import type { Rule } from "../approval/rules.ts";
import type { ApprovalOutcome, WieldEvent } from "../events/events.ts";
import type { RunCommand } from "../process/process.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { PendingApproval, Store } from "../store/store.ts";
import type { Effect } from "../tool/effects.ts";
import type { Preview, Tool, ToolContext } from "../tool/tool.ts";
import type { Change, Fingerprint, Workspace } from "../workspace/workspace.ts";
import type { Seat } from "./ask-round.ts";

/** What the runtime is given; it makes none of it. */
export interface RuntimeParts {
  registry: ToolRegistry;
  workspace: Workspace;
  run: RunCommand;
  store: Store;
  session: string;
  policy(): Policy;
  /** Undefined: nobody is there to ask. */
  asker(): Asker | undefined;
  remember(rule: Rule, scope: "session" | "user"): Promise<void>;
  /** Why a tool cannot be used now, for the model; undefined when it can. */
  disabled(tool: Tool): string | undefined;
  emit(event: WieldEvent): void;
}

export interface CallRequest {
  tool: string;
  input: unknown;
  /** A fixed id, so that a caller who is killed can find out afterwards what became of the call. */
  id?: string;
  /** The caller's own name for the call, such as a model's tool call id. */
  ref?: string;
}

/** One call on its way through the pipeline. */
export interface Flight {
  readonly id: string;
  readonly session: string;
  readonly request: CallRequest;
  readonly started: [number, number];
  readonly at: string;
  readonly stepId: string;
  readonly signal: AbortSignal;
  readonly budget: number;
  readonly seat: Seat;
  /** Undefined: nobody is there to ask. */
  asker(): Asker | undefined;
  readonly byPerson: boolean;
  readonly progress: ToolContext["progress"] | undefined;
  approval: ApprovalOutcome;
  /** How long it waited for a yes or no so far. */
  waitedMs: number;
  /** As the caller meant it; what was run may have been edited by a person. */
  proposed: unknown;
  input: unknown;
  notice: string | undefined;
  /** It looks through folders of which rules may hide a part. */
  looksAround: boolean;
  preview: Preview | undefined;
  changes: readonly Change[];
}

/** An answer that was given to an earlier process's ask. */
export interface GivenAnswer {
  pending: PendingApproval;
  answer: Answer;
}

/** A call judged and previewed, before anybody said yes. */
export interface Prepared {
  input: unknown;
  effects: readonly Effect[];
  judgement: Judgement;
  preview: Preview | undefined;
  seen: ReadonlyMap<string, Fingerprint>;
}

export interface Permit {
  grant: Grant;
  input: unknown;
}
