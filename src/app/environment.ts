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
  "GIT_CONFIG_GLOBAL",
  "GNUPGHOME",
  "GPG_TTY",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
];

/** Where toolchains are found, the variables that they need, and the person's language, time zone and colours. */
export const toolchainVariables = [
  ...["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME", "XDG_DATA_HOME"],
  ...["PYENV_ROOT", "GRADLE_USER_HOME"],
  ...["NVM_DIR", "FNM_DIR", "VOLTA_HOME", "MISE_DATA_DIR", "ASDF_DATA_DIR", "NODENV_ROOT", "N_PREFIX"],
  ...[
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
  ],
  ...["TZ", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"],
];

/** Hosts and tokens for pull requests, as the command-line clients of GitHub and GitLab know them. */
export const forgeVariables = [
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GH_HOST",
  "GITHUB_API_URL",
  "GITLAB_TOKEN",
  "GITLAB_HOST",
  "GITLAB_API_URL",
];
