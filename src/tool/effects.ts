import { localOrigin } from "../text/local-origin.ts";

/** What a call would touch: facts, no policy. `approval/` judges them, one by one. */
export type Effect =
  | { kind: "read"; path: string }
  /**
   * `from`: what is moved there, a folder with all that is in it. `ignored`: git leaves the file out (caches, build output).
   * `lasting`: it is part of a change that is too large for the journal, so it cannot be undone.
   */
  | { kind: "write"; path: string; replaces: boolean; from?: string; ignored?: boolean; lasting?: true }
  | { kind: "delete"; path: string; ignored?: boolean; lasting?: true }
  /** `local`: an origin of this machine, which only a person or a rule that names exactly it may open. */
  | { kind: "fetch"; url: string; method: string; local?: string }
  /**
   * `loadsFiles`: of the workspace, as code, so the same command may be other code next time.
   * `outside`: on the machine itself, not in the sandbox, with all that the person may do. `confined`: in the sandbox, and
   * all that it changes are effects of the same call.
   */
  | {
      kind: "run";
      command: string;
      network: NetworkMode;
      outside?: boolean;
      loadsFiles?: boolean;
      confined?: boolean;
    }
  /** Wield's own records (documents, plans): nothing outside them changes. `shows`: the result shows what was kept before. */
  | { kind: "record"; what: string; shows?: boolean };

export type NetworkMode = "off" | "allowlist" | "full";

/** What a request through the web guard does; one to this machine says so. */
export function fetchEffect(url: string, method: string): Effect {
  const local = localOrigin(url);
  return { kind: "fetch", url, method, ...(local !== undefined && { local }) };
}

/** Whether the effect sends data out: even a request that only reads sends its address. */
export function leaves(effect: Effect): boolean {
  return effect.kind === "fetch" || (effect.kind === "run" && effect.network !== "off");
}

/** Whether a change of a file is asked about unless a rule says otherwise: replacing and deleting are, but not what git ignores. */
export function changeDefault(effect: Effect): "auto" | "ask" {
  if ("ignored" in effect && effect.ignored) return "auto";
  if (effect.kind === "delete") return "ask";
  return effect.kind === "write" && effect.replaces ? "ask" : "auto";
}

/** Why a change asks whatever the rules and the mode say. */
export const cannotBeUndone = "it is too large for the journal, so it cannot be undone";
