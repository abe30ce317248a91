// What `import … from "wield"` gives inside a tool file: enough to write a tool, and nothing that takes long to load.
export { Failure } from "../events/failure.ts";
export { defineChangeTool } from "../tool/change-tool.ts";
export { defineTool } from "../tool/define-tool.ts";
