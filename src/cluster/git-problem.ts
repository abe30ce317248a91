/** The server says why in its own words. */
const refused = /protected branch|pre-receive hook declined|remote rejected/i;

/** What git reports, and what it means to somebody who can change it. The first that fits is told. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/could not resolve host/i, "The server does not exist, or the worker cannot find it by its name."],
  [
    /host key verification failed/i,
    "The worker does not know the SSH key of the server: connect once with ssh as the user that the worker runs as.",
  ],
  [
    /permission denied|authentication failed|could not read (?:username|password)|access denied|returned error: 40[13]/i,
    "The worker has no access: give the user that it runs as an SSH key or a git credential helper for this repository.",
  ],
  [
    /repository .*not found|does not appear to be a git repository|does not exist|not found/i,
    "There is no git repository at this address, or the worker may not see it.",
  ],
  [
    /connection (?:refused|reset|timed out|closed)|timed out|network is unreachable|no route to host|failed to connect/i,
    "The server does not answer.",
  ],
  [refused, "The server did not accept the branch."],
];

const mostChars = 300;

/** Why a git command failed, in a sentence, whatever way git told it. */
export function gitProblem(command: string, stderr: string): string {
  const [pattern, known] = meanings.find(([said]) => said.test(stderr)) ?? [];
  const meaning = [known, ...(pattern === undefined || pattern === refused ? [wordsOf(stderr)] : [])]
    .filter(Boolean)
    .join(" ");
  if (command === "ls-remote") return `The repository cannot be read. ${meaning}`;
  if (command === "fetch")
    return `The project's repository cannot be read. ${meaning} An admin can correct its address on the page Team.`;
  if (command === "push") return `The result could not be pushed to the project's repository. ${meaning}`;
  return `git ${command} failed. ${meaning}`;
}

/** An address without the password that may be in it. */
export function withoutPassword(text: string): string {
  return text.replaceAll(/\/\/[^@/\s]*@/g, "//…@");
}

/** The lines of git without its prefixes; the first ones say what failed. */
function wordsOf(stderr: string): string {
  const lines = withoutPassword(stderr)
    .split("\n")
    .map((line) => line.replace(/^(?:fatal|error|remote|warning): */, "").trim())
    .filter(Boolean);
  const words = lines.join(" ").slice(0, mostChars);
  if (words === "") return "Git did not say why.";
  return `Git says: ${words}${/[.!?]$/.test(words) ? "" : "."}`;
}
