/**
 * Settings that name a file which git reads, each with the value that every run has instead: git's messages and answers would
 * reveal the contents. Settings of which git reads every value are refused in git-settings.ts, and git_blame reads its file itself.
 */
export const noNamedFiles = [
  "mailmap.file=/dev/null",
  "mailmap.blob=",
  "commit.template=/dev/null",
  "diff.orderFile=/dev/null",
  "log.showSignature=false",
  "gpg.ssh.allowedSignersFile=/dev/null",
  "gpg.ssh.revocationFile=/dev/null",
].flatMap((setting) => ["-c", setting]);

/** Messages in which git repeats a line of a file that it was led to. */
const repeating =
  /invalid object name: |is not a valid attribute name|object directory .* does not exist|unable to normalize alternate object path|ignoring alternate object stores/i;

/** What git reports, without lines that may come from any file. */
export function withoutFileContents(message: string): string {
  return message
    .split("\n")
    .filter((line) => !repeating.test(line))
    .join("\n");
}
