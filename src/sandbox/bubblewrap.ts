import { dirname } from "node:path";
import { Failure } from "../failure/failure.ts";
import type { ControlGroups } from "../process/control-group.ts";
import { listeningPorts } from "../process/listening-ports.ts";
import type { Outcome } from "../process/process.ts";
import { type Channel, supervise } from "../process/supervise.ts";
import { bridged } from "./bridge.ts";
import { bwrap, confinement, goFd, launched } from "./confine.ts";
import { endingWithWield } from "./ending-with-wield.ts";
import { Harvester } from "./harvest.ts";
import { LimitHolder } from "./limit-holder.ts";
import type { Limits, SandboxPolicy } from "./policy.ts";
import type { Dial } from "./proxy.ts";
import { openRunConnections, type RunConnections } from "./run-connections.ts";
import type { Inside, Job, JobResult } from "./sandbox.ts";
import { seccompProgram } from "./seccomp.ts";
import { type Staging, stageCommand, stageEnd } from "./stage.ts";

/** Descriptors of the supervised command; files follow. */
const fd = { options: 3, status: 4, seccomp: 5, harvest: 6, go: goFd, alive: 8, files: 9 };
/** After the command was killed, the stage may still send what it wrote; more where somebody stopped it and wants that. */
const graceMs = 3_000;
const stoppedGraceMs = 60_000;

/** What this machine provides for a run. */
export interface Means {
  staging: Exclude<Staging, "none">;
  groups: ControlGroups | undefined;
  dial: Dial;
}

/** One confined run: build the command, enforce its limits, read back its changes. */
export async function runConfined(wanted: Job, policy: SandboxPolicy, means: Means): Promise<JobResult> {
  const { limits } = policy;
  const staging = policy.changes === "direct" ? "none" : wanted.isCopied ? "copy" : means.staging;
  await using ways = await openRunConnections(wanted, policy.network, means.dial);
  const { job, carriers } = ways;
  await using holder = new LimitHolder(limits, means.groups);
  const harvester = new Harvester(harvestBytes(limits), () => holder.endAll());
  const status = new Status();

  const confined = commandOf(job, policy, staging);
  const [file = "", ...args] = endingWithWield(
    fd.alive,
    carriers.map(({ socket }) => dirname(socket)),
    carriers.length > 0 ? bridged(carriers, confined) : confined,
  );
  let start: () => void = () => {};
  let hasAppeared = false;
  const outcome = await supervise({
    ...{ file, args },
    cwd: "/",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" },
    channels: [
      lines(confinement(job, policy, staging, { ...placesOf(job), isBridged: carriers.length > 0 })),
      (chunk) => status.read(chunk),
      seccompProgram(process.arch, { countsSegments: means.groups !== undefined }),
      (chunk) => harvester.write(chunk),
      () => start(),
      "later",
      ...Object.values(job.files ?? {}).map((content): Channel => Buffer.from(content)),
    ],
    timeoutMs: limits.wallMs,
    maxBytes: limits.output,
    graceMs: job.stop ? stoppedGraceMs : graceMs,
    onStart: (running) => {
      holder.start(running);
      job.onInput?.((bytes) => running.write(bytes));
      const stop = () => running.end("stopped");
      if (job.stop?.aborted) stop();
      job.stop?.addEventListener("abort", stop, { once: true });
      const isReady = new Promise<void>((resolve) => {
        start = resolve;
      });
      status.onChild = (pid) => {
        holder.hold(pid);
        void isReady.then(async () => {
          // The copy is made: what is in it now stays, and nothing else comes.
          hasAppeared = staging === "copy" && !(await isAllHidden(job));
          if (hasAppeared) stop();
          else if (holder.holds) running.tell(fd.go, "go\n");
        });
        job.onStart?.(insideOf(pid, ways));
      };
    },
    endGently: () => holder.end(),
    ...(job.input !== undefined && { input: job.input }),
    ...(job.onInput && { liveInput: true }),
    ...(job.signal && { signal: job.signal }),
    ...(job.onStdout && { onStdout: job.onStdout }),
    ...(job.onStderr && { onStderr: job.onStderr }),
    ...(job.watch && { watch: job.watch }),
  });
  if (outcome.ended === "abort") throw new Failure("ABORTED", "The run was aborted; nothing was changed.");
  if (hasAppeared || (staging !== "copy" && !(await isAllHidden(job)))) throw mayHaveSeen();

  const { exitCode } = status;
  const isStopped = job.stop?.aborted === true;
  const { delivered, diskIsFull } = stageEnd(outcome.exitCode);
  const limit = holder.met(outcome.ended, exitCode, diskIsFull);
  if (exitCode === undefined && limit === null && !isStopped) throw notConfined(outcome);
  return {
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    exitCode: exitCode ?? killed,
    durationMs: outcome.durationMs,
    limit,
    ...harvester.result(delivered || staging === "none"),
    connections: [...ways.connections],
  };
}

function mayHaveSeen(): Failure {
  return new Failure(
    "PERMISSION_DENIED",
    "A file that the rules hide from runs appeared in the workspace during this run, so it may have seen it: what it printed and changed is withheld, and nothing was applied. Run it again; the file is hidden then.",
  );
}

/** What was looked at before the run was all that had to be hidden; a layer above the workspace shows what appeared since. */
async function isAllHidden({ hidden }: Job): Promise<boolean> {
  return hidden === undefined || hidden.isComplete().catch(() => false);
}

function insideOf(pid: number, { connectInside: connect, carriers }: RunConnections): Inside {
  const ways = new Set(carriers.map((carrier) => ("port" in carrier ? carrier.port : undefined)));
  return {
    ports: () => (connect ? listeningPorts(pid).filter((port) => !ways.has(port)) : []),
    connect: (port) => {
      if (connect) return connect(port);
      throw new Failure(
        "UNAVAILABLE",
        "This run uses the network of the machine: its ports are found there.",
      );
    },
  };
}

/** 128 and SIGKILL. */
const killed = 137;

/** Space for everything that fits on the disk, and for the headers. */
function harvestBytes({ disk, files }: Limits): number {
  return disk + disk / 4 + files * 4096;
}

function commandOf(job: Job, policy: SandboxPolicy, staging: Staging): string[] {
  const monitor = ["--args", String(fd.options), "--json-status-fd", String(fd.status)];
  const confined = [bwrap, ...monitor, "--", ...launched(job, policy)];
  return staging === "none"
    ? confined
    : stageCommand(
        staging,
        job.workspace,
        policy.limits,
        policy.changes === "capture",
        job.isLive === true,
        confined,
      );
}

function placesOf({ files = {} }: Job): { seccomp: number; files: Record<string, number> } {
  const names = Object.keys(files);
  return { seccomp: fd.seccomp, files: Object.fromEntries(names.map((name, n) => [name, fd.files + n])) };
}

function lines(options: readonly string[]): Buffer {
  return Buffer.from(options.map((option) => `${option}\0`).join(""));
}

/** What bubblewrap reports: the process to limit, and the exit code of the command if it ran. */
class Status {
  exitCode: number | undefined;
  onChild: (pid: number) => void = () => {};
  #rest = "";

  read(chunk: Buffer): void {
    const complete = (this.#rest + chunk).split("\n");
    this.#rest = complete.pop() ?? "";
    for (const line of complete) {
      const pid = /"child-pid": (\d+)/.exec(line)?.[1];
      if (pid !== undefined) this.onChild(Number(pid));
      const code = /"exit-code": (\d+)/.exec(line)?.[1];
      if (code !== undefined) this.exitCode = Number(code);
    }
  }
}

function notConfined({ stderr, exitCode }: Outcome): Failure {
  const said = stderr.text.trim().split("\n").slice(-3).join("; ") || `exit code ${exitCode}`;
  return new Failure("SANDBOX_UNAVAILABLE", `The sandbox could not be set up, so nothing was run: ${said}`);
}
