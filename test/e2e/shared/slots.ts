/** Lets only so many programs run at once: each keeps a core busy for its first second. */
export interface Slots {
  use<T>(task: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async use(task) {
      if (free > 0) free--;
      else await new Promise<void>((go) => waiting.push(go));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
