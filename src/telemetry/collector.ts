import * as http from "node:http";
import * as https from "node:https";

export interface CollectorOptions {
  /** Where a collector listens, such as http://127.0.0.1:4318. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
}

const answerMs = 5_000;

/** Sends to a collector over one connection. `fetch` would take about five times as much CPU time for a batch of spans. */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #protocol: typeof http | typeof https;
  readonly #agent: http.Agent;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#protocol = new URL(options.endpoint).protocol === "https:" ? https : http;
    this.#agent = new this.#protocol.Agent({ keepAlive: true, maxSockets: 1 });
  }

  /** Rejects unless the collector took it. */
  async send(path: string, body: Buffer): Promise<void> {
    const signal = AbortSignal.timeout(answerMs);
    const status = await this.#post(path, body, signal).catch((error: Error & { reused?: boolean }) => {
      // The collector closed the connection that was kept: that is no failure.
      if (error.reused && !signal.aborted) return this.#post(path, body, signal);
      throw signal.aborted ? new Error(`no answer within ${answerMs / 1000} seconds`) : error;
    });
    if (status < 200 || status > 299) throw new Error(`it answered with status ${status}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(path: string, body: Buffer, signal: AbortSignal): Promise<number> {
    const { endpoint, headers } = this.#options;
    return new Promise((resolve, reject) => {
      const request = this.#protocol.request(`${endpoint.replace(/\/$/, "")}/${path}`, {
        ...{ method: "POST", agent: this.#agent, signal },
        headers: { "content-type": "application/json", ...headers, "content-length": body.length },
      });
      request.on("response", (response) => {
        response.on("error", reject).on("end", () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      request.on("error", (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
      request.end(body);
    });
  }
}
