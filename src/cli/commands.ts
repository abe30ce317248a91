import type { CommandEntry } from "./command.ts";

/** Every command; a command's code is loaded only when it runs. */
export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "The page in your browser: chat, approvals, changes, tools, activity",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "console",
    summary: "Pick a tool, fill in its fields, see the result",
    load: async () => (await import("./console.ts")).console,
  },
  {
    name: "ask",
    summary: "Let a model answer or do something with the tools",
    load: async () => (await import("./ask.ts")).ask,
  },
  {
    name: "chat",
    summary: "Talk with a model that uses the tools",
    load: async () => (await import("./chat.ts")).chat,
  },
  {
    name: "explore",
    summary: "Find out something about this code, changing nothing",
    load: async () => (await import("./explore.ts")).explore,
  },
  {
    name: "research",
    summary: "Explore an idea and write a report",
    load: async () => (await import("./research.ts")).research,
  },
  {
    name: "sessions",
    summary: "Earlier conversations, to go on with or to export",
    load: async () => (await import("./sessions.ts")).sessions,
  },
  {
    name: "tools",
    summary: "List the tools, find one, add your own",
    load: async () => (await import("./tools.ts")).tools,
  },
  {
    name: "skills",
    summary: "List the skills, find one, read one",
    load: async () => (await import("./skills.ts")).skills,
  },
  {
    name: "documents",
    summary: "Documents that agents keep here, and suggestions for them",
    load: async () => (await import("./documents.ts")).documents,
  },
  { name: "call", summary: "Call one tool", load: async () => (await import("./call.ts")).call },
  {
    name: "mcp",
    summary: "Serve the tools to an MCP client",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  {
    name: "approvals",
    summary: "Calls that wait for an answer",
    load: async () => (await import("./approvals.ts")).approvals,
  },
  {
    name: "changes",
    summary: "What tools changed in files",
    load: async () => (await import("./changes.ts")).changes,
  },
  { name: "undo", summary: "Take changes back", load: async () => (await import("./undo.ts")).undo },
  { name: "redo", summary: "Make undone changes again", load: async () => (await import("./undo.ts")).redo },
  {
    name: "index",
    summary: "Index the code of this folder",
    load: async () => (await import("./index-command.ts")).indexCommand,
  },
  { name: "stats", summary: "How the tools were used", load: async () => (await import("./stats.ts")).stats },
  {
    name: "trust",
    summary: "Trust this folder's own settings",
    load: async () => (await import("./trust.ts")).trust,
  },
  {
    name: "check-policy",
    summary: "Test the approval rules against their examples",
    load: async () => (await import("./check-policy.ts")).checkPolicyCommand,
  },
  {
    name: "completion",
    summary: "Let your shell complete commands, options and names",
    load: async () => (await import("./completion.ts")).completionOf(commands),
  },
];
