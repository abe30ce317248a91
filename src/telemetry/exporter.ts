import type { Histogram, Span } from "./otlp.ts";
import { metricsBody, tracesBody } from "./otlp.ts";

export interface ExporterOptions {
  /** Where a collector listens, such as http://127.0.0.1:4318. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
}

const everyMs = 5_000;
const batch = 512;
/** A collector that does not answer must not fill the memory. */
const most = 4_096;
const answerMs = 5_000;

/** Sends spans and metrics over HTTP, in batches, in the background; what cannot be sent is dropped and reported. */
export class Exporter {
  readonly #options: ExporterOptions;
  readonly #takeMetrics: () => Histogram[];
  #spans: Span[] = [];
  #since = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #dropped = 0;
  problem: string | undefined;

  constructor(options: ExporterOptions, takeMetrics: () => Histogram[]) {
    this.#options = options;
    this.#takeMetrics = takeMetrics;
  }

  add(span: Span): void {
    if (this.#spans.length >= most) this.#dropped++;
    else this.#spans.push(span);
    if (this.#spans.length === batch) this.#sendSpans();
    this.#timer ??= setTimeout(() => void this.flush(), everyMs).unref();
  }

  /** Sends everything that there is; resolves when it was sent or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sendSpans();
    const metrics = this.#takeMetrics();
    const [start, end] = [this.#since, Date.now()];
    this.#since = end;
    if (metrics.length > 0) this.#queue("v1/metrics", () => metricsBody(metrics, start, end));
    return this.#sending;
  }

  #sendSpans(): void {
    const spans = this.#spans;
    this.#spans = [];
    if (spans.length > 0) this.#queue("v1/traces", () => tracesBody(spans));
  }

  /** One request after the other. */
  #queue(path: string, body: () => string): void {
    this.#sending = this.#sending.then(() => this.#send(path, body()));
  }

  async #send(path: string, body: string): Promise<void> {
    const { endpoint, headers } = this.#options;
    try {
      const response = await fetch(`${endpoint.replace(/\/$/, "")}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        signal: AbortSignal.timeout(answerMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`it answered with status ${response.status}`);
      const lost = this.#dropped === 0 ? "" : ` ${this.#dropped} spans were dropped.`;
      this.problem = lost === "" ? undefined : `Telemetry was too much for ${endpoint}.${lost}`;
    } catch (error) {
      this.problem = `Telemetry could not be sent to ${endpoint}: ${(error as Error).message}.`;
    }
  }
}
