import type { ReadStream } from "node:tty";

/** Watches for Esc and Ctrl+C while nobody else reads the keyboard. */
export interface KeyWatch {
  start(): void;
  /** True when it was watching until now. */
  stop(): boolean;
}

export function watchKeys(input: ReadStream, onInterrupt: () => void): KeyWatch {
  let watching = false;
  const onKey = (key: Buffer) => {
    const text = key.toString();
    // Arrows and the like begin with Esc, too, but bring more characters along.
    if (text === "\u001b" || text === "\u0003") onInterrupt();
  };
  return {
    start: () => {
      if (watching) return;
      watching = true;
      input.setRawMode(true);
      input.on("data", onKey);
      input.resume();
    },
    stop: () => {
      if (!watching) return false;
      watching = false;
      input.off("data", onKey);
      input.setRawMode(false);
      input.pause();
      return true;
    },
  };
}
