import { availableParallelism } from "node:os";
import type { IndexView } from "../api/settings.ts";
import type { Wield } from "../app/wield.ts";

/** The state of the code index, and building it on demand. */
export class CodeIndex {
  readonly #wield: Wield;
  readonly #stop = new AbortController();
  #building: { code: number; parsed: number } | undefined;

  constructor(wield: Wield) {
    this.#wield = wield;
  }

  async view(): Promise<IndexView> {
    if (this.#building) return { ...this.#building, building: true, languages: {} };
    const { code, parsed, languages } = await (await this.#wield.code()).status({
      signal: this.#stop.signal,
    });
    return { code, parsed, building: false, languages: Object.fromEntries(languages) };
  }

  async build(): Promise<void> {
    if (this.#building) return;
    this.#building = { code: 0, parsed: 0 };
    const progress = ({ code, parsed }: { code: number; parsed: number }) => {
      this.#building = { code, parsed };
    };
    try {
      await (await this.#wield.code()).build({
        threads: availableParallelism(),
        signal: this.#stop.signal,
        progress,
      });
    } finally {
      this.#building = undefined;
    }
  }

  close(): void {
    this.#stop.abort();
  }
}
