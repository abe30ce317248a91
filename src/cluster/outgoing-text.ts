/** How texts that Wield itself wrote are recognised: they give no tasks. */
export const ownMark = "<!-- wield ";

/** An `@`, however it is written, that would call somebody. */
const mention = /(?<![A-Za-z0-9])(?:@|&#0*64;|&#x0*40;|&commat;)(?=\w)/gi;
/** A line that GitLab would carry out, such as `/merge`. */
const quickAction = /^([ \t]*)(?=\/[a-z])/gim;

/** What is written elsewhere notifies nobody, is no task for Wield and commands nothing. */
export function callingNobody(text: string): string {
  return text.replaceAll(mention, "$&\u200b").replaceAll(quickAction, "$1\u200b");
}
