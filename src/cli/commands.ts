import type { CommandEntry } from "./command.ts";

/** Every command; a command's code is loaded only when it runs. */
export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Open the page: chat, approvals, changes, tools, activity",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "console",
    summary: "Call tools interactively: choose one, fill in its fields, see the result",
    load: async () => (await import("./console.ts")).console,
  },
  {
    name: "ask",
    summary: "Ask a model one question or give it one task",
    load: async () => (await import("./ask.ts")).ask,
  },
  {
    name: "chat",
    summary: "Chat with a model in the terminal",
    load: async () => (await import("./chat.ts")).chat,
  },
  {
    name: "explore",
    summary: "Answer a question about this code; read-only",
    load: async () => (await import("./explore.ts")).explore,
  },
  {
    name: "research",
    summary: "Research a topic and write a report",
    load: async () => (await import("./research.ts")).research,
  },
  {
    name: "sessions",
    summary: "List earlier sessions; export or delete one",
    load: async () => (await import("./sessions.ts")).sessions,
  },
  {
    name: "worktree",
    summary: "List worktrees of sessions; merge, keep or discard one",
    load: async () => (await import("./worktree.ts")).worktree,
  },
  {
    name: "tools",
    summary: "List, search, add and switch tools",
    load: async () => (await import("./tools.ts")).tools,
  },
  {
    name: "skills",
    summary: "List, search and read skills",
    load: async () => (await import("./skills.ts")).skills,
  },
  {
    name: "documents",
    summary: "List and read documents that agents wrote; apply suggestions",
    load: async () => (await import("./documents.ts")).documents,
  },
  {
    name: "plan",
    summary: "Show the plan that an agent works by in this folder",
    load: async () => (await import("./plan.ts")).plan,
  },
  {
    name: "files",
    summary: "List and save files that executeCode made",
    load: async () => (await import("./files.ts")).files,
  },
  { name: "call", summary: "Call one tool", load: async () => (await import("./call.ts")).call },
  {
    name: "mcp",
    summary: "Serve the tools to an MCP client",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  {
    name: "acp",
    summary: "Be an agent in an editor (Zed, JetBrains, Neovim, Emacs)",
    load: async () => (await import("./acp.ts")).acp,
  },
  {
    name: "approvals",
    summary: "List and answer pending approval requests",
    load: async () => (await import("./approvals.ts")).approvals,
  },
  {
    name: "changes",
    summary: "List the changes that tools made to files",
    load: async () => (await import("./changes.ts")).changes,
  },
  { name: "undo", summary: "Undo changes", load: async () => (await import("./undo.ts")).undo },
  { name: "redo", summary: "Redo undone changes", load: async () => (await import("./undo.ts")).redo },
  {
    name: "index",
    summary: "Index the code of this folder",
    load: async () => (await import("./index-command.ts")).indexCommand,
  },
  {
    name: "stats",
    summary: "Show tool usage and cost: calls, failures, times, tokens, approvals, dollars",
    load: async () => (await import("./stats.ts")).stats,
  },
  {
    name: "login",
    summary: "Store the key of a provider",
    load: async () => (await import("./login.ts")).login,
  },
  {
    name: "logout",
    summary: "Remove the stored key of a provider",
    load: async () => (await import("./login.ts")).logout,
  },
  {
    name: "prices",
    summary: "Show or refresh the prices of models",
    load: async () => (await import("./prices.ts")).prices,
  },
  {
    name: "clean",
    summary: "Show what Wield keeps on this machine; remove what is old",
    load: async () => (await import("./clean.ts")).clean,
  },
  {
    name: "doctor",
    summary: "Show what is set up, what is missing and how to get it",
    load: async () => (await import("./doctor.ts")).doctor,
  },
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
    name: "migrate",
    summary: "Prepare or update the database of a team",
    load: async () => (await import("./migrate.ts")).migrate,
  },
  {
    name: "users",
    summary: "List, add and remove the people of a team",
    load: async () => (await import("./users.ts")).users,
  },
  {
    name: "projects",
    summary: "List and add the repositories that a team's sessions work on",
    load: async () => (await import("./projects.ts")).projects,
  },
  {
    name: "secrets",
    summary: "List and save the keys that a team's sessions use",
    load: async () => (await import("./secrets.ts")).secrets,
  },
  {
    name: "completion",
    summary: "Print a completion script for your shell",
    load: async () => (await import("./completion.ts")).completionOf(commands),
  },
];
