/** How each command is run on a state with a fault, and what of the state it needs. */
export interface FaultCommand {
  args: readonly string[];
  needs: readonly ("store" | "journal")[];
  /** It prints JSON, also when it fails. */
  json?: true;
}

/** One line for each command of the table, and some more for commands that do several things. */
export const faultCommands: Readonly<Record<string, FaultCommand>> = {
  serve: { args: ["serve", "--port", "0"], needs: [] },
  console: { args: ["console"], needs: [] },
  ask: { args: ["ask", "hi", "--json"], needs: ["store", "journal"], json: true },
  chat: { args: ["chat", "hi"], needs: ["store", "journal"] },
  explore: { args: ["explore", "hi"], needs: ["store", "journal"] },
  research: { args: ["research", "an idea"], needs: ["store"] },
  sessions: { args: ["sessions"], needs: ["store"] },
  "sessions --json": { args: ["sessions", "--json"], needs: ["store"], json: true },
  "sessions delete": { args: ["sessions", "delete", "a_other", "--yes"], needs: ["store"] },
  tools: { args: ["tools", "--json"], needs: [], json: true },
  skills: { args: ["skills", "--json"], needs: [], json: true },
  documents: { args: ["documents", "--json"], needs: ["store"], json: true },
  worktree: { args: ["worktree", "--json"], needs: [], json: true },
  plan: { args: ["plan", "--json"], needs: ["store"], json: true },
  files: { args: ["files", "--json"], needs: ["store"], json: true },
  call: { args: ["call", "read_file", '{"path":"a.ts"}', "--json"], needs: [], json: true },
  "call write_file": {
    args: ["call", "write_file", '{"path":"new.txt","content":"x"}', "--json"],
    needs: ["store", "journal"],
    json: true,
  },
  mcp: { args: ["mcp", "--help"], needs: [] },
  acp: { args: ["acp", "--help"], needs: [] },
  approvals: { args: ["approvals", "--json"], needs: ["store"], json: true },
  changes: { args: ["changes", "--json"], needs: ["journal"], json: true },
  "approvals approve": {
    args: ["approvals", "approve", "c_none", "--json"],
    needs: ["store"],
    json: true,
  },
  undo: { args: ["undo", "--yes"], needs: ["store", "journal"] },
  redo: { args: ["redo", "--yes"], needs: ["store", "journal"] },
  index: { args: ["index", "status", "--json"], needs: [], json: true },
  "index build": { args: ["index", "--json"], needs: [], json: true },
  stats: { args: ["stats", "--json"], needs: ["store", "journal"], json: true },
  login: { args: ["login"], needs: [] },
  logout: { args: ["logout", "anthropic"], needs: [] },
  prices: { args: ["prices"], needs: [] },
  migrate: { args: ["migrate"], needs: [] },
  users: { args: ["users"], needs: [] },
  projects: { args: ["projects"], needs: [] },
  secrets: { args: ["secrets"], needs: [] },
  clean: { args: ["clean", "--json"], needs: ["store"], json: true },
  doctor: { args: ["doctor", "--json"], needs: ["store", "journal"], json: true },
  trust: { args: ["trust"], needs: [] },
  "check-policy": { args: ["check-policy"], needs: [] },
  completion: { args: ["completion", "bash"], needs: [] },
};
