/**
 * Files that a program executes or loads by itself, each with when it does: `.envrc` + "runs when you enter this folder".
 * A name belongs here if the program would otherwise not run code of the workspace, or if nobody looks before it runs.
 * Left out are files that are edited daily and run nothing by themselves (`tsconfig.json`, `Dockerfile`), and settings of
 * test runners, which run the workspace's code anyway (`pytest.ini`). Names are in the spelling of `plainName`; `a/b`
 * stands for `b` directly in `a`.
 */
export const protectedTable: readonly (readonly [why: string, ...names: (string | RegExp)[]])[] = [
  // Version control.
  ["holds the hooks and settings that git runs", ".git .gitconfig .config/git"],
  ["says where git gets other repositories from", ".gitmodules"],
  ["chooses the filters and merge programs that git runs", ".gitattributes"],
  ["decides which files are changed without asking you", ".gitignore"],
  [
    "runs when you commit or push",
    ".githooks .husky .huskyrc lefthook.yaml .lefthook.yaml lefthook.toml",
    /^\.?lefthook(-local)?\.(ya?ml|toml|json)$/,
    /^\.?simple-git-hooks\.\w+$/,
  ],
  [
    "runs when you commit",
    ".pre-commit-config.yaml .overcommit.yml grumphp.yml captainhook.json .gitlint",
    /^\.(lintstaged|huskyrc|commitlintrc|czrc|lintstagedrc)(\..+)?$/,
  ],
  ["holds the hooks and settings that Mercurial runs", ".hg .hgrc mercurial.ini .hgsub"],
  ["holds settings with commands that its version control runs", ".jj .sl .bzr _darcs .pijul .repo"],
  // Editors, and what they start when a folder is opened.
  [
    "holds tasks and settings that VS Code runs when you open this folder",
    ".vscode .theia",
    /\.code-workspace$/,
  ],
  [
    "holds settings with commands that your editor runs when you open this folder",
    ".idea .zed .fleet .vs .nova",
  ],
  ["names the language servers that Helix starts when you open a file here", ".helix .config/helix"],
  [
    "says what is run to build and start the development container",
    ".devcontainer .devcontainer.json devfile.yaml",
    ".devfile.yaml .gitpod.yml .codesandbox .idx",
    ".replit replit.nix .stackblitzrc",
  ],
  [
    "runs when you start Vim in this folder",
    ".vimrc .gvimrc .exrc _vimrc _gvimrc _exrc .lvimrc .local.vimrc .vim",
  ],
  ["runs when you start Neovim in this folder", ".nvimrc .nvim .lazy.lua .nvim.lua .config/nvim"],
  [
    "names the language servers that your editor starts here",
    ".neoconf.json .nlsp-settings coc-settings.json",
  ],
  ["runs when you open a file here in Emacs", ".dir-locals.el .dir-locals-2.el .emacs .emacs.d .spacemacs"],
  ["names commands that Sublime Text runs for this project", /\.sublime-project$/],
  ["names commands that Kate runs for this project", ".kateproject .kateproject.build"],
  ["names builders that Eclipse runs when you open this project", ".project .externaltoolbuilders"],
  [
    "names the build server that your editor starts",
    ".bsp buildserver.json .lsp hie.yaml .merlin omnisharp.json",
  ],
  [
    "names commands that rust-analyzer runs when you open this folder",
    "rust-analyzer.toml .rust-analyzer.toml",
  ],
  ["names a plugin that the Lua language server runs", ".luarc.json .luarc.jsonc"],
  ["names code that the Ruby language server loads", ".solargraph.yml"],
  ["names programs that the PHP language server runs", ".phpactor.json .phpactor.yml"],
  // Agents: instructions, settings, servers.
  ["decides what Wield may do and loads here", ".wield .config/wield"],
  [
    "tells agents what to do and which programs to start",
    ".claude .codex .agents .agent .cursor .cursorrules",
    ".gemini .windsurf .windsurfrules .clinerules .cline .roo",
    ".roorules .roomodes .kilocode .kilocodemodes",
    ".kilocoderules .kiro .continue .opencode .junie .amp",
    "opencode.json opencode.jsonc .factory .qwen .crush",
    ".crush.json crush.json .goose .goosehints .trae .augment",
    ".augment-guidelines .amazonq .codebuddy .openhands .devin",
    ".rovodev .firebender firebender.json .iflow .zencoder .qodo",
    ".pi .rules .copilot",
    /^\.aider(\..+)?\.(conf\.)?ya?ml$/,
  ],
  ["names servers that agents start", ".mcp.json mcp.json .mcp"],
  [
    "is read by agents as instructions",
    "agents.md agent.md agents.override.md claude.md claude.local.md gemini.md",
    "warp.md crush.md qwen.md codex.md iflow.md kimi.md",
  ],
  // Continuous integration.
  [
    "runs with the project's secrets when it is pushed",
    ".github .gitlab .circleci .travis.yml jenkinsfile",
    "bitbucket-pipelines.yml .drone.yml .drone.star .buildkite",
    "appveyor.yml .appveyor.yml .woodpecker .woodpecker.yml",
    ".cirrus.yml .cirrus.star .semaphore .teamcity .forgejo",
    ".gitea cloudbuild.yaml cloudbuild.yml buildspec.yml",
    ".azure-pipelines .tekton .builds .build.yml bitrise.yml",
    "codemagic.yaml .zuul.yaml .zuul.d zuul.yaml .space.kts",
    ".readthedocs.yml .readthedocs.yaml jitpack.yml .packit.yaml",
    ".goreleaser.yml .goreleaser.yaml atlantis.yaml .onedev-buildspec.yml",
    /^\.gitlab-ci(\..+)?\.ya?ml$/,
    /^azure-pipelines.*\.ya?ml$/,
    /^\.(releaserc|release-it|versionrc)(\..+)?$/,
  ],
  ["sets the options with which workflows run on this machine", ".actrc"],
  // Shells and logins.
  [
    "runs when you enter this folder",
    ".rvmrc .autoenv .autoenv_leave .shadowenv.d .smartcd_enter .direnvrc .rbenv-vars",
    /^\.envrc(?!\.(example|sample|template)$)(\..+)?$/,
    /^\.autoenv(_leave)?\.zsh$/,
  ],
  [
    "runs when you open a terminal",
    ".bashrc .bash_aliases .bash_profile .bash_login .profile .zprofile .zshrc .zshenv",
    ".zlogin .kshrc .mkshrc .shrc .cshrc .tcshrc .login .xonshrc .config/fish",
    "config.fish profile.ps1 .tmux.conf .screenrc",
    /_profile\.ps1$/,
  ],
  ["runs when you log out", ".bash_logout .zlogout"],
  [
    "runs when you log in",
    ".xprofile .xinitrc .xsession .xsessionrc .pam_environment .config/autostart",
    ".config/systemd .config/environment.d",
  ],
  ["decides who may log in and which commands that runs", ".ssh"],
  ["names programs that open files and mail for you", ".mailcap .forward .procmailrc .lessfilter"],
  ["names programs that are run to sign in", ".aws .kube .gnupg .docker/config.json"],
  ["holds programs that your shell finds by name", ".local/bin"],
  ["sets variables for programs that start in this folder", /^\.env(?!\.(example|sample|template)$)(\..+)?$/],
  // Tool versions and environments that a shell or a version manager loads.
  [
    "sets up tools and variables when you enter this folder",
    ".mise .rtx.toml .tool-versions .asdfrc .prototools",
    ".aqua.yaml aqua.yaml .config/mise .config/direnv",
    /^\.?mise(\..+)?\.toml$/,
  ],
  [
    "runs when the environment of this folder is started",
    "flake.nix shell.nix default.nix devbox.json devenv.nix",
    "devenv.yaml .flox guix.scm .guix-channel .hermit",
  ],
  ["chooses the compiler that cargo runs", "rust-toolchain rust-toolchain.toml"],
  ["chooses the SDK that .NET runs", "global.json"],
  ["chooses the Python that is run here", "pyvenv.cfg .pdm-python"],
  // Package managers: registries, plugins, loaders.
  [
    "says where packages come from and what runs on installing",
    ".npmrc .yarnrc .yarnrc.yml .bowerrc .m2 .gemrc",
    ".pnpmfile.cjs .pnpmfile.mjs pnpmfile.js uv.toml",
    "pip.conf pip.ini .condarc pdm.toml poetry.toml",
    "nuget.config .bundle bunfig.toml .luarocks rush.json",
  ],
  ["is run by every command of Yarn", ".yarn .pnp.cjs .pnp.loader.mjs"],
  ["names programs that cargo runs", ".cargo cross.toml bacon.toml"],
  ["is loaded by every build with Maven", ".mvn .mavenrc"],
  ["says which Gradle the wrapper downloads and runs", "gradle-wrapper.properties gradle-wrapper.jar"],
  ["is loaded by every build with Gradle", "init.gradle init.gradle.kts"],
  ["says where Gradle finds the Android tools that it runs", "local.properties"],
  ["is run instead of what it wraps", "gradlew gradlew.bat mvnw mvnw.cmd tools/bazel"],
  [
    "holds the programs that script runners and shells find by name",
    "node_modules/.bin",
    ".venv/bin .venv/scripts venv/bin venv/scripts",
  ],
  ["holds the provider programs that Terraform runs", ".terraform .tflint.hcl"],
  // Interpreters and debuggers that load a file of the current folder.
  ["runs when you start R in this folder", ".rprofile .renviron .rdata renv/activate.r"],
  ["runs when you start GHCi in this folder", ".ghci .ghcid"],
  [
    "runs when you start an interpreter in this folder",
    ".irbrc .pryrc .ocamlinit .octaverc startup.m .erlang .nrepl.edn",
    "user.clj ipython_config.py .scalarc",
    /^jupyter_.*config\.(py|json)$/,
  ],
  [
    "runs when you start a debugger in this folder",
    ".gdbinit .lldbinit .pdbrc .perldb .dbxrc .vimspector.json",
  ],
  ["runs whenever Python starts", "sitecustomize.py usercustomize.py", /\._?pth$/],
  ["sets the options with which Java is started", ".jvmopts .sbtopts .sbtrc"],
  // Code and commands that a build, check or format tool runs when it starts.
  [
    "is code that a tool runs when it starts",
    /^(?!app\.)[\w.-]+\.config\.[cm]?[jt]sx?$/,
    /^(gulpfile|gruntfile)\..+$/,
  ],
  [
    "is code that a tool loads by this name",
    /^\.[\w-][\w.-]*\.([cm]?[jt]sx?|py|rb|lua|exs?|php|el|pl|(ba|c|k|z)?sh|fish|nu|vim|groovy)$/,
  ],
  [
    "names plugins that a tool runs when it starts",
    /^\.(eslintrc|prettierrc|babelrc|stylelintrc|mocharc|swcrc|nycrc|postcssrc|parcelrc|oxlintrc|remarkrc)(\..+)?$/,
    /^\.(textlintrc|graphqlrc|puppeteerrc|lighthouserc|markdownlint-cli2|spectral|redocly)(\..+)?$/,
    /^\.(golangci|rubocop|erb-lint|erb_lint|haml-lint|standard)\.(ya?ml|toml|json)$/,
    /^\.?dprint\.jsonc?$/,
    /^redocly\.ya?ml$/,
  ],
  ["names plugins that the type checker runs", "mypy.ini .mypy.ini analysis_options.yaml"],
  [
    "names code that the linter runs",
    "pylintrc .pylintrc pylintrc.toml .pylintrc.toml .flake8 .coveragerc .lintr",
    ".sqlfluff .ansible-lint .perlcriticrc .custom-gcl.yml .erb-linters .phan",
    /^(phpstan|psalm|\.?phpcs)(\.dist)?\.(neon|xml)(\.dist)?$/,
    /^\.php_cs(\.dist)?$/,
  ],
  ["runs when packages are installed or tests start", "setup.py setup.cfg conftest.py noxfile.py tox.ini"],
  [
    "runs when the project is built",
    "build.rs setup.hs rector.php site_scons config.nims nim.cfg conanfile.py",
    "rebar.config.script .ycm_extra_conf.py",
    /\.nims$/,
  ],
  [
    "sets the options and plugins of every build",
    ".bazelrc .bazeliskrc .bazelversion pants.toml .plzconfig",
    ".buckconfig .buckconfig.local .buckconfig.d directory.build.rsp",
    "directory.build.props directory.build.targets msbuild.rsp",
  ],
  ["runs when a task is started", "rakefile .rakefile tiltfile procfile vagrantfile"],
  ["runs when LaTeX documents are built", "latexmkrc .latexmkrc"],
  ["names plugins and programs that Ansible runs", "ansible.cfg"],
  ["names code that the web server runs before each page", ".user.ini .htaccess"],
  ["runs when the volume is opened on Windows", "autorun.inf"],
];

/**
 * Ordinary manifests. They can name commands, so creating one asks like changing one; but agents edit them
 * constantly, so rules and modes that allow edits allow these.
 */
export const manifestNames: readonly (string | RegExp)[] = [
  "package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock",
  "deno.json deno.jsonc deno.lock cargo.toml cargo.lock pyproject.toml poetry.lock uv.lock pipfile pipfile.lock",
  "go.mod go.sum go.work pom.xml composer.json composer.lock gemfile gemfile.lock cmakelists.txt meson.build",
  "makefile gnumakefile makefile.toml justfile .justfile taskfile.yml taskfile.yaml gradle.properties",
  "cmakepresets.json cmakeuserpresets.json mix.exs rebar.config project.clj deps.edn bb.edn package.swift build.zig",
  "sconstruct wscript xmake.lua premake5.lua cpanfile makefile.pl build.pl podfile brewfile guardfile dangerfile",
  "fastfile capfile magefile.go pixi.toml hatch.toml nx.json cdk.json netlify.toml vercel.json render.yaml",
  /^(build|settings)\.gradle(\.kts)?$/,
  /\.(gemspec|nimble|sbt|rockspec|opam|(cs|fs|vb|vcx)proj)$/,
];
