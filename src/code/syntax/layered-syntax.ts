import type { FileSyntax } from "./syntax.ts";
import type { EncodedSyntax } from "./syntax-code.ts";
import type { SyntaxStore } from "./syntax-store.ts";

/** What is known of the syntax of contents, whoever parsed them. */
export type Syntaxes = Omit<SyntaxStore, never>;

interface SharedSyntax {
  readonly generation: string;
  readonly syntax: SyntaxStore;
  /** Whether all of it is parsed. */
  readonly isParsed: boolean;
  /** Whether it has a file with this content. */
  holds(key: string): boolean;
}

/**
 * The syntax of contents that several workspaces share, and of those that only this one has: what it declares in its own files is
 * never told to the others.
 */
export class LayeredSyntax implements Syntaxes {
  readonly #shared: SharedSyntax;
  readonly #own: SyntaxStore;

  constructor(shared: SharedSyntax, own: SyntaxStore) {
    this.#shared = shared;
    this.#own = own;
  }

  get(key: string): FileSyntax | null | undefined {
    const shared = this.#shared.syntax.get(key);
    return shared === undefined ? this.#own.get(key) : shared;
  }

  keep(key: string, syntax: FileSyntax): FileSyntax {
    return this.#of(key).keep(key, syntax);
  }

  has(key: string): boolean {
    return this.#both.some((store) => store.has(key));
  }

  unparsable(): string[] {
    return this.#all((store) => store.unparsable());
  }

  put(entries: readonly (readonly [key: string, syntax: EncodedSyntax | undefined])[]): void {
    for (const [store, some] of Map.groupBy(entries, ([key]) => this.#of(key))) store.put(some);
  }

  declaring(name: string): string[] {
    return this.#all((store) => store.declaring(name));
  }

  childrenOf(parent: string): { name: string; key: string }[] {
    return this.#both.flatMap((store) => store.childrenOf(parent));
  }

  parentsOf(child: string): { name: string; key: string }[] {
    return this.#both.flatMap((store) => store.parentsOf(child));
  }

  namesWith(text: string): string[] {
    return this.#all((store) => store.namesWith(text));
  }

  namesLike(pattern: RegExp): string[] {
    return this.#all((store) => store.namesLike(pattern));
  }

  keys(): Set<string> {
    return this.#shared.syntax.keys().union(this.#own.keys());
  }

  isComplete(generation: string): boolean {
    return generation === this.#shared.generation ? this.#shared.isParsed : this.#own.isComplete(generation);
  }

  markComplete(generation: string): void {
    if (generation !== this.#shared.generation) this.#own.markComplete(generation);
  }

  complete(generation: string, keys: ReadonlySet<string>): void {
    this.#own.complete(generation, keys);
  }

  clear(): void {
    this.#own.clear();
  }

  close(): void {
    this.#own.close();
  }

  get #both(): readonly SyntaxStore[] {
    return [this.#own, this.#shared.syntax];
  }

  #of(key: string): SyntaxStore {
    return this.#shared.holds(key) ? this.#shared.syntax : this.#own;
  }

  #all(ask: (store: SyntaxStore) => string[]): string[] {
    return [...new Set(this.#both.flatMap(ask))];
  }
}
