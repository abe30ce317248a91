import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";

export interface CollectorOptions {
  /** Where a collector listens, such as http://127.0.0.1:4318. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
}

const answerMs = 5_000;

/** Sends to a collector over one connection. `fetch` would take about five times as much CPU time for a batch of spans. */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #request: typeof httpRequest;
  readonly #agent: HttpAgent;
  /** For each path: taking an address apart takes longer than many of the other steps of a request. */
  readonly #targets = new Map<string, RequestOptions>();

  constructor(options: CollectorOptions) {
    this.#options = options;
    const isSecure = new URL(options.endpoint).protocol === "https:";
    this.#request = isSecure ? httpsRequest : httpRequest;
    this.#agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  }

  /** Rejects unless the collector took it. */
  async send(path: string, body: Buffer): Promise<void> {
    const until = performance.now() + answerMs;
    const status = await this.#post(path, body, until).catch((error: Error & { reused?: boolean }) => {
      // The collector closed the connection that was kept: that is no failure.
      if (error.reused && performance.now() < until) return this.#post(path, body, until);
      throw error;
    });
    if (status < 200 || status > 299) throw new Error(`it answered with status ${status}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(path: string, body: Buffer, until: number): Promise<number> {
    const { headers } = this.#options;
    return new Promise((resolve, reject) => {
      const request = this.#request({
        ...this.#targetOf(path),
        ...{ method: "POST", agent: this.#agent },
        headers: { "content-type": "application/json", ...headers, "content-length": body.length },
      });
      // An AbortSignal would double the CPU time of the request.
      const late = setTimeout(
        () => request.destroy(new Error(`no answer within ${answerMs / 1000} seconds`)),
        until - performance.now(),
      );
      request.on("response", (response) => {
        response.on("error", reject).on("end", () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      request.on("error", (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
      request.on("close", () => clearTimeout(late));
      request.end(body);
    });
  }

  #targetOf(path: string): RequestOptions {
    const known = this.#targets.get(path);
    if (known) return known;
    const target = urlToHttpOptions(new URL(`${this.#options.endpoint.replace(/\/$/, "")}/${path}`));
    this.#targets.set(path, target);
    return target;
  }
}
