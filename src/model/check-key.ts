/** What one small request with a key said. */
export type KeyCheck = { valid: true } | { valid: false; rejected: boolean; message: string };

/** One request that only a valid key gets an answer to. No redirects: the key is sent only to whom it belongs. */
export async function checkKey(
  { address, headers }: { address: string; headers: Record<string, string> },
  label: string,
  signal: AbortSignal,
): Promise<KeyCheck> {
  try {
    const wait = AbortSignal.any([signal, AbortSignal.timeout(15_000)]);
    const response = await fetch(address, { headers, redirect: "error", signal: wait });
    await response.body?.cancel();
    if (response.ok) return { valid: true };
    if ([400, 401, 403].includes(response.status))
      return {
        valid: false,
        rejected: true,
        message: `${label} rejected the key (HTTP ${response.status}).`,
      };
    return { valid: false, rejected: false, message: `${label} answered with HTTP ${response.status}.` };
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    return { valid: false, rejected: false, message: `${label} cannot be reached (${why}).` };
  }
}
