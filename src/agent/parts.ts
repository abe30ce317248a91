import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ToolSet } from "ai";
import type { AgentEvent, Usage } from "../events/agent-events.ts";
import type { Effort } from "../model/effort.ts";
import type { Price } from "../model/prices.ts";
import type { Tool } from "../tool/tool.ts";
import type { AfterChanges } from "./after-changes.ts";
import type { PersonMessage } from "./attachments.ts";
import type { Clock } from "./clock.ts";
import type { DelegatedRuns } from "./delegated-runs.ts";
import type { ExtraInstructions } from "./instructions.ts";
import type { Limits } from "./limits.ts";
import type { LogData, OpenSession } from "./log.ts";
import type { Profile } from "./profiles.ts";
import type { CallParts } from "./run-calls.ts";

/** Everything an agent works with; it makes none of it. */
export interface AgentParts extends CallParts {
  profile: Profile;
  model: LanguageModelV4;
  modelName: string;
  /** When it begins. */
  tools: readonly Tool[];
  /** The same as they are now: files change, servers join. */
  toolsNow(): Promise<readonly Tool[]>;
  /** Definitions that replace ours of the same name, such as a tool that the provider runs. */
  serverTools(): ToolSet;
  /** The provider ran one of them: its result is in the conversation. */
  onServerTool?(tool: string): Promise<void> | undefined;
  session: OpenSession;
  /** How far the journal of changes is. */
  position(): Promise<number>;
  limits: Limits;
  price: Price | undefined;
  /** Tokens that a request may have. */
  contextBudget: number;
  /** Instructions besides those of the profile and the tools. */
  surroundings: ExtraInstructions;
  clock: Clock;
  emit(event: AgentEvent): void;
  /** What the person wrote while the agent works, oldest first; each is taken once, between two steps. */
  nextMessage?(): string | PersonMessage | undefined;
  /** The person attached files: they are in the conversation from now on. */
  onAttached?(names: readonly string[]): Promise<void> | undefined;
  /** How much the model thinks before it answers; undefined: the model's own default. */
  effort?: Effort | undefined;
  /** An answer ends with the list of the sources that it cites. */
  listsSources?: boolean;
  /** Tokens of one answer at most; left out: the provider's own limit. */
  maxOutputTokens?: number | undefined;
  /** Whether the person set the limit of steps: only then is it a question to them. */
  asksAtSteps?: boolean;
  /** Whether to continue past a limit or a loop; undefined: nobody can be asked. */
  mayContinue: ((why: string, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Usage of others under the same limits: for a delegated run, its parent and the sibling runs. */
  usedElsewhere?: (() => Usage) | undefined;
  /** The runs that this one delegated to and that are at work. */
  delegatedRuns?: DelegatedRuns;
  /** Notices for the model after changes, such as failing tests. */
  afterChanges?: AfterChanges | undefined;
}

/** Records what happens, in the log and in the conversation. */
export type Write = (data: LogData) => Promise<void>;

type WithoutSession<T> = T extends unknown ? Omit<T, "session"> : never;
export type EventBody = WithoutSession<AgentEvent>;
