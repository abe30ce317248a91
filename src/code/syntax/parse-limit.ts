// How long one text may be parsed.
import { Failure } from "../../failure/failure.ts";
import type { Language } from "../languages/language.ts";

/** What to say where parsing was stopped. */
export function stopped(reason: "work" | "wait" | undefined, source: string, language: Language): Failure {
  const size = `${Math.round(source.length / 1024)} KB of ${language.name}`;
  return reason === "wait"
    ? new Failure("UNAVAILABLE", `The machine is too busy to parse the file now (${size}). Ask again.`)
    : new Failure(
        "TOO_LARGE",
        `The file is too large to parse (${size}). Use grep to find a place in it and read to see the lines around.`,
      );
}

/** Waiting for a busy machine counts only when it gets so many times longer than the work may take. */
const patience = 20;

/** Why to stop: this thread has worked for so long, or has waited very long for its turn. */
export function limitOf(limitMs: number): () => "work" | "wait" | undefined {
  const worked = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const begin = worked();
  let next = performance.now() + limitMs;
  const end = performance.now() + patience * limitMs;
  return () => {
    // The clock is cheap to ask, and never behind.
    if (performance.now() < next) return undefined;
    const left = limitMs - (worked() - begin);
    if (left <= 0) return "work";
    next = Math.min(performance.now() + left, end);
    return performance.now() >= end ? "wait" : undefined;
  };
}
