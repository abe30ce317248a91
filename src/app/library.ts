// What `import … from "wield"` gives: the only file that exports for others.
export type { Answer, ApprovalRequest, ApprovalResponse, Ask, Asker } from "../approval/approval.ts";
export type { Rule } from "../approval/rules.ts";
export type { CallRecord, WieldEvent } from "../events/events.ts";
export { type ErrorCode, errorCodes, Failure, type ToolError } from "../events/failure.ts";
export { fingerprintOf, ToolRegistry } from "../registry/registry.ts";
export type { CallOptions, CallOutcome } from "../runtime/runtime.ts";
export { type ChangeToolDefinition, defineChangeTool } from "../tool/change-tool.ts";
export { defineTool, type ToolDefinition } from "../tool/define-tool.ts";
export type { Effect } from "../tool/effects.ts";
export type { ToolResult } from "../tool/result.ts";
export type { AnyTool, Preview, Rendering, Tool, ToolContext } from "../tool/tool.ts";
export { type ToolsetName, toolsets } from "../toolsets/toolsets.ts";
export type { Change, FileOperation, Workspace } from "../workspace/workspace.ts";
export type { SettingsInput } from "./settings.ts";
export { createWield, type Wield, type WieldOptions } from "./wield.ts";
