import { type GitContext, type GitOptions, git } from "./run-git.ts";

/** How the commit messages of a repository look, where most of them look alike. */
export interface Convention {
  /** For a person and a model: what messages look like, with an example from the log. */
  description: string;
  fits(message: string): boolean;
}

const readCommits = 50;
const fewestCommits = 5;
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
  const args = [
    "log",
    "--no-merges",
    `--max-count=${readCommits}`,
    "--no-color",
    "--format=%B%x00",
    "HEAD",
    "--",
  ];
  const text = await git(args, context, options).catch(() => "");
  return conventionIn(
    text
      .split("\0")
      .map((message) => message.trim())
      .filter(Boolean),
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
