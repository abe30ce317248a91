/**
 * An estimate on the safe side. No public tokenizer matches every vendor; bytes divided by 3.6 read slightly high on
 * code and prose, and about right on scripts that need several bytes a character. Reported usage corrects it later.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** The most bytes that surely fit into a number of tokens. */
export function bytesWithin(tokens: number): number {
  return Math.floor(tokens * bytesPerToken);
}

const bytesPerToken = 3.6;
