/** A word of the system to the model inside the conversation, set apart from what the person said. */
export function asNotice(text: string): string {
  return `<notice>\n${text}\n</notice>`;
}

export function isNotice(text: string): boolean {
  return text.startsWith("<notice>");
}
