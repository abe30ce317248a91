// What `import … from "wield"` exports inside a tool file: enough to write a tool, and quick to load.
export { Failure } from "../failure/failure.ts";
export { type ChangeToolDefinition, defineChangeTool } from "../tool/change-tool.ts";
export { defineTool, type ToolDefinition } from "../tool/define-tool.ts";
export type { Effect } from "../tool/effects.ts";
export type { Preview, Rendering, Tool, ToolContext } from "../tool/tool.ts";
export type { Change, FileOperation, Workspace } from "../workspace/workspace.ts";
