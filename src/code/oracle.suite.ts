/** What an oracle found, for `npm run bench code`. */
export function tell(
  kind: "outline" | "references" | "importers",
  what: string,
  agreed: number,
  missed: number,
  invented: number,
): void {
  if (!process.env["WIELD_BENCH"]) return;
  const share = (others: number) => (agreed / (agreed + others)).toFixed(4);
  console.log(`oracle ${kind} ${what}: recall ${share(missed)}, precision ${share(invented)}`);
}
