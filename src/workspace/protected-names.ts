/**
 * Names that start by themselves (hooks, editor and agent settings, build files that run code) or hold Wield's own rules.
 * Writing one is never automatic. Compared in the loosest spelling any file system accepts.
 */
const protectedNames = new Set([
  ".git",
  ".husky",
  ".vscode",
  ".idea",
  ".cursor",
  ".claude",
  ".codex",
  ".agents",
  ".gemini",
  ".wield",
  ".cursorrules",
  ".windsurf",
  ".windsurfrules",
  ".clinerules",
  ".roo",
  ".roorules",
  ".kiro",
  ".continue",
  ".opencode",
  "opencode.json",
  "opencode.jsonc",
  ".zed",
  ".devcontainer",
  ".devcontainer.json",
  ".github",
  ".gitlab-ci.yml",
  ".circleci",
  ".travis.yml",
  "azure-pipelines.yml",
  "jenkinsfile",
  ".mcp.json",
  "agents.md",
  "claude.md",
  "gemini.md",
  ".envrc",
  ".env",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".profile",
  ".zprofile",
  ".zshrc",
  ".zshenv",
  ".zlogin",
  ".zlogout",
  ".bash_logout",
  ".bash_aliases",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".xprofile",
  ".xinitrc",
  ".ssh",
  ".vimrc",
  ".exrc",
  ".nvimrc",
  ".nvim.lua",
  ".dir-locals.el",
  ".gdbinit",
  ".lldbinit",
  ".gitmodules",
  ".gitattributes",
  ".gitconfig",
  ".npmrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".yarnrc",
  ".yarn",
  ".pnp.cjs",
  ".pnp.loader.mjs",
  "bunfig.toml",
  "package.json",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "makefile",
  "gnumakefile",
  "justfile",
  "conftest.py",
  "sitecustomize.py",
  "usercustomize.py",
  ".pre-commit-config.yaml",
  ".githooks",
  "lefthook.yml",
  ".lefthook.yml",
  ".cargo",
  "build.rs",
  "build.gradle",
  "build.gradle.kts",
  "settings.gradle",
  "settings.gradle.kts",
  ".mvn",
]);
const protectedEndings = /\.code-workspace$/;

/** The first protected name in a path, as it is spelt there. */
export function protectedPart(path: string): string | undefined {
  return path.split("/").find((part) => {
    const name = plainName(part);
    return protectedNames.has(name) || protectedEndings.test(name);
  });
}

/** A path in that spelling. */
export function plainPath(path: string): string {
  return path.split("/").map(plainName).join("/");
}

function plainName(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(/[\u00AD\u200B-\u200F\u2060-\u206F\uFEFF]/g, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return /^git~\d$/.test(plain) ? ".git" : plain;
}
