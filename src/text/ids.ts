/** Short names for calls, steps and sessions: unlikely to meet, and no secret, so they need no cryptography. */
export function newId(prefix: string): string {
  const letters = Array.from({ length: 10 }, () => Math.floor(Math.random() * 36).toString(36));
  return `${prefix}_${letters.join("")}`;
}
