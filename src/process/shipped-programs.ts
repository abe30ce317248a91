/** Programs that come with Wield, wherever it is installed; `app/program-rules.ts` asks before an agent changes one. */
export const shippedPrograms = new Set<string>();

export async function shippedRipgrep(): Promise<string> {
  const { rgPath } = await import("@vscode/ripgrep");
  shippedPrograms.add(rgPath);
  return rgPath;
}
