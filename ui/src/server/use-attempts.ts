import { useState } from "react";
import { wordsOf } from "./api.ts";

/** Runs actions and keeps the error message of the last one. */
export function useAttempts() {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<unknown>) => {
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
      return true;
    } catch (failed) {
      setProblem(wordsOf(failed));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { problem, busy, attempt };
}
