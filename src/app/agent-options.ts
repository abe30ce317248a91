import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { PersonMessage } from "../agent/attachments.ts";
import type { Clock } from "../agent/clock.ts";
import type { Limits } from "../agent/limits.ts";
import type { ExploreMode, ProfileName } from "../agent/profiles.ts";
import type { ImportersOf } from "../agent/test-driven.ts";
import type { Asker } from "../approval/approval.ts";
import type { PermissionMode } from "../approval/modes.ts";
import type { Rule } from "../approval/rules.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { AgentEvent } from "../events/agent-events.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import type { Effort } from "../model/effort.ts";
import type { Price } from "../model/prices.ts";
import type { ToolRegistry } from "../registry/registry.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Store } from "../store/store.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolsetName } from "../toolsets/toolsets.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AgentRestrictions } from "./agent-restrictions.ts";
import type { ConversationModels } from "./conversation-models.ts";
import type { Flow } from "./flow.ts";
import type { Lineage } from "./lineage.ts";
import type { AgentNotes } from "./notes.ts";
import type { OwnAgent } from "./own-agents.ts";
import type { PermissionModes } from "./permission-modes.ts";
import type { AgentSettings } from "./preferences.ts";
import type { MayShow } from "./withheld.ts";

export interface AgentOptions {
  /** How it works. Default: as the session did before, or `code`. Another one may continue any session. */
  profile?: ProfileName;
  /** As in the settings (`provider/model`), or a model of the AI SDK. Default: the settings, then what is found. */
  model?: string | LanguageModelV4;
  /** How much the model thinks before it answers. Default: the settings, then the model's own. */
  effort?: Effort;
  /** On top of the settings and of the profile's own. */
  limits?: Limits;
  /** Exactly these tools instead of all that the profile may use: a toolset by name, or tool names. */
  tools?: ToolsetName | readonly string[];
  /** How thorough an exploration is; default: medium. */
  mode?: ExploreMode;
  /** What is asked about in this session. Default: as before in the session, or as in the folder. */
  permissionMode?: PermissionMode;
  /** Goes on with a session: its id, or `latest`. */
  session?: string;
  /** The id of a new session, where one was given out before its first message. */
  newSession?: string;
  /** After a change, run the tests that belong to it and tell the model what fails. Default: the settings. */
  testDriven?: boolean;
  /** Messages that the person wrote while the agent works, oldest first; asked for between two steps. */
  nextMessage?: () => string | PersonMessage | undefined;
  /** At a limit: whether to continue. Omitted: nobody can be asked, and the run ends with the model's final answer. */
  mayContinue?: (why: string, signal: AbortSignal) => Promise<boolean>;
  /** A layer over the model, such as one that lets requests wait; also over that of agents that this one delegates to. */
  aroundModel?: (model: LanguageModelV4, name: string) => LanguageModelV4;
  /** Tokens a request to the model may have. */
  contextTokens?: number;
  /** Answers the approval requests of this agent's calls; default: the asker of all calls. */
  asker?: Asker;
  /** Rules on top of the policy, which can only tighten it. */
  rules?: readonly Rule[];
  /** Whether an answer that cites ends with the list of its sources; default: yes. */
  listsSources?: boolean;
  /** Whether it gets the notes of the person and the project; default: yes. */
  notes?: boolean;
  clock?: Clock;
}

/** What agents share with everything else of one Wield. */
export interface AgentServices {
  workspace: Workspace;
  store: Store;
  /** The tools that may be used now. */
  tools(): Promise<readonly Tool[]>;
  /** Names of tools that the program or the person added. */
  added(): ReadonlySet<string>;
  /** Tools that the person wants described to every agent from the start. */
  isFavourite(tool: string): boolean;
  /** Agents that tasks can be given to by name. */
  agents(): Promise<readonly OwnAgent[]>;
  /** Names of the skills that can be read. */
  skills(): Promise<readonly string[]>;
  settings: AgentSettings;
  modes: Pick<PermissionModes, "of" | "load" | "set">;
  lineage: Pick<Lineage, "delegate" | "load">;
  /** Undefined: what leaves is not watched. */
  flow: Pick<Flow, "reload" | "add" | "workspace"> | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** For tools that ask a model themselves. */
  models: Pick<ConversationModels, "set">;
  /** US dollars for a million tokens; undefined: not known. */
  priceOf(model: string): Price | undefined;
  mayShow: MayShow;
  /** The notes of the person and the project; from here on, this session also gets the notes of sub-folders. */
  notes(session: string): Promise<AgentNotes>;
  /** Whether rules and mode of a session let this tool, which its provider runs, work without asking. */
  isFree(tool: string, session: string): boolean;
  /** Whether the person set up a search provider: then `web_search` is theirs, not the model provider's. */
  hasSearchProvider(): boolean;
  /** A runtime that knows only these tools, and may know why another one cannot be used. */
  runtimeFor(registry: ToolRegistry, elsewhere?: (tool: string) => string | undefined): Runtime;
  restrictions: Pick<AgentRestrictions, "set">;
  /** A finder among these tools. */
  discoveryIn(registry: ToolRegistry, isDescribed?: (tool: Tool) => boolean): Discovery;
  emit(event: AgentEvent): void;
  /** The files that import a file, by the code index. */
  importersOf: ImportersOf;
  /** Shows a form to the person; undefined: nobody can be asked. */
  elicit(): Elicit | undefined;
  /** The tool that checks changed code; undefined where the folder is not trusted. */
  checker(seconds: number): Promise<Tool | undefined>;
}
