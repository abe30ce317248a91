/** A word of the system to the model inside the conversation, set apart from what the person said. */
export function asNotice(text: string): string {
  // A summary may quote anyone, but only Wield may start or end a notice.
  return `<notice>\n${text.replaceAll(/<(?=\/?notice\b)/gi, "‹")}\n</notice>`;
}

export function isNotice(text: string): boolean {
  return text.startsWith("<notice>");
}
