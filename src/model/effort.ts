/** How much a model thinks before it answers, as the AI SDK calls it; each provider's package maps it to what the provider has. */
export const efforts = ["none", "low", "medium", "high", "max"] as const;
export type Effort = (typeof efforts)[number];
