import type { WieldEvent } from "../events/events.ts";
import { Exporter, type ExporterOptions } from "./exporter.ts";
import { Meters } from "./meters.ts";
import type { Attributes } from "./otlp.ts";
import { Tracer } from "./tracer.ts";

export interface TelemetryOptions extends ExporterOptions {
  /** Whether messages, arguments and results may be sent, too. */
  content: boolean;
  /** The call that the present work belongs to. */
  currentCall(): string | undefined;
}

/** Observes Wield and reports to a collector. Loaded only if the person switched it on. */
export interface Telemetry {
  listener(event: WieldEvent): void;
  /** A span for work that has no event. */
  timed<T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T>,
    after?: (value: T) => Attributes,
  ): Promise<T>;
  problems(): string[];
  close(): Promise<void>;
}

export function startTelemetry(options: TelemetryOptions): Telemetry {
  const meters = new Meters();
  const exporter = new Exporter(options, {
    writeSpans: () => tracer.writeCalls(),
    takeMetrics: () => meters.take(),
  });
  const tracer = new Tracer({
    content: options.content,
    currentCall: options.currentCall,
    ended: (text) => exporter.add(text),
    meters,
  });
  return {
    listener: (event) => tracer.hear(event),
    timed: async (name, attributes, work, after) => {
      const span = tracer.begin(name, attributes);
      try {
        const value = await work();
        span.end(after?.(value) ?? {});
        return value;
      } catch (error) {
        span.end({}, (error as { code?: string }).code ?? "error");
        throw error;
      }
    },
    problems: () => (exporter.problem === undefined ? [] : [exporter.problem]),
    close: async () => {
      tracer.endAll();
      await exporter.close();
    },
  };
}
