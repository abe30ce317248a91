/// <reference types="node" preserve="true" />
// What `import … from "wield/research"` gives: the research client and the reader of earlier research.
import "./require-node.ts";

export { ResearchClient, type ResearchClientOptions, type ResearchResult } from "../agent/research-client.ts";
export { createGitHub, type GitHub, GitHubError } from "../web/research/github.ts";
export { type Commit, type CommitRequest, commitToGitHub } from "../web/research/github-commit.ts";
export { createToolExecutor, type ToolCallLog, type ToolExecutor } from "../web/research/tool-executor.ts";
