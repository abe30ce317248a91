import { join } from "node:path";

/** Where Wield keeps its own files: never inside a workspace, whose content anybody may have written. */
export interface Places {
  home: string;
  settingsFile: string;
  trustFile: string;
  storeFile: string;
  stateDir: string;
  compileCache: string;
  /** Worktrees of sessions: outside the state, which no session may reach. */
  worktreesDir: string;
  configDir: string;
  /** Keys that a person gave to `wield login`. */
  keysFile: string;
  /** Model prices that were refreshed on demand. */
  pricesFile: string;
  /** Definitions of MCP servers that a person approved. */
  approvedFile: string;
  /** Sign-ins to remote MCP servers. */
  tokensFile: string;
}

export function placesFrom(env: Readonly<Record<string, string | undefined>>): Places {
  const home = env["HOME"] ?? "/";
  const configDir = join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "wield");
  const stateDir = join(env["XDG_STATE_HOME"] ?? join(home, ".local", "state"), "wield");
  const dataDir = join(env["XDG_DATA_HOME"] ?? join(home, ".local", "share"), "wield");
  return {
    home,
    stateDir,
    configDir,
    approvedFile: join(configDir, "mcp-approved.json"),
    keysFile: join(configDir, "keys.json"),
    pricesFile: join(stateDir, "prices.json"),
    tokensFile: join(configDir, "mcp-tokens.json"),
    worktreesDir: join(dataDir, "worktrees"),
    compileCache: join(stateDir, "compile-cache"),
    settingsFile: join(configDir, "settings.json"),
    trustFile: join(configDir, "trust.json"),
    storeFile: join(stateDir, "wield.db"),
  };
}
