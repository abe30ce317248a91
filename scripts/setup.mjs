// Everything a fresh clone needs before `npm start`, `npm test`, `npm run cluster`, `npm run docs:site`, `npm pack` or
// `npm install <this folder>`, done once.
// Plain JavaScript without dependencies: it runs on the machine's own Node, before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(home, "node_modules", ".wield-setup.json");
const purpose = process.argv[2] ?? "start";

// `at` is where Wield looks for the program: the sandbox sees only /usr, so a Python elsewhere does not count.
const systemPrograms = [
  { apt: "git", at: ["git"], without: "the git_* tools are unavailable", for: ["start", "test", "cluster"] },
  {
    apt: "bubblewrap",
    at: ["/usr/bin/bwrap"],
    without: "run_code and executeCode refuse to run",
    for: ["start", "test", "cluster"],
  },
  {
    apt: "python3",
    at: ["/usr/bin/python3"],
    without: "Python code cannot be run",
    for: ["start", "test", "cluster"],
  },
  {
    apt: "python3-pip",
    at: ["/usr/bin/pip3"],
    without: "Python packages cannot be installed",
    for: ["start", "test", "cluster"],
  },
  {
    apt: "python3-pytest",
    at: ["/usr/bin/pytest-3", "/usr/bin/pytest"],
    without: "the test of run_tests with pytest is skipped",
    for: ["test"],
  },
  { apt: "chromium", at: ["/usr/bin/chromium"], without: "the browser tests are skipped", for: ["test"] },
  {
    apt: "chromium-headless-shell",
    at: ["/usr/bin/chromium-headless-shell"],
    without: "the tests of the page take longer",
    for: ["test"],
  },
  {
    apt: "universal-ctags",
    at: ["/usr/bin/ctags-universal"],
    without: "outlines are not compared with ctags",
    for: ["test"],
  },
  {
    apt: "postgresql",
    at: [18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin/initdb`),
    without: "`npm run cluster` and the tests of several machines do not run",
    for: ["test", "cluster"],
  },
  { apt: "tmux", at: ["tmux"], without: "the terminal tests are skipped", for: ["test"] },
];

const stamp = readStamp();
// npm also runs `prepare` after `npm install` in the checkout, where no build was requested.
if (purpose === "prepare" && process.env.INIT_CWD === home && process.env.npm_config_global !== "true")
  process.exit(0);
installPackages();
if (["start", "test", "cluster"].includes(purpose)) installSystemPrograms();
if (purpose === "test") fetchCorpora();
if (["test", "docs"].includes(purpose)) installSite();
writeFileSync(stampFile, `${JSON.stringify(stamp, null, 2)}\n`);
if (purpose === "prepare" || purpose === "pack") build();

function installPackages() {
  const wanted = hashOf(join(home, "package-lock.json"));
  if (stamp.lockfile === wanted && existsSync(join(home, "node_modules", "wield-node"))) return;
  say("installing packages (once)");
  // Node comes as a package like the others, with its hash in the lock file.
  npmCi(home);
  if (!nodeOfCheckout()) {
    fail(
      `Wield runs on Node 24 or newer. There is no package of it for ${process.platform} ${process.arch}: install it from https://nodejs.org and run the command again.`,
    );
  }
  stamp.lockfile = wanted;
  stamp.told = [];
}

/** What builds the documentation as a site: a package of its own, because nothing else needs it. */
function installSite() {
  const folder = join(home, "site");
  const wanted = hashOf(join(folder, "package-lock.json"));
  if (stamp.site === wanted && existsSync(join(folder, "node_modules", "vitepress"))) return;
  say("installing what builds the documentation (once)");
  npmCi(folder);
  stamp.site = wanted;
}

/** No package runs a script of its own. */
function npmCi(folder) {
  run(
    "npm",
    ["ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"],
    "Packages could not be installed. Check the network and run the command again.",
    folder,
  );
}

function hashOf(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** The Node to run with: the one from the lock file, or the machine's own where there is no package of it. */
function nodeOfCheckout() {
  const installed = join(home, "node_modules", ".bin", "node");
  if (existsSync(installed)) return installed;
  return Number.parseInt(process.versions.node, 10) >= 24 ? process.execPath : undefined;
}

/** dist/ as it is published, types included. */
function build() {
  run(nodeOfCheckout(), [join("scripts", "build.ts")], "dist/ could not be built.");
}

function installSystemPrograms() {
  const missing = systemPrograms.filter((p) => p.for.includes(purpose) && !p.at.some(isExecutable));
  if (missing.length === 0) return;
  const names = missing.map((p) => p.apt);
  const canInstall =
    process.getuid?.() === 0 && isExecutable("apt-get") && process.env.WIELD_SETUP_APT !== "no";
  const tried = stamp.tried ?? [];
  if (canInstall && names.some((name) => !tried.includes(name))) {
    say(`these system packages are missing, and apt-get will install them now (once):`);
    for (const { apt, without } of missing) say(`  ${apt} (without it, ${without})`);
    stamp.tried = [...new Set([...tried, ...names])];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    say("set WIELD_SETUP_APT=no to install nothing outside this folder");
    spawnSync("apt-get", ["update", "-qq"], { stdio: ["ignore", "ignore", "inherit"], env });
    // One name that this distribution does not have would keep all others from being installed.
    const known = names.filter((name) => spawnSync("apt-cache", ["show", name]).status === 0);
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...known], {
      stdio: ["ignore", "ignore", "inherit"],
      env,
    });
  }
  const still = missing.filter((p) => !p.at.some(isExecutable));
  const told = stamp.told ?? [];
  for (const program of still.filter((p) => !told.includes(p.apt))) {
    say(
      `${program.apt} is not installed: ${program.without}. Install it with: sudo apt-get install ${program.apt}`,
    );
  }
  stamp.told = [...new Set([...told, ...still.map((p) => p.apt)])];
}

/** Sources to compare outlines on. Without a network those tests are skipped. */
function fetchCorpora() {
  const folder = join(home, "node_modules", ".cache", "corpora");
  if (existsSync(folder) || stamp.corpora === stamp.lockfile) return;
  stamp.corpora = stamp.lockfile;
  say("fetching sources for the tests (once)");
  spawnSync(nodeOfCheckout(), [join(home, "scripts", "corpora.ts")], {
    stdio: "ignore",
  });
}

function isExecutable(program) {
  const candidates = program.startsWith("/")
    ? [program]
    : (process.env.PATH ?? "").split(":").map((dir) => join(dir, program));
  return candidates.some((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return {};
  }
}

function run(command, args, complaint, cwd = home) {
  // Standard output belongs to the npm command that called: `npm pack` prints the file's name there, `--json` its result.
  const result = spawnSync(command, args, { cwd, stdio: ["ignore", 2, "inherit"], env: environment() });
  if (result.status !== 0) fail(complaint);
}

/**
 * Without the options of the calling npm command: `--global`, `--omit=dev` and the like are not meant for this
 * folder.
 */
function environment() {
  const foreign =
    /^npm_config_(global|location|omit|include|only|production|dry_run|prefix|local_prefix|workspaces?|save.*|json|package_lock.*)$/;
  const bin = join(home, "node_modules", ".bin");
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name) && name !== "NODE_ENV");
  return { ...Object.fromEntries(kept), PATH: `${bin}:${process.env.PATH}` };
}

function say(text) {
  process.stderr.write(`wield setup: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
