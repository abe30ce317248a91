/// <reference types="node" preserve="true" />
// What `import … from "wield"` gives: the only file that exports for others.
import "./require-node.ts";

export type { Agent, RunResult } from "../agent/agent.ts";
export type { Limits } from "../agent/limits.ts";
export { type ProfileName, profileNames } from "../agent/profiles.ts";
export type { Answer, ApprovalRequest, ApprovalResponse, Ask, Asker } from "../approval/approval.ts";
export type { PermissionMode } from "../approval/modes.ts";
export type { Rule } from "../approval/rules.ts";
export type { Discovery } from "../discovery/discovery.ts";
export type { Skill, Skills } from "../discovery/skills.ts";
export type { AgentEvent, StopReason, Usage } from "../events/agent-events.ts";
export type { CallRecord, WieldEvent } from "../events/events.ts";
export { type ErrorCode, errorCodes, Failure, type ToolError } from "../failure/failure.ts";
export type { Elicit, Elicitation, ElicitationAnswer } from "../mcp/elicitation.ts";
export { fingerprintOf, ToolRegistry } from "../registry/registry.ts";
export type { CallOptions, CallOutcome } from "../runtime/runtime.ts";
export { type ChangeToolDefinition, defineChangeTool } from "../tool/change-tool.ts";
export { defineTool, type ToolDefinition } from "../tool/define-tool.ts";
export type { Effect } from "../tool/effects.ts";
export type { ToolResult } from "../tool/result.ts";
export type { AnyTool, Preview, Rendering, Tool, ToolContext } from "../tool/tool.ts";
export type { Suggest } from "../tools/studio/request-suggestions.ts";
export {
  type BuiltinName,
  type ToolInput,
  type ToolsetName,
  type ToolValue,
  toolsets,
} from "../toolsets/toolsets.ts";
export type { Change, FileOperation, Workspace } from "../workspace/workspace.ts";
export type { AgentOptions } from "./agent-options.ts";
export type { SettingsInput } from "./settings.ts";
export { createWield, type Wield, type WieldOptions } from "./wield.ts";
export type {
  TypedCall,
  TypedOutcome,
  WieldApprovals,
  WieldChanges,
  WieldCost,
  WieldKeys,
  WieldSessions,
  WieldSettings,
  WieldTools,
} from "./wield-members.ts";
