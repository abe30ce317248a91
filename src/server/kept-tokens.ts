import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "../text/digest.ts";
import { fileState, readIfThere, writeAtomic } from "../workspace/state-files.ts";

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
const device = z.strictObject({ id: z.string(), key: token, from: z.string(), paired: z.string() });
/** A device in the network that was paired: it has a key of its own, which can be ended alone. */
export type Device = z.output<typeof device>;
const kept = z.strictObject({
  page: token,
  mcp: token,
  made: z.number(),
  devices: z.array(device).default([]),
});
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
  const file = fileOf(stateDir, root);
  const known = renew ? undefined : read(file);
  if (known && known.made <= now && now < known.made + goodForMs) return { page: known.page, mcp: known.mcp };
  const made = newTokens();
  try {
    writeAtomic(file, JSON.stringify({ ...made, made: now, devices: [] }));
  } catch {
    // With a read-only state folder the server works, but the token changes with a restart.
  }
  return made;
}

/** The paired devices of a folder. Commands and a server that runs share them through the file. */
export class PairedDevices {
  readonly #file: string | undefined;
  #state: string | undefined;
  #known: readonly Device[] = [];

  /** Without a file, for a server whose tokens are not kept: the devices end with it. */
  constructor(place?: { stateDir: string; root: string }) {
    this.#file = place && fileOf(place.stateDir, place.root);
  }

  list(): readonly Device[] {
    const state = this.#file === undefined ? "" : fileState(this.#file);
    if (this.#file !== undefined && state !== this.#state) this.#known = read(this.#file)?.devices ?? [];
    this.#state = state;
    return this.#known;
  }

  add(from: string): Device {
    const made: Device = {
      ...{ id: randomBytes(3).toString("hex"), key: newTokens().page, from },
      paired: new Date().toISOString(),
    };
    this.#change((devices) => [...devices, made]);
    return made;
  }

  /** False if there is no such device. */
  end(id: string): boolean {
    const isKnown = this.list().some((each) => each.id === id);
    this.#change((devices) => devices.filter((each) => each.id !== id));
    return isKnown;
  }

  #change(change: (devices: readonly Device[]) => Device[]): void {
    const devices = change(this.list());
    this.#known = devices;
    const known = this.#file === undefined ? undefined : read(this.#file);
    if (this.#file === undefined || !known) return;
    writeAtomic(this.#file, JSON.stringify({ ...known, devices }));
  }
}

function fileOf(stateDir: string, root: string): string {
  return join(stateDir, "tokens", `${sha256(root)}.json`);
}

function read(file: string): z.output<typeof kept> | undefined {
  try {
    return kept.parse(JSON.parse(readIfThere(file)?.toString() ?? ""));
  } catch {
    return undefined;
  }
}
