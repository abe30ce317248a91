import { join } from "node:path";

/** Where Wield keeps its own files: never inside a workspace, whose content anybody may have written. */
export interface Places {
  home: string;
  settingsFile: string;
  trustFile: string;
  storeFile: string;
  stateDir: string;
  compileCache: string;
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
  return {
    home,
    stateDir,
    configDir,
    approvedFile: join(configDir, "mcp-approved.json"),
    keysFile: join(configDir, "keys.json"),
    pricesFile: join(stateDir, "prices.json"),
    tokensFile: join(configDir, "mcp-tokens.json"),
    compileCache: join(stateDir, "compile-cache"),
    settingsFile: join(configDir, "settings.json"),
    trustFile: join(configDir, "trust.json"),
    storeFile: join(stateDir, "wield.db"),
  };
}
