import { type GitContext, type GitOptions, git } from "./run-git.ts";

/** How the commit messages of a repository look, where most of them look alike. */
export interface Convention {
  /** For a person and a model: what messages look like, with an example from the log. */
  description: string;
  fits(message: string): boolean;
}

const readCommits = 50;
/** Entries of the reflog in which commits of agents are looked for. */
const readMoves = 200;
const fewestCommits = 5;

/** What the reflog says of a commit that git_commit made: how a person writes messages is not learned from it. */
export const agentCommit = "commit (agent)";
/** So many of the commits must follow a form for it to be one. */
const share = 0.7;

const types = "feat|fix|docs|style|refactor|perf|test|tests|build|ci|chore|revert";
const forms: { name: string; form: RegExp }[] = [
  { name: "a type, perhaps a scope, and a colon", form: new RegExp(`^(?:${types})(?:\\([^)]+\\))?!?: \\S`) },
  { name: "the number of a ticket first", form: /^\[?[A-Z][A-Z0-9]+-\d+\]?[: ]/ },
  { name: "an area and a colon", form: /^[\w./,*-]+(?:\([^)]+\))?: \S/ },
  { name: "an emoji first", form: /^(?::\w+:|\p{Extended_Pictographic})/u },
];

export async function conventionOf(
  context: GitContext,
  options: GitOptions,
): Promise<Convention | undefined> {
  const log = (count: number, ...args: string[]) =>
    git(["log", `--max-count=${count}`, "--no-color", ...args, "HEAD", "--"], context, options).catch(
      () => "",
    );
  const [commits, moves] = await Promise.all([
    log(readCommits, "--no-merges", "--format=%H%n%B%x00"),
    log(readMoves, "--walk-reflogs", "--format=%H %gs"),
  ]);
  const byAgent = new Set(
    moves
      .split("\n")
      .flatMap((line) =>
        line.slice(line.indexOf(" ") + 1).startsWith(agentCommit) ? [line.split(" ")[0]] : [],
      ),
  );
  return conventionIn(
    commits.split("\0").flatMap((entry) => {
      const [hash = "", ...lines] = entry.trim().split("\n");
      const message = lines.join("\n").trim();
      return message === "" || byAgent.has(hash) ? [] : [message];
    }),
  );
}

export function conventionIn(messages: readonly string[]): Convention | undefined {
  if (messages.length < fewestCommits) return undefined;
  const usual = (test: (message: string) => boolean) =>
    messages.filter(test).length >= share * messages.length;
  const found = forms.find(({ form }) => usual((message) => form.test(message)));
  const signed = usual((message) => /^Signed-off-by: /m.test(message));
  if (!found && !signed) return undefined;
  const example = messages.find((message) => found?.form.test(message) ?? true)?.split("\n")[0];
  const parts = [
    ...(found ? [`${found.name}, such as ${JSON.stringify(example)}`] : []),
    ...(signed ? ["a line Signed-off-by at the end"] : []),
  ];
  return {
    description: parts.join("; "),
    fits: (message) => (found?.form.test(message) ?? true) && (!signed || /^Signed-off-by: /m.test(message)),
  };
}
