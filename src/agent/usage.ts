import type { Usage } from "../events/agent-events.ts";

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const writtenTokens = (a.writtenTokens ?? 0) + (b.writtenTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    ...(writtenTokens > 0 && { writtenTokens }),
  };
}

export function usageWithout(all: Usage, part: Usage): Usage {
  const writtenTokens = (all.writtenTokens ?? 0) - (part.writtenTokens ?? 0);
  return {
    inputTokens: all.inputTokens - part.inputTokens,
    outputTokens: all.outputTokens - part.outputTokens,
    cachedTokens: all.cachedTokens - part.cachedTokens,
    ...(writtenTokens > 0 && { writtenTokens }),
  };
}
