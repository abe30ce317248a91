import type { ReachedLimit } from "../policy.ts";

/** What surrounds one attempt: everything here lies outside, or is planted inside as bait. */
export interface World {
  workspace: string;
  /** A file beside the workspace that holds the marker; nothing inside may ever print it. */
  secret: string;
  marker: string;
  /** A TCP server on the machine's loopback that greets with the marker; another on its IPv6 loopback. */
  port: number;
  /** A unix socket in the abstract namespace that greets with the marker. */
  abstractName: string;
  /** A process of the machine that must survive. */
  bystander: number;
}

export interface Attempt {
  stdout: string;
  stderr: string;
  exitCode: number;
  durationMs: number;
  limit: ReachedLimit | null;
  changed: string[];
  held: string[];
  refused: string[];
}

/** One way out that must be closed. `judge` says what is wrong, or nothing; the marker is looked for in any case. */
export interface Case {
  id: string;
  attempt: string;
  language: "bash" | "python";
  code: (world: World) => string;
  prepare?: (world: World) => void;
  env?: (world: World) => Record<string, string>;
  wallMs?: number;
  /** It changes nothing and meets no limit, so it can share one run with others of its kind. */
  together?: true;
  judge?: (attempt: Attempt, world: World) => string | false | undefined;
}
