/** A word of the system to the model inside the conversation, set apart from what the person said. */
export function asNotice(text: string): string {
  // A summary may quote anyone, but only Wield may start or end a notice.
  return `<notice>\n${text.replaceAll(/<(?=\/?notice\b)/gi, "‹")}\n</notice>`;
}

/** For the model: earlier results may speak of tools and refusals of another profile. */
export function profileNotice(before: string, now: string): string {
  return `The person switched the profile from ${before} to ${now}. The instructions and tools that you have now count; what was not possible before may be possible.`;
}

/** A notice as people see it: what is meant for the model alone is left out. */
export function noticeForPerson(text: string): string {
  const [, before = "", now = ""] = /^The person switched the profile from (\w+) to (\w+)\./.exec(text) ?? [];
  return now !== "" && text === profileNotice(before, now) ? `Profile: ${now}` : text;
}

export function isNotice(text: string): boolean {
  return text.startsWith("<notice>");
}
