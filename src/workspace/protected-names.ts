/**
 * Names of files that programs execute or load automatically, grouped by program, and names of files with Wield's own
 * rules. Writing one always asks. Names are compared in the most tolerant spelling of any file system (`plainName`).
 */
const protectedNames: readonly RegExp[] = [
  // git: hooks, filters, addresses, and what Wield asks about.
  names(".git .gitmodules .gitattributes .gitconfig .gitignore .githooks .husky lefthook.yml .lefthook.yml"),
  names(".pre-commit-config.yaml .lintstagedrc"),
  /^\.lintstagedrc\..+$/,
  // Editors and what they start when a folder is opened.
  names(
    ".vscode .idea .zed .fleet .devcontainer .devcontainer.json .vimrc .exrc .nvimrc .nvim.lua .dir-locals.el",
  ),
  names(".gdbinit .lldbinit .vs"),
  /\.code-workspace$/,
  // Agents: instructions, settings, servers.
  names(
    ".wield .claude .codex .agents .cursor .cursorrules .gemini .windsurf .windsurfrules .clinerules .roo .roorules",
  ),
  names(
    ".kiro .continue .opencode opencode.json opencode.jsonc .junie .amp .factory .qwen .aider.conf.yml .mcp.json",
  ),
  names("agents.md agent.md claude.md gemini.md warp.md crush.md qwen.md .goosehints .rules"),
  // Continuous integration.
  names(
    ".github .gitlab .gitlab-ci.yml .circleci .travis.yml jenkinsfile bitbucket-pipelines.yml .drone.yml .buildkite",
  ),
  names(
    "appveyor.yml .appveyor.yml .woodpecker .woodpecker.yml .cirrus.yml .semaphore .teamcity .forgejo .gitea",
  ),
  names("cloudbuild.yaml cloudbuild.yml buildspec.yml"),
  /^azure-pipelines.*\.ya?ml$/,
  // Shells and logins.
  names(
    ".envrc .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zprofile .zshrc .zshenv .zlogin",
  ),
  names(".zlogout .kshrc .cshrc .tcshrc .login .xprofile .xinitrc .ssh"),
  /^\.env(?!\.(example|sample|template)$)(\..+)?$/,
  // Tool versions and environments that a shell or a version manager loads automatically.
  /^\.?mise(\..+)?\.toml$/,
  names(".mise .tool-versions flake.nix shell.nix default.nix devbox.json"),
  // Package managers: registries, plugins, loaders.
  names(".npmrc .yarnrc .yarnrc.yml .yarn .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs bunfig.toml .cargo .mvn"),
  // Code that a build, test or format tool runs when it starts.
  /^(?!app\.)[\w.-]+\.config\.[cm]?[jt]sx?$/,
  /^\.(eslintrc|prettierrc|babelrc|stylelintrc|mocharc|swcrc|nycrc)(\..+)?$/,
  /^(gulpfile|gruntfile)\..+$/,
  names(
    "setup.py setup.cfg conftest.py sitecustomize.py usercustomize.py noxfile.py tox.ini build.rs rakefile",
  ),
  names("gradlew gradlew.bat mvnw mvnw.cmd vagrantfile tiltfile procfile"),
  /\.pth$/,
];

/**
 * Ordinary manifests. They can name commands, so creating one asks like changing one; but agents edit them
 * constantly, so rules and modes that allow edits allow these.
 */
const manifestNames: readonly RegExp[] = [
  names(
    "package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock",
  ),
  names(
    "deno.json deno.jsonc deno.lock cargo.toml cargo.lock pyproject.toml poetry.lock uv.lock pipfile pipfile.lock",
  ),
  names(
    "go.mod go.sum go.work pom.xml composer.json composer.lock gemfile gemfile.lock cmakelists.txt meson.build",
  ),
  names("makefile gnumakefile justfile .justfile taskfile.yml taskfile.yaml"),
  /^(build|settings)\.gradle(\.kts)?$/,
];

/** The first protected name in a path, as it is spelt there. */
export function protectedPart(path: string): string | undefined {
  return partMatching(path, protectedNames) ?? programPart(path);
}

/** The name of a manifest at the end of a path, as it is spelt there. */
export function manifestPart(path: string): string | undefined {
  return isDependency(path) ? undefined : partMatching(path.slice(path.lastIndexOf("/") + 1), manifestNames);
}

function partMatching(path: string, patterns: readonly RegExp[]): string | undefined {
  const parts = path.split("/");
  // Tools do not look for their settings inside installed packages, but programs there are still found.
  const dependencies = parts.findIndex((part) => plainName(part) === "node_modules");
  const looked = dependencies < 0 ? parts : parts.slice(0, dependencies);
  const isProtected = (part: string) => patterns.some((pattern) => pattern.test(plainName(part)));
  return looked.find(isProtected) ?? parts.slice(looked.length).find((part) => plainName(part) === ".git");
}

/**
 * Protected names have no effect inside an installed package; but a link into one would give them a place where they
 * have.
 */
export function isDependency(path: string): boolean {
  return path.split(/[/:]/).some((part) => plainName(part) === "node_modules");
}

/** A folder of programs that a shell or a script runner looks into: `node_modules/.bin`, `.venv/bin`. */
function programPart(path: string): string | undefined {
  const parts = path.split("/");
  return parts.find((part, at) => {
    const [above, name] = [plainName(parts[at - 1] ?? ""), plainName(part)];
    return (
      (above === "node_modules" && name === ".bin") ||
      (/^\.?venv$/.test(above) && (name === "bin" || name === "scripts"))
    );
  });
}

/** Exactly these names, given with spaces between. */
function names(list: string): RegExp {
  const alternatives = list.split(" ").map((name) => name.replaceAll(".", "\\."));
  return new RegExp(`^(${alternatives.join("|")})$`);
}

/** A path in that spelling. */
export function plainPath(path: string): string {
  return path.split("/").map(plainName).join("/");
}

const ordinaryName = /^[a-z0-9_.-]*[a-z0-9_-]$/;

function plainName(name: string): string {
  if (ordinaryName.test(name)) return name;
  const plain = name
    .normalize("NFKC")
    .replace(/[\u00AD\u200B-\u200F\u2060-\u206F\uFEFF]/g, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return /^git~\d$/.test(plain) ? ".git" : plain;
}
