type ScopeKind = "scope" | "block" | "region";

/** The nested stretches of a file in which names are bound. Added in any order, sorted once, then asked. */
export class Scopes {
  readonly #all: { start: number; end: number; kind: ScopeKind; outer: number }[] = [];

  add(start: number, end: number, kind: ScopeKind): void {
    this.#all.push({ start, end, kind, outer: -1 });
  }

  sort(): void {
    this.#all.sort((a, b) => a.start - b.start || b.end - a.end);
    const open: number[] = [];
    this.#all.forEach((scope, index) => {
      while (open.length > 0 && (this.#all[open.at(-1) ?? 0]?.end ?? 0) <= scope.start) open.pop();
      scope.outer = open.at(-1) ?? -1;
      open.push(index);
    });
  }

  /** Inside a function, other than the one that `itself` is. */
  inFunction(offset: number, itself?: { startIndex: number; endIndex: number }): boolean {
    return this.#find(offset, itself, ["scope"]) !== undefined;
  }

  /** The innermost scope of these kinds around an offset. */
  around(
    offset: number,
    itself?: { startIndex: number; endIndex: number },
    kinds?: readonly ScopeKind[],
  ): readonly [number, number] | undefined {
    const scope = this.#find(offset, itself, kinds);
    return scope && [scope.start, scope.end];
  }

  #find(
    offset: number,
    itself: { startIndex: number; endIndex: number } | undefined,
    kinds: readonly ScopeKind[] | undefined,
  ) {
    let low = 0;
    let high = this.#all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle]?.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    for (let i = low - 1; i >= 0; ) {
      const scope = this.#all[i];
      if (!scope) return undefined;
      const isItself = itself && scope.start === itself.startIndex && scope.end === itself.endIndex;
      if (scope.end > offset && !isItself && (kinds?.includes(scope.kind) ?? true)) return scope;
      i = scope.outer;
    }
    return undefined;
  }
}
