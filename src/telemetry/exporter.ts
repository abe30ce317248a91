import { withoutPassword } from "../text/without-password.ts";
import { Collector, type CollectorOptions } from "./collector.ts";
import { type Histogram, metricsBody, type Span, spanText } from "./otlp.ts";
import { SpanBatch } from "./span-batch.ts";

export type ExporterOptions = CollectorOptions;

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
  readonly #takeMetrics: () => Histogram[];
  /** For one request after the other. */
  readonly #bytes = Buffer.allocUnsafeSlow(mostBytes);
  #spans: Span[] = [];
  #waiting = 0;
  #since = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #dropped = 0;
  #isClosed = false;
  problem: string | undefined;

  constructor(options: ExporterOptions, takeMetrics: () => Histogram[]) {
    this.#endpoint = withoutPassword(options.endpoint);
    this.#collector = new Collector(options);
    this.#takeMetrics = takeMetrics;
  }

  /** Every call passes here: a span is written as text when it is sent, with all others, which is several times faster. */
  add(span: Span): void {
    this.#spans.push(span);
    if (this.#spans.length === mostSpans) this.#sendSpans();
    this.#timer ??= setTimeout(() => void this.flush(), everyMs).unref();
  }

  /** Sends everything that there is; resolves when it was sent or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sendSpans();
    if (this.#waiting === mostWaiting) return this.#sending;
    const metrics = this.#takeMetrics();
    const [start, end] = [this.#since, Date.now()];
    this.#since = end;
    if (metrics.length > 0)
      this.#queue(() => this.#send("v1/metrics", Buffer.from(metricsBody(metrics, start, end))));
    return this.#sending;
  }

  /** What is not sent in time is dropped. */
  async close(withinMs = closeMs): Promise<void> {
    const sent = this.flush();
    const late = setTimeout(() => {
      this.#isClosed = true;
      this.#collector.close();
    }, withinMs);
    await sent;
    clearTimeout(late);
    this.#collector.close();
  }

  #sendSpans(): void {
    const spans = this.#spans;
    if (spans.length === 0) return;
    this.#spans = [];
    if (this.#waiting === mostWaiting) this.#dropped += spans.length;
    else this.#queue(() => this.#sendAll(spans));
  }

  /** One request after the other. */
  #queue(send: () => Promise<void>): void {
    this.#waiting++;
    this.#sending = this.#sending.then(send).then(() => {
      this.#waiting--;
    });
  }

  async #sendAll(spans: readonly Span[]): Promise<void> {
    for (let at = 0; at < spans.length; ) {
      const batch = new SpanBatch(this.#bytes);
      while (at < spans.length && batch.add(spanText(spans[at] as Span))) at++;
      if (batch.size > 0) await this.#send("v1/traces", batch.body());
      else {
        this.#dropped++;
        at++;
      }
    }
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
