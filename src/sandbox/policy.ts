/** What a run may do. Every field is required: nothing is allowed by omission. */
export interface SandboxPolicy {
  network: NetworkPolicy;
  /**
   * `capture`: changes are collected; `discard`: the command may write, and all of it is forgotten; `direct`: it writes
   * to the directory itself, for folders of Wield's own and never for a workspace.
   */
  changes: "capture" | "discard" | "direct";
  limits: Limits;
}

export type NetworkPolicy =
  | { mode: "off" }
  /** Exact names or `*.suffix`, ports 80 and 443, through a proxy that dials only checked addresses. */
  | { mode: "allowlist"; hosts: readonly string[] }
  /** Only with a person's explicit consent to this run. */
  | { mode: "full" };

/** The limit that ended a run or made its command fail. */
export const limitNames = ["time", "cpu", "memory", "processes", "disk", "fileSize", "output"] as const;
export type ReachedLimit = (typeof limitNames)[number];

export interface Limits {
  wallMs: number;
  /** Seconds of one process. */
  cpu: number;
  memory: number;
  processes: number;
  /** Bytes and files that the run may add, the workspace and `/tmp` together. */
  disk: number;
  files: number;
  fileSize: number;
  openFiles: number;
  /** Of stdout and stderr together; 1 MB of each is kept. */
  output: number;
}

const MiB = 1024 * 1024;

const ordinary: Limits = {
  wallMs: 60_000,
  cpu: 60,
  memory: 512 * MiB,
  processes: 64,
  disk: 256 * MiB,
  files: 9_000,
  fileSize: 64 * MiB,
  openFiles: 256,
  output: 16 * MiB,
};

/** Compilers, test runners and package managers need more space than a snippet. */
const roomy: Limits = {
  wallMs: 300_000,
  cpu: 300,
  memory: 2048 * MiB,
  processes: 256,
  disk: 1024 * MiB,
  files: 100_000,
  fileSize: 512 * MiB,
  openFiles: 4096,
  output: 32 * MiB,
};

export const policies = {
  /** run_code */
  code: { network: { mode: "off" }, changes: "capture", limits: ordinary },
  /** executeCode: plotting libraries are large; its results go to the outbox */
  charts: {
    network: { mode: "off" },
    changes: "discard",
    limits: { ...ordinary, memory: 1024 * MiB, processes: 128 },
  },
  /** run_tests */
  tests: { network: { mode: "off" }, changes: "discard", limits: roomy },
  /** format_code */
  format: { network: { mode: "off" }, changes: "capture", limits: roomy },
} as const satisfies Record<string, SandboxPolicy>;

/** An MCP server: runs as long as its client, in a folder of its own, and reaches only the hosts it declares. */
export function serverPolicy(hosts: readonly string[]): SandboxPolicy {
  const days = 20 * 24 * 60 * 60;
  return {
    network: hosts.length === 0 ? { mode: "off" } : { mode: "allowlist", hosts },
    changes: "direct",
    limits: { ...roomy, wallMs: days * 1000, cpu: days, output: Number.POSITIVE_INFINITY },
  };
}

/** Package managers: the package index and nothing else. */
export function installPolicy(hosts: readonly string[]): SandboxPolicy {
  return { network: { mode: "allowlist", hosts }, changes: "capture", limits: roomy };
}

/** The same with other limits. */
export function limited(policy: SandboxPolicy, limits: Limits): SandboxPolicy {
  return { ...policy, limits };
}

/** The same with another time limit. */
export function within(policy: SandboxPolicy, wallMs: number): SandboxPolicy {
  const cpu = Math.max(policy.limits.cpu, Math.ceil(wallMs / 1000));
  return { ...policy, limits: { ...policy.limits, wallMs, cpu } };
}
