import type { ToolRegistry } from "../registry/registry.ts";
import type { Tool } from "../tool/tool.ts";
import type { ToolSource } from "../tool/tool-source.ts";

/** Keeps the registry in step with the sources of tools that are not ours. */
export class ExtraTools {
  readonly #registry: ToolRegistry;
  readonly #admit: (tool: Tool) => Tool | undefined;
  readonly #sources: readonly ToolSource[];
  /** What a source put into the registry, by the source's own tool. */
  readonly #registered = new Map<Tool, Tool>();
  #duplicates: string[] = [];
  #running: Promise<void> | undefined;
  readonly #awaited = new WeakSet<Promise<void>>();
  #closed = false;

  /** `admit` may change a tool or leave it out. */
  constructor(
    registry: ToolRegistry,
    sources: readonly ToolSource[],
    admit: (tool: Tool) => Tool | undefined,
  ) {
    this.#registry = registry;
    this.#sources = sources;
    this.#admit = admit;
  }

  /** Calls that come together share one look. */
  refresh(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#running ??= this.#follow().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Up to date, and everything has answered that was still waited for: all of it, or what could bring one of these tools. */
  async ready(tools?: readonly string[]): Promise<void> {
    await this.refresh();
    const pending = this.#sources.flatMap((source) =>
      tools ? tools.flatMap((tool) => source.pending(tool)) : source.pending(),
    );
    if (pending.length === 0) return;
    await Promise.all(pending);
    await this.#join();
  }

  names(): string[] {
    return [...this.#registered.values()].map((tool) => tool.name);
  }

  problems(): string[] {
    return [...this.#sources.flatMap((source) => source.problems()), ...this.#duplicates];
  }

  /** Problems after a closer look. */
  async check(): Promise<string[]> {
    await this.ready();
    const found = await Promise.all(this.#sources.map((source) => source.check()));
    return [...this.problems(), ...found.flat()];
  }

  withheld(tool: string): string | undefined {
    return this.#sources.map((source) => source.withheld(tool)).find((reason) => reason !== undefined);
  }

  close(): void {
    this.#closed = true;
    for (const source of this.#sources) source.close();
  }

  async #follow(): Promise<void> {
    if (this.#sources.length === 0) return;
    await Promise.all(this.#sources.map((source) => source.refresh()));
    const present = new Set(this.#sources.flatMap((source) => source.tools()));
    for (const [tool, registered] of this.#registered) {
      if (present.has(tool)) continue;
      this.#registry.unregister(registered.name);
      this.#registered.delete(tool);
    }
    this.#duplicates = [];
    for (const tool of present) {
      if (this.#registered.has(tool)) continue;
      const admitted = this.#admit(tool);
      if (!admitted) continue;
      if (this.#registry.get(admitted.name)) {
        this.#duplicates.push(
          `A tool named ${admitted.name} (${admitted.title}) is there twice; the second is left out. Rename one of them.`,
        );
        continue;
      }
      this.#registry.register(admitted);
      this.#registered.set(tool, admitted);
    }
    for (const pending of this.#sources.flatMap((source) => source.pending())) {
      if (this.#awaited.has(pending)) continue;
      this.#awaited.add(pending);
      void pending.then(() => this.#join());
    }
  }

  /** A look that begins now: one that is under way may have missed what just came. */
  async #join(): Promise<void> {
    await this.#running;
    await this.refresh();
  }
}
