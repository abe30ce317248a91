/** One line for the journal and for people; a description that only names the change again, or none, adds nothing. */
export function described(change: string, description: string | undefined): string {
  const words = description?.trim().replace(/\.$/, "") ?? "";
  return words === "" || words.toLowerCase() === change.toLowerCase() ? change : `${change}: ${description}`;
}
