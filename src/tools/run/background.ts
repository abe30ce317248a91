import type { Socket } from "node:net";
import { StringDecoder } from "node:string_decoder";
import { Failure } from "../../failure/failure.ts";
import { listeningPorts } from "../../process/listening-ports.ts";
import { type LocalAddress, openOnMachine } from "../../sandbox/local-port.ts";
import type { SandboxPolicy } from "../../sandbox/policy.ts";
import type { Inside, Job, JobResult, Sandbox } from "../../sandbox/sandbox.ts";
import { newId } from "../../text/ids.ts";
import { withoutTerminalCodes } from "../../text/terminal-codes.ts";
import { visibleText } from "../../text/visible.ts";
import type { AppliedValue } from "./applied-run.ts";

/** One process in the background, as people and models see it. */
export interface ProcessView {
  id: string;
  /** The session whose call started it. */
  session: string | undefined;
  /** The first line of its code. */
  command: string;
  started: string;
  /** `stopped`: somebody ended it. */
  state: "running" | "ended" | "stopped";
  /** Null while it runs. */
  exitCode: number | null;
  /** Why Wield ended it, or why it could not continue. */
  reason: string | undefined;
  /** Ports that it listens on, on its own loopback. */
  ports: number[];
  /** Where a person opened one of them on this machine. */
  opened: { port: number; address: string }[];
  /** Characters printed so far. */
  printed: number;
  /** What became of its changes; null while it runs. */
  applied: AppliedValue | null;
}

/** A part of what a process printed, both streams together. */
export interface ProcessOutput {
  text: string;
  /** Where the text begins and where the next one would; earlier characters may be gone. */
  offset: number;
  next: number;
}

export interface StartedProcess {
  callId: string;
  session: string | undefined;
  command: string;
}

interface Kept extends StartedProcess {
  id: string;
  started: Date;
  stop: AbortController;
  inside: Inside | undefined;
  output: string;
  /** Its ports that a person opened on this machine. */
  opened: Map<number, ReturnType<typeof openOnMachine>>;
  addresses: Map<number, string>;
  /** Characters that are no longer kept. */
  dropped: number;
  result: Pick<JobResult, "exitCode" | "limit"> | undefined;
  reason: string | undefined;
  applied: AppliedValue | null;
  /** Resolves when its changes are applied, too. */
  ended: Promise<void>;
  /** Its session knows that it is over, or asked for it. */
  isTold: boolean;
  /** Rules that kept files from runs when it started. */
  denials: readonly string[];
}

/** Running at the same time, and ended ones whose output can still be read. */
const most = { ofSession: 4, running: 8, ended: 8 };
const keptCharacters = 1_000_000;
/** Of one process, those that other runs find. */
const mostPorts = 50;

/**
 * Commands that run on after their call, in the sandbox. They live in this process alone and die with it. What one changes
 * stays in its own layer; when it ends, the changes go the way of any run's: applied, held for a person, or refused.
 */
export class BackgroundProcesses {
  readonly #processes = new Map<string, Kept>();
  readonly #apply: (result: JobResult, process: StartedProcess & { started: Date }) => Promise<AppliedValue>;
  readonly #changed: (view: ProcessView) => void;
  readonly #top: (session: string) => string;
  readonly #denials: (session: string | undefined) => readonly string[];
  #closed = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(
    apply: (result: JobResult, process: StartedProcess & { started: Date }) => Promise<AppliedValue>,
    changed: (view: ProcessView) => void,
    top: (session: string) => string,
    /** The rules that keep files from a session's runs now. */
    denials: (session: string | undefined) => readonly string[],
  ) {
    this.#denials = denials;
    this.#top = top;
    this.#apply = apply;
    this.#changed = changed;
  }

  /** Resolves when the command is started; fails where it could not be. */
  async start(by: StartedProcess, job: Job, policy: SandboxPolicy, sandbox: Sandbox): Promise<string> {
    const session = this.#owner(by.session);
    this.#requireSpace(session);
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const kept: Kept = {
      ...by,
      session,
      id: newId("p").slice(0, 8),
      started: new Date(),
      stop: new AbortController(),
      inside: undefined,
      opened: new Map(),
      addresses: new Map(),
      denials: this.#denials(session),
      output: "",
      dropped: 0,
      result: undefined,
      reason: undefined,
      applied: null,
      ended: started,
      isTold: false,
    };
    const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
    const run = sandbox.run(
      {
        ...job,
        isLive: !job.isCopied,
        stop: kept.stop.signal,
        onStart: (inside) => {
          kept.inside = inside;
          resolve();
        },
        watch: (chunk, stream) => keep(kept, decoders[stream].write(chunk)),
      },
      policy,
    );
    this.#processes.set(kept.id, kept);
    kept.ended = this.#follow(kept, run);
    try {
      await Promise.race([started, run]);
    } catch (error) {
      this.#processes.delete(kept.id);
      throw error;
    }
    this.#changed(viewOf(kept));
    this.#watch ??= setInterval(() => this.#obeyRules(), rulesMs).unref();
    return kept.id;
  }

  /** A process that runs cannot lose sight of a file: one that started before a rule denied it is stopped. */
  #obeyRules(): void {
    const running = [...this.#processes.values()].filter(({ result }) => result === undefined);
    for (const kept of running) {
      if (kept.stop.signal.aborted) continue;
      if (this.#denials(kept.session).every((rule) => kept.denials.includes(rule))) continue;
      kept.reason = "a rule was added that keeps files from runs; start it again to run without them";
      kept.stop.abort();
    }
    if (running.length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** Of a session and those that work for it, or all; oldest first. */
  list(session?: string): ProcessView[] {
    return this.#of(session).map(viewOf);
  }

  /** By its id or a prefix of it; with a session: one of that session. */
  view(id: string, session?: string): ProcessView {
    return viewOf(this.#find(id, session));
  }

  /** The output from an offset, or its end; limited to a number of characters. */
  read(
    id: string,
    { offset, most = keptCharacters }: { offset?: number | undefined; most?: number } = {},
  ): ProcessOutput {
    const { output, dropped } = this.#find(id);
    const end = dropped + output.length;
    const from = Math.min(end, Math.max(dropped, offset ?? end - most));
    const text = output.slice(from - dropped, from - dropped + most);
    return { text: visibleText(withoutTerminalCodes(text)), offset: from, next: from + text.length };
  }

  /** Ends it, and waits until its changes are applied or held. */
  async stop(id: string, session?: string): Promise<ProcessView> {
    const kept = this.#find(id, session);
    // A caller in the session already knows; the model is told if a person ended it.
    if (session !== undefined) kept.isTold = true;
    kept.stop.abort();
    await kept.ended;
    return viewOf(kept);
  }

  /** For a person's own browser: one of its ports on the loopback of this machine, until it ends. Gives the address. */
  async open(id: string, port?: number): Promise<string> {
    const { inside, opened, addresses, command } = this.#find(id);
    const ports = inside?.ports() ?? [];
    const wanted = port ?? ports[0];
    if (!inside || wanted === undefined || !ports.includes(wanted))
      throw new Failure(
        "INVALID_INPUT",
        `${command} does not listen on ${port === undefined ? "a port" : `port ${port}`}${ports.length > 0 ? `; it listens on ${ports.join(", ")}` : ""}.`,
      );
    // Kept before it is there: whoever asks at the same time gets the same one.
    const opening = opened.get(wanted) ?? openOnMachine(wanted, () => inside.connect(wanted));
    opened.set(wanted, opening);
    try {
      const address = addressOf(await opening);
      addresses.set(wanted, address);
      return address;
    } catch (error) {
      opened.delete(wanted);
      throw error;
    }
  }

  /** Waits for what it prints first, for its end, or for some time. */
  async firstOutput(id: string, signal: AbortSignal): Promise<void> {
    const kept = this.#find(id);
    const isOver = () => kept.result !== undefined || signal.aborted;
    for (let waited = 0; waited < firstMs && kept.output === "" && !isOver(); waited += pollMs) await pause();
    for (let waited = 0; waited < moreMs && !isOver(); waited += pollMs) await pause();
    // One that is over already has a result like any run.
    if (kept.result === undefined) return;
    kept.isTold = true;
    await kept.ended;
  }

  async stopSession(session: string): Promise<void> {
    await Promise.all(this.list(session).map(({ id }) => this.stop(id)));
    for (const { id } of this.list(session)) this.#processes.delete(id);
  }

  /** Processes that ended by themselves since the session was last told. */
  news(session: string): string[] {
    const over = this.#of(session).filter(({ result, isTold }) => result !== undefined && !isTold);
    return over.map((kept) => {
      kept.isTold = true;
      const how = kept.stop.signal.aborted
        ? `was stopped ${kept.reason === undefined ? "by the person" : `because ${kept.reason}`}`
        : `has ended with exit code ${kept.result?.exitCode}`;
      return `Background process ${kept.id} (${kept.command}) ${how}.`;
    });
  }

  /** Servers of a session's running processes: its other runs find them at the same port on their own loopback. */
  addresses(session: string | undefined): LocalAddress[] {
    const owner = this.#owner(session);
    const own = [...this.#processes.values()].filter((kept) => kept.session === owner);
    return own.flatMap(({ inside }) =>
      (inside?.ports() ?? []).slice(0, mostPorts).map((port) => ({
        ...{ host: "localhost", port },
        connect: () => (inside as Inside).connect(port),
      })),
    );
  }

  /**
   * To the session's process that listens on this port; the newest, should several do. A server of the machine comes first.
   * Where the session is not known, as for pages in the browser, only when no other session could be meant.
   */
  connect(port: number, session: string | undefined): Socket | undefined {
    if (listeningPorts(process.pid).includes(port)) return undefined;
    const owner = this.#owner(session);
    const running = [...this.#processes.values()].filter(({ inside }) => inside !== undefined);
    const own = running.filter((kept) => kept.session === (owner ?? running[0]?.session));
    if (owner === undefined && own.length < running.length) return undefined;
    return own.findLast(({ inside }) => inside?.ports().includes(port))?.inside?.connect(port);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#processes.keys()].map((id) => this.stop(id)));
  }

  async #follow(kept: Kept, run: Promise<JobResult>): Promise<void> {
    try {
      const result = await run;
      kept.inside = undefined;
      kept.result = result;
      if (result.limit !== null) kept.reason = `it met the limit on ${result.limit}`;
      kept.applied = await this.#apply(result, kept);
    } catch (error) {
      kept.result ??= { exitCode: 1, limit: null };
      kept.reason = error instanceof Error ? error.message : String(error);
    }
    kept.inside = undefined;
    for (const opening of kept.opened.values())
      await opening.then(({ close }) => close()).catch(() => undefined);
    kept.opened.clear();
    kept.addresses.clear();
    if (!this.#processes.has(kept.id)) return;
    this.#changed(viewOf(kept));
    const over = [...this.#processes.values()].filter(({ result }) => result !== undefined);
    for (const { id } of over.slice(0, -most.ended)) this.#processes.delete(id);
  }

  #of(session: string | undefined): Kept[] {
    const owner = this.#owner(session);
    return [...this.#processes.values()].filter((kept) => owner === undefined || kept.session === owner);
  }

  #owner(session: string | undefined): string | undefined {
    return session === undefined ? undefined : this.#top(session);
  }

  #find(id: string, session?: string): Kept {
    const own = this.#of(session);
    const [kept, another] = own.filter((each) => each.id === id || (id !== "" && each.id.startsWith(id)));
    if (kept && !another) return kept;
    const known = own.map((each) => each.id).join(", ") || "none";
    throw new Failure(
      "INVALID_INPUT",
      `There is no background process ${JSON.stringify(id)} (there are: ${known}). Processes end with their session and with Wield; start it again with run_code.`,
    );
  }

  #requireSpace(session: string | undefined): void {
    if (this.#closed) throw new Failure("UNAVAILABLE", "Wield is closing: nothing is started any more.");
    const running = this.list().filter(({ state }) => state === "running");
    const own = running.filter((view) => view.session === session);
    if (own.length < most.ofSession && running.length < most.running) return;
    const ids = own.map(({ id, command }) => `${id} (${command})`).join(", ");
    throw new Failure(
      "LIMIT_EXCEEDED",
      `${own.length} background processes run in this session and ${running.length} in this folder; at most ${most.ofSession} and ${most.running} may. Stop one first: ${ids || "they belong to other sessions"}.`,
    );
  }
}

/** How often rules are compared with those that processes started under. */
const rulesMs = 1_000;
const firstMs = 1_000;
const moreMs = 300;
const pollMs = 25;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pollMs));
}

function keep(kept: Kept, text: string): void {
  kept.output += text;
  // Cut in large pieces: each cut copies all that stays.
  if (kept.output.length < keptCharacters * 1.5) return;
  const cut = kept.output.length - keptCharacters;
  kept.output = kept.output.slice(cut);
  kept.dropped += cut;
}

function addressOf({ port }: { port: number }): string {
  return `http://localhost:${port}/`;
}

function viewOf(kept: Kept): ProcessView {
  const { id, session, command, started, result, reason, inside, addresses, output, dropped, applied } = kept;
  return {
    ...{ id, session, command, started: started.toISOString(), reason, applied },
    state: !result ? "running" : kept.stop.signal.aborted ? "stopped" : "ended",
    exitCode: result?.exitCode ?? null,
    ports: inside?.ports() ?? [],
    opened: [...addresses].map(([port, address]) => ({ port, address })),
    printed: dropped + output.length,
  };
}
