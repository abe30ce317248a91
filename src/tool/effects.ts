/** What a call would touch: facts, no policy. `approval/` judges them, one by one. */
export type Effect =
  | { kind: "read"; path: string }
  /** `from`: what is moved there, a folder with all that is in it. */
  | { kind: "write"; path: string; replaces: boolean; from?: string }
  | { kind: "delete"; path: string }
  | { kind: "fetch"; url: string; method: string }
  | { kind: "run"; command: string; network: NetworkMode }
  /** Wield's own records (documents, plans): nothing outside them changes. */
  | { kind: "record"; what: string };

export type NetworkMode = "off" | "allowlist" | "full";
