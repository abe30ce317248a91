import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "../text/digest.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";

export interface Tokens {
  page: string;
  /** The key of the tokens for MCP clients. */
  mcp: string;
}

/**
 * The token that an MCP client sends, for a server at one port. A client sends it to whatever listens there: a program
 * that has taken the port of a stopped server cannot use it at the port where Wield runs instead.
 */
export function mcpTokenAt(key: string, port: number): string {
  return createHmac("sha256", key).update(`mcp at ${port}`).digest("base64url");
}

const token = z.string().regex(/^[\w-]{43}$/);
const kept = z.strictObject({ page: token, mcp: token, made: z.number() });
const goodForMs = 30 * 24 * 60 * 60 * 1000;

export function newTokens(): Tokens {
  const token = () => randomBytes(32).toString("base64url");
  return { page: token(), mcp: token() };
}

/**
 * The tokens of a folder, so that open tabs and MCP clients work after a restart. They are kept for a month in a file that only
 * its owner may read, never in the folder itself.
 */
export function keptTokens(stateDir: string, root: string, { now = Date.now(), renew = false } = {}): Tokens {
  const file = join(stateDir, "tokens", `${sha256(root)}.json`);
  const known = renew ? undefined : read(file);
  if (known && known.made <= now && now < known.made + goodForMs) return { page: known.page, mcp: known.mcp };
  const made = newTokens();
  try {
    writeAtomic(file, JSON.stringify({ ...made, made: now }));
  } catch {
    // With a read-only state folder the server works, but the token changes with a restart.
  }
  return made;
}

function read(file: string): z.output<typeof kept> | undefined {
  try {
    return kept.parse(JSON.parse(readIfThere(file)?.toString() ?? ""));
  } catch {
    return undefined;
  }
}
