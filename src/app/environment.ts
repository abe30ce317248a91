export type Environment = Readonly<Record<string, string | undefined>>;

/** Programs that Wield starts get the variables they need, and no others. */
export function variablesOf(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Identity, credentials and program path, so that commits and pushes work as they do in the person's own terminal. */
export const gitVariables = [
  "PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "SSH_AUTH_SOCK",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
];

/** Where toolchains are found, and what they need to tell about themselves. */
export const toolchainVariables = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"];
