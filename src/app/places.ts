import { join } from "node:path";
import { Failure } from "../events/failure.ts";
import { realPlace } from "../workspace/state-files.ts";

/** Where Wield keeps its own files: never inside a workspace, whose content anybody may have written. */
export interface Places {
  home: string;
  settingsFile: string;
  trustFile: string;
  storeFile: string;
  stateDir: string;
  compileCache: string;
  configDir: string;
  /** Definitions of MCP servers that a person approved. */
  approvedFile: string;
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
    compileCache: join(stateDir, "compile-cache"),
    settingsFile: join(configDir, "settings.json"),
    trustFile: join(configDir, "trust.json"),
    storeFile: join(stateDir, "wield.db"),
  };
}

/** A tool that could write Wield's own settings or journal could allow itself anything. */
export function requireOutside(root: string, places: Places): void {
  const { stateDir, configDir, settingsFile, trustFile, approvedFile } = places;
  const under = (path: string, folder: string) =>
    path === folder || path.startsWith(folder === "/" ? folder : `${folder}/`);
  const inside =
    [stateDir, configDir, settingsFile, trustFile, approvedFile].find((path) =>
      under(realPlace(path), root),
    ) ?? [stateDir, configDir].find((path) => under(root, realPlace(path)));
  if (inside === undefined) return;
  throw new Failure(
    "INVALID_PATH",
    `${root} holds Wield's own files (${inside}). Open a folder inside it, such as a project.`,
  );
}
