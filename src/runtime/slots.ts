/** At most so many pieces of work at once; the rest wait in order. */
export interface Slots {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function limitTo(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    run: async (work) => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free--;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
