import { fitLines } from "./fit-lines.ts";
import { fenceTokens, fenceUntrusted } from "./untrusted.ts";

/**
 * Untrusted text as renderings for a model: complete, or as many lines as fit and the call that reads the rest;
 * always fenced.
 */
export function fencedLines(
  text: string,
  source: string,
  callId: string | undefined,
): (string | ((budget: number) => string))[] {
  const lines = text.split("\n");
  const whole = fenceUntrusted(text, source);
  if (callId === undefined) return [whole];
  // The kept result begins with the fence, so its lines are one further down.
  const readOn = (shown: number) => `read_result(${JSON.stringify({ id: callId, startLine: shown + 2 })})`;
  const closing = (shown: number) => `… ${shown} of ${lines.length} lines shown. The rest: ${readOn(shown)}`;
  return [whole, (budget) => fenceUntrusted(fitLines(lines, budget - fenceTokens, closing), source)];
}
