/** A time in the reader's time zone: `2026-11-15 16:04`. */
export function localTime(iso: string): string {
  return new Date(iso).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}
