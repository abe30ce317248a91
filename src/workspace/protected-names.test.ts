import { describe, expect, test } from "vitest";
import { manifestPart, protectedPart, protectionOf } from "./protected-names.ts";

const list = (text: string) => text.trim().split(/\s+/);

describe("files that programs load by themselves", () => {
  test.each([
    [".envrc", ".envrc", "runs when you enter this folder"],
    ["sub/.Rprofile", ".Rprofile", "runs when you start R in this folder"],
    [".ghci", ".ghci", "runs when you start GHCi in this folder"],
    [".hg/hgrc", ".hg", "holds the hooks and settings that Mercurial runs"],
    [
      ".helix/languages.toml",
      ".helix",
      "names the language servers that Helix starts when you open a file here",
    ],
    [".dir-locals-2.el", ".dir-locals-2.el", "runs when you open a file here in Emacs"],
    ["mypy.ini", "mypy.ini", "names plugins that the type checker runs"],
    [
      "gradle/wrapper/gradle-wrapper.properties",
      "gradle-wrapper.properties",
      "says which Gradle the wrapper downloads and runs",
    ],
    [".kilocode/mcp.json", ".kilocode", "tells agents what to do and which programs to start"],
    ["a/NODE_MODULES/.bin/tsc", ".bin", "holds the programs that script runners and shells find by name"],
    [".ENVRC.local", ".ENVRC.local", "runs when you enter this folder"],
  ])("%s is named, and when it runs is said", (path, part, why) => {
    expect(protectionOf(path)).toEqual({ part, why });
  });

  // Found by trying what each program reads from the folder in which it is started.
  const loaded = list(`
    .git/config .gitconfig .gitmodules .gitattributes .githooks/pre-commit .husky/pre-push lefthook.yml lefthook-local.yml
    .pre-commit-config.yaml .overcommit.yml .gitlint .hg/hgrc .jj/repo/config.toml .sl/config .bzr/branch/branch.conf
    .vscode/tasks.json .idea/workspace.xml .zed/settings.json a.code-workspace a.sublime-project .vimrc .exrc .nvim.lua
    .lazy.lua .vim/coc-settings.json .dir-locals.el .helix/config.toml .bsp/scala.json buildServer.json hie.yaml .merlin
    rust-analyzer.toml .luarc.json .solargraph.yml omnisharp.json .lite_project.lua .project .externalToolBuilders/a.launch
    .claude/settings.json .cursor/mcp.json .kilocode/mcp.json .roo/mcp.json .trae/rules.md .amazonq/mcp.json .augment/x
    .mcp.json mcp.json AGENTS.md CLAUDE.local.md .crush.json .github/workflows/a.yml .gitlab-ci.yml .gitlab-ci.build.yml
    .readthedocs.yaml jitpack.yml .tekton/a.yaml .builds/a.yml .goreleaser.yaml .releaserc .actrc .envrc .envrc.private
    .rvmrc .autoenv.zsh .shadowenv.d/a.lisp .env .env.local .bashrc .zshenv .config/fish/config.fish profile.ps1
    Microsoft.PowerShell_profile.ps1 .tmux.conf .xsession .mailcap .forward .ssh/config .aws/config .docker/config.json
    .local/bin/git .tool-versions mise.toml flake.nix devenv.nix .flox/env/manifest.toml rust-toolchain.toml global.json
    .pdm-python pyvenv.cfg .npmrc .yarnrc.yml .pnpmfile.cjs pip.conf uv.toml nuget.config .bundle/config .cargo/config.toml
    .mvn/extensions.xml gradle-wrapper.jar gradlew local.properties tools/bazel .bazelrc .bazelversion node_modules/.bin/x
    .venv/bin/python .terraform/providers/x .Rprofile .Renviron .RData renv/activate.R .ghci .irbrc .pryrc .ocamlinit
    .octaverc startup.m .iex.exs user.clj .pdbrc .perldb .gdbinit .lldbinit sitecustomize.py a.pth .jvmopts .sbtopts
    vite.config.ts .eslintrc.cjs .size-limit.js .formatter.exs .php-cs-fixer.dist.php .golangci.yml .rubocop.yml
    dprint.json .oxlintrc.json .markdownlint-cli2.jsonc .spectral.yaml mypy.ini analysis_options.yaml .pylintrc .flake8
    .lintr .sqlfluff phpstan.neon psalm.xml conftest.py setup.py build.rs Setup.hs config.nims conanfile.py
    .ycm_extra_conf.py pants.toml Directory.Build.props Directory.Build.rsp Rakefile latexmkrc ansible.cfg .user.ini
    .htaccess jupyter_notebook_config.py autorun.inf
  `);

  test("each has its reason", () => {
    expect(loaded.length).toBeGreaterThan(150);
    expect(loaded.filter((path) => protectionOf(path) === undefined)).toEqual([]);
    const reasons = loaded.map((path) => protectionOf(path)?.why ?? "");
    expect(reasons.filter((why) => !/^[a-z].+[a-z]$/.test(why))).toEqual([]);
  });

  test("in any spelling that a file system takes for the same", () => {
    for (const path of [
      ".GIT/config",
      "a/.git\u200c/x",
      "GIT~1/config",
      ".\uFF48elix/x",
      "Mypy.INI",
      ".envrc. ",
    ])
      expect(protectedPart(path), path).toBeDefined();
  });
});

test("what is edited daily and runs nothing by itself is free", () => {
  const ordinary = list(`
    README.md LICENSE CHANGELOG.md docs/guide.md src/index.ts src/app.config.ts src/main.py src/lib.rs cmd/main.go
    tsconfig.json tsconfig.build.json jsconfig.json biome.json turbo.json angular.json .editorconfig .prettierignore
    .eslintignore .dockerignore .npmignore .gitkeep .nvmrc .node-version .python-version .ruby-version .java-version
    Dockerfile docker-compose.yml compose.yaml nginx.conf requirements.txt requirements-dev.txt pytest.ini .rspec ruff.toml
    rustfmt.toml clippy.toml .clang-format .clang-tidy .yamllint .markdownlint.json .luacheckrc .browserslistrc mkdocs.yml
    _config.yml docs/conf.py manage.py settings.py app.py __init__.py main.tf variables.tf values.yaml Chart.yaml
    openapi.yaml schema.graphql schema.prisma index.html style.css data.csv .env.example .envrc.example .env.sample
    go/tools.go config/database.yml config/routes.rb test/helper.rb spec/spec_helper.rb lib/tasks/a.rake Project.toml
    pubspec.yaml build.yaml project.json appsettings.json Program.cs App.xaml src/Main.java AndroidManifest.xml
    libs.versions.toml index.d.ts a.test.ts .storybook/main.ts .vitepress/theme/a.ts node_modules/x/.npmrc
    node_modules/x/a.config.js hgrc.md git.md env.ts bin/tool.sh scripts/build.sh notes.txt .config/app.json .cache/x
  `);
  expect(ordinary.filter((path) => protectedPart(path) ?? manifestPart(path))).toEqual([]);
});

test("manifests are no protected names", () => {
  const manifests = list(`
    package.json Cargo.toml go.mod pom.xml build.gradle.kts gradle.properties Makefile mix.exs build.sbt a.gemspec
    Package.swift App.csproj CMakePresets.json vercel.json Podfile deps.edn
  `);
  expect(manifests.filter((path) => protectedPart(path) !== undefined)).toEqual([]);
  expect(manifests.filter((path) => manifestPart(path) === undefined)).toEqual([]);
  expect(manifestPart("node_modules/x/package.json")).toBeUndefined();
});
