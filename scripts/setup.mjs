// Everything a fresh machine needs before `npm start` or `npm test`, done once.
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
  { apt: "git", at: ["git"], without: "the git_* tools are unavailable", for: ["start", "test"] },
  {
    apt: "bubblewrap",
    at: ["/usr/bin/bwrap"],
    without: "run_code and executeCode refuse to run",
    for: ["start", "test"],
  },
  { apt: "python3", at: ["/usr/bin/python3"], without: "Python code cannot be run", for: ["start", "test"] },
  {
    apt: "python3-pip",
    at: ["/usr/bin/pip3"],
    without: "Python packages cannot be installed",
    for: ["start", "test"],
  },
  {
    apt: "python3-pytest",
    at: ["/usr/bin/pytest-3", "/usr/bin/pytest"],
    without: "the test of run_tests with pytest is skipped",
    for: ["test"],
  },
  { apt: "chromium", at: ["/usr/bin/chromium"], without: "the browser tests are skipped", for: ["test"] },
  {
    apt: "universal-ctags",
    at: ["/usr/bin/ctags-universal"],
    without: "outlines are not compared with ctags",
    for: ["test"],
  },
  { apt: "tmux", at: ["tmux"], without: "the terminal tests are skipped", for: ["test"] },
];

const stamp = readStamp();
installPackages();
installSystemPrograms();
if (purpose === "test") fetchCorpora();
writeFileSync(stampFile, `${JSON.stringify(stamp, null, 2)}\n`);

function installPackages() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(home, "package-lock.json")))
    .digest("hex");
  const nodeIsThere = existsSync(join(home, "node_modules", ".bin", "node"));
  if (stamp.lockfile === wanted && nodeIsThere) return;
  say("installing packages (once)");
  // Not `npm ci`: it refuses a lock file that lacks another platform's optional package, and not every registry has them all.
  run(
    "npm",
    ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"],
    "Packages could not be installed. Check the network and run the command again.",
  );
  if (!existsSync(join(home, "node_modules", ".bin", "node"))) {
    fail(
      "Node 24 was not installed: npm was told to skip install scripts. Run `npm install --foreground-scripts` and try again.",
    );
  }
  stamp.lockfile = wanted;
  stamp.told = [];
}

function installSystemPrograms() {
  const missing = systemPrograms.filter((p) => p.for.includes(purpose) && !p.at.some(isExecutable));
  if (missing.length === 0) return;
  const names = missing.map((p) => p.apt);
  const canInstall = process.getuid?.() === 0 && isExecutable("apt-get");
  const tried = stamp.tried ?? [];
  if (canInstall && names.some((name) => !tried.includes(name))) {
    say(`installing ${names.join(", ")} (once)`);
    stamp.tried = [...new Set([...tried, ...names])];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-qq"], { stdio: ["ignore", "ignore", "inherit"], env });
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], {
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
  spawnSync(join(home, "node_modules", ".bin", "node"), [join(home, "scripts", "corpora.ts")], {
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

function run(command, args, complaint) {
  const result = spawnSync(command, args, { cwd: home, stdio: ["ignore", "inherit", "inherit"] });
  if (result.status !== 0) fail(complaint);
}

function say(text) {
  process.stderr.write(`wield setup: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
