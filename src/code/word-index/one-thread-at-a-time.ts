// For what the engine has only once for all threads of a process, as its flags.

const name = "wield: whether a thread is at work alone";
/** A thread that was ended at work never says that it is done. */
const longestWorkMs = 1_000;

/** Threads started from now on wait for this one, and for each other. */
export function shareTurns(): Int32Array {
  // Loaded when it is needed: a short command starts no thread.
  const { getEnvironmentData, setEnvironmentData } = process.getBuiltinModule("node:worker_threads");
  const known = getEnvironmentData(name);
  const shared = known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(4);
  if (shared !== known) setEnvironmentData(name, shared);
  return new Int32Array(shared);
}

/** Runs the work while no other thread is in here. */
export function oneThreadAtATime<T>(work: () => T): T {
  const turn = shareTurns();
  const until = performance.now() + longestWorkMs;
  while (Atomics.compareExchange(turn, 0, 0, 1) !== 0 && performance.now() < until)
    Atomics.wait(turn, 0, 1, until - performance.now());
  try {
    return work();
  } finally {
    Atomics.store(turn, 0, 0);
    Atomics.notify(turn, 0, 1);
  }
}
