import { withoutPassword } from "../text/without-password.ts";
import { Collector, type CollectorOptions } from "./collector.ts";
import { type Histogram, metricsBody } from "./otlp.ts";
import { SpanBatch } from "./span-batch.ts";

export type ExporterOptions = CollectorOptions;

/** Where spans and metrics come from. */
export interface Source {
  /** Adds the spans that wait to be written. */
  writeSpans(): void;
  takeMetrics(): Histogram[];
}

const everyMs = 5_000;
/** A request takes as much CPU time as writing about a thousand spans. */
const mostSpans = 2048;
/** So many spans of calls are 1.4 MB. */
const mostBytes = 2 * 1024 * 1024;
/** A collector that does not answer must not fill the memory. */
const mostWaiting = 3;
/** A collector that does not answer must not keep the process. */
const closeMs = 5_000;

/** Sends spans and metrics over HTTP, in batches, in the background; what cannot be sent is dropped and reported. */
export class Exporter {
  /** As it may be shown. */
  readonly #endpoint: string;
  readonly #collector: Collector;
  readonly #source: Source;
  #batch = new SpanBatch(mostBytes);
  /** One that was sent: new memory for each would take longer. */
  #spare: SpanBatch | undefined;
  #waiting = 0;
  #since = Date.now();
  readonly #timer: NodeJS.Timeout;
  #sending: Promise<void> = Promise.resolve();
  #dropped = 0;
  #isClosed = false;
  problem: string | undefined;

  constructor(options: ExporterOptions, source: Source) {
    this.#endpoint = withoutPassword(options.endpoint);
    this.#collector = new Collector(options);
    this.#source = source;
    this.#timer = setInterval(() => void this.flush(), everyMs).unref();
  }

  /** Takes the text of a span. */
  add(span: string): void {
    if (!this.#batch.add(span)) {
      this.#sendBatch();
      if (!this.#batch.add(span)) this.#dropped++;
    }
    if (this.#batch.size === mostSpans) this.#sendBatch();
  }

  /** Sends everything that there is; resolves when it was sent or could not be. */
  flush(): Promise<void> {
    this.#source.writeSpans();
    this.#sendBatch();
    if (this.#waiting === mostWaiting) return this.#sending;
    const metrics = this.#source.takeMetrics();
    const [start, end] = [this.#since, Date.now()];
    this.#since = end;
    if (metrics.length > 0)
      this.#queue(() => this.#send("v1/metrics", Buffer.from(metricsBody(metrics, start, end))));
    return this.#sending;
  }

  /** What is not sent in time is dropped. */
  async close(withinMs = closeMs): Promise<void> {
    clearInterval(this.#timer);
    const sent = this.flush();
    const late = setTimeout(() => {
      this.#isClosed = true;
      this.#collector.close();
    }, withinMs);
    await sent;
    clearTimeout(late);
    this.#collector.close();
  }

  #sendBatch(): void {
    const batch = this.#batch;
    if (batch.size === 0) return;
    if (this.#waiting === mostWaiting) {
      this.#dropped += batch.size;
      batch.clear();
      return;
    }
    this.#batch = this.#spare ?? new SpanBatch(mostBytes);
    this.#spare = undefined;
    this.#queue(async () => {
      await this.#send("v1/traces", batch.body());
      batch.clear();
      this.#spare = batch;
    });
  }

  /** One request after the other. */
  #queue(send: () => Promise<void>): void {
    this.#waiting++;
    this.#sending = this.#sending.then(send).then(() => {
      this.#waiting--;
    });
  }

  async #send(path: string, body: Buffer): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#collector.send(path, body);
      const lost = this.#dropped === 0 ? "" : ` ${this.#dropped} spans were dropped.`;
      this.problem = lost === "" ? undefined : `Telemetry was too much for ${this.#endpoint}.${lost}`;
    } catch (error) {
      this.problem = `Telemetry could not be sent to ${this.#endpoint}: ${(error as Error).message}.`;
    }
  }
}
