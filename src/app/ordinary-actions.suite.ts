import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { testWield } from "../testing/testing.ts";

const names = [
  ...[
    "acme-webshop-frontend",
    "invoice-service",
    "home-automation",
    "thesis",
    "my-first-blog",
    "DataPipeline",
  ],
  ...["recipe_book", "client-portal-2024", "api", "token-ring-simulator", "password-manager-ui", "keyboard"],
  ...["secret-santa", "monorepo", "weather_station", "chess-engine", "photo gallery", "LibraryManagement"],
  ...[
    "infra",
    "dotfiles",
    "salt-and-pepper",
    "auth-server",
    "postgres-backup",
    "mobile.app",
    "kube-operator",
  ],
  ...["notes", "game-of-life", "shop-api-v2", "cms-plugin", "price-tracker", "budget", "static-site"],
  ...[
    "video-encoder",
    "chat-server",
    "compiler",
    "ml-experiments",
    "robot-arm",
    "crm",
    "tax-2026",
    "school-portal",
  ],
] as const;

const people = ["jane", "miller", "dev", "Ana.Costa"];
const databases = ["postgres", "mysql", "mongodb", "redis"];
const stacks = ["express", "django", "rails", "spring boot", "fastapi", "next.js", "laravel", "axum"];

interface Project {
  name: string;
  home: string;
  env: Record<string, string>;
  files: Record<string, string>;
  /** What nobody may send: that the same project still keeps it is part of each test. */
  secret: string;
}

export const ordinaryProjects: readonly Project[] = names.map((name, at) => {
  const words = wordsOf(name);
  const snake = words.join("_");
  const person = people[at % people.length] ?? "";
  const database = databases[at % databases.length] ?? "";
  const home = `home/${person}/projects`;
  const secret = `q7Rz2K${at}fW9mXv4LbT8sYc3NdH`;
  return {
    ...{ name, home, secret },
    env: {
      PWD: `/${home}/${name}`,
      OLDPWD: `/${home}/${name}/src`,
      INIT_CWD: `/${home}/${name}`,
      USER: person,
      SSH_ASKPASS: "/usr/lib/seahorse/ssh-askpass",
      GPG_KEY: "A035C8C19219BA821ECEA86B64E628F8D684696D",
      npm_package_name: name,
      API_TOKEN: secret,
    },
    files: {
      ".env": [
        `APP_NAME=${name}`,
        `APP_TITLE="${words.join(" ")}"`,
        `COMPOSE_PROJECT_NAME=${snake}`,
        `DATABASE_URL=${database}://${database}:${database}@localhost:5432/${snake}`,
        `POSTGRES_PASSWORD=${["postgres", "changeme", "password", snake, `${snake}_dev`][at % 5]}`,
        `SESSION_SECRET=${["change-me-in-production", "keyboard", "dev-secret", "your-secret-here", `${snake}-secret`][at % 5]}`,
        `CACHE_KEY=${snake}:products`,
        "SORT_KEY=created_at",
        `MAIL_FROM=hello@${words[0]}.example.com`,
        `PUBLIC_URL=https://www.example.com/${name}/callback-v2/start`,
        "IMAGE=node:22-alpine",
        "NODE_OPTIONS=--max-old-space-size=4096",
        "CHARSET=utf8mb4_unicode_ci",
        "FEATURES=new-checkout,dark-mode",
        `STRIPE_SECRET_KEY=${secret}`,
      ].join("\n"),
      ".npmrc": `registry=https://registry.example.com/${snake}/\n//registry.example.com/:_authToken=\${NPM_TOKEN}\nsave-exact=true\n`,
      "config/database.yml": `development:\n  username: ${snake}\n  password: ${snake}\n  database: ${snake}_development\n`,
      "src/settings.ts": [
        `export const storageKey = "${name}.preferences";`,
        'export const queryKey = "organizations-by-region";',
        `const token = request.headers.authorization;`,
        'const labels = { password: "At least 8 characters", forgotPassword: "Forgot your password?" };',
        'const cacheKey = "user-profile-2024";',
        `const apiKey: string = config.get("${snake}");`,
      ].join("\n"),
      ".github/workflows/ci.yml":
        "steps:\n  - uses: actions/cache@v4\n    with:\n      key: node-modules-v2-linux-x64\n      token: <of the run>\n",
      "README.md": `# ${words.join(" ")}\n`,
    },
  };
});

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|\d+/g) ?? [name]).map((word) => word.toLowerCase());
}

type Action = readonly [tool: string, input: Record<string, unknown>];

/** Fifty things that people and agents do in such a folder, with its words in them. */
function actionsIn({ name }: Project, at: number): Action[] {
  const words = wordsOf(name);
  const said = words.join(" ");
  const snake = words.join("_");
  const stack = stacks[at % stacks.length] ?? "";
  const database = databases[at % databases.length] ?? "";
  const searches = [
    ...[said, name, `${said} ${stack}`, `${stack} ${database} connection refused`, `${name} github`],
    ...[
      `how to reset a ${database} password`,
      `${stack} jwt token expired`,
      "password at least 8 characters regex",
    ],
    ...[
      "session secret change me in production",
      "keyboard cat express session",
      `${snake}_development database`,
    ],
    ...["organizations by region", "user profile 2024 layout", "node modules v2 linux x64 cache key"],
    ...["docker node:22-alpine size", "utf8mb4_unicode_ci vs utf8mb4_0900_ai_ci", "sort by created_at index"],
    ...[
      "new checkout dark mode feature flags",
      "error TS2345 argument of type string",
      "max-old-space-size 4096",
    ],
  ].map((query): Action => ["web_search", { query }]);
  const pages = [
    ...[`https://github.com/${words[0]}/${name}`, `https://www.example.com/${name}/callback-v2/start`],
    ...[
      `https://${words[0]}.example.com/docs`,
      "https://scikit.example.org/sk-learn-tutorial-for-beginners-2024",
    ],
    ...[
      `https://docs.example.com/search?q=${encodeURIComponent(said)}`,
      `https://hub.example.com/_/${database}`,
    ],
    ...[
      `https://example.com/blog/2026/11/how-we-built-${words.join("-")}`,
      `https://pkg.example.com/${snake}/1.4.2`,
    ],
    ...["https://example.com/questions/4823519/sort-key-created-at", "https://example.com/a#session-secret"],
  ].map((url): Action => ["web_fetch", { url }]);
  const commits = [
    ...[
      `fix: ${said} login`,
      `feat(${words[0]}): dark mode`,
      `chore: bump ${stack}`,
      `Rename ${name} to ${snake}`,
    ],
    ...[`docs: how to run ${name} with ${database}`, "fix: password reset mail", "ci: cache node modules v2"],
    ...[
      "refactor: storage key of the preferences",
      `Merge branch 'main' into ${snake}`,
      "test: session secret",
    ],
  ].map((message): Action => ["git_commit", { message, paths: ["README.md"] }]);
  const branches = [
    `feature/${snake}`,
    `fix-${words.join("-")}-login`,
    `${words[0]}/dark-mode`,
    "release-2026-11",
    `jane/${database}`,
  ].map((branch): Action => ["git_branch", { action: "create", name: branch }]);
  const pushes = Array.from({ length: 5 }, (): Action => ["git_push", {}]);
  return [...searches, ...pages, ...commits, ...branches, ...pushes];
}

/**
 * Does all of it in each folder, with its files read first and a person who says no: what counts is whether the call would have been
 * refused or asked about as one that gives a secret away. The project's one real secret must still be found in each.
 */
export async function refusalsIn(projects: readonly Project[]) {
  const found = { actions: 0, refused: [] as string[], kept: 0 };
  for (const [at, project] of projects.entries()) {
    const place = await testWield();
    const engine = createServer((_, response) => {
      response.setHeader("content-type", "application/json").end('{"results":[]}');
    });
    await new Promise<void>((ready) => engine.listen(0, "127.0.0.1", ready));
    const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
    try {
      const workspace = join(place.env["HOME"] ?? "", project.home, project.name);
      for (const [path, content] of Object.entries(project.files)) {
        mkdirSync(dirname(join(workspace, path)), { recursive: true });
        writeFileSync(join(workspace, path), content);
      }
      repository(workspace, place.env);
      const reasons: string[] = [];
      const wield = await place.reopen({
        workspace,
        env: { ...place.env, ...project.env },
        settings: { web: { search: { searxng: { url } } } },
        asker: async (asks) =>
          asks.map(({ reason }) => {
            reasons.push(reason);
            return { approved: false };
          }),
      });
      const refusal = async ([tool, input]: Action) => {
        reasons.length = 0;
        const { result } = await wield.callAny(tool, input);
        const said = [...reasons, result.ok ? "" : result.error.message].join(" ");
        return /secrets never leave|holds (?:the value of|an? )/.test(said) ? said : undefined;
      };
      for (const path of Object.keys(project.files)) await wield.callAny("read_file", { path });
      for (const action of actionsIn(project, at)) {
        found.actions++;
        const why = await refusal(action);
        if (why !== undefined) found.refused.push(`${project.name}: ${JSON.stringify(action)}: ${why}`);
      }
      const sent = Buffer.from(`key=${project.secret}`).toString("base64");
      if ((await refusal(["web_search", { query: sent }])) !== undefined) found.kept++;
    } finally {
      engine.close();
      await place.close();
    }
  }
  return found;
}

function repository(cwd: string, env: Record<string, string>): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd, env, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Jane");
  git("config", "user.email", "jane@example.com");
  git("add", "README.md", "src", ".github", "config");
  git("commit", "--quiet", "--message=first");
  git("init", "--quiet", "--bare", "../bare.git");
  git("remote", "add", "origin", join(cwd, "../bare.git"));
}

/** Values as they really look, and as a program or a person writes them elsewhere. */
export function realSecrets(): { file: string; text: string; value: string }[] {
  const mixed = "Zq71LmN0pXw42TtYvRb8sKc5HdJ3gF9e";
  const hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";
  const values: [file: string, line: (value: string) => string, value: string][] = [
    [".env", (value) => `OPENAI_API_KEY=${value}`, `sk-proj-${mixed}${mixed}`],
    [".env", (value) => `ANTHROPIC_API_KEY=${value}`, `sk-ant-api03-${mixed}`],
    [".env", (value) => `AWS_ACCESS_KEY_ID=${value}`, "AKIAQ3EGZX7PLM42TTYV"],
    [".env", (value) => `AWS_SECRET_ACCESS_KEY=${value}`, "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"],
    [".env", (value) => `STRIPE_SECRET_KEY=${value}`, `sk_live_${mixed}`],
    [".env", (value) => `GITHUB_TOKEN=${value}`, `ghp_${mixed}abcd`],
    [".env", (value) => `GITLAB_TOKEN=${value}`, `glpat-${mixed.slice(0, 20)}`],
    [".env", (value) => `SLACK_BOT_TOKEN=${value}`, `xoxb-218374-918273-${mixed.slice(0, 24)}`],
    [".env", (value) => `GOOGLE_API_KEY=${value}`, `AIza${mixed}abc`],
    [".env", (value) => `SENDGRID_API_KEY=${value}`, `SG.${mixed.slice(0, 22)}.${mixed}`],
    [".env", (value) => `TWILIO_AUTH_TOKEN=${value}`, hex.slice(0, 32)],
    [".env", (value) => `MAILGUN_API_KEY=${value}`, `key-${hex.slice(0, 32)}`],
    [".env", (value) => `HF_TOKEN=${value}`, `hf_${mixed}abcd`],
    [".env", (value) => `CLOUDFLARE_API_TOKEN=${value}`, `${mixed}_${mixed.slice(0, 7)}`],
    [".env", (value) => `DIGITALOCEAN_TOKEN=${value}`, `dop_v1_${hex}${hex.slice(0, 24)}`],
    [".env", (value) => `SUPABASE_KEY=${value}`, `eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.${mixed}`],
    [".env", (value) => `JWT_SECRET=${value}`, "b7c1e0d4-55aa-4f0c-9d1e-2f3a4b5c6d7e"],
    [".env", (value) => `RAILS_MASTER_KEY=${value}`, hex.slice(0, 32)],
    [".env", (value) => `DB_PASSWORD=${value}`, "Tr0ub4dor&3-horse"],
    [".env", (value) => `DB_PASSWORD='${value}'`, "plum tree garden wall seven"],
    [".env", (value) => `SMTP_PASS=${value}`, "wintergreen-apple-4711"],
    [".env", (value) => `ADMIN_PASSWORD=${value}`, "acme-Webshop!2019#x"],
    [".env", (value) => `DATABASE_URL=postgres://shop:${value}@db.internal:5432/shop`, "mK9-vv2Lq_77"],
    [".env", (value) => `MONGO_URI=mongodb+srv://app:${value}@cluster0.abcde.mongodb.net/`, "qWk39zLp0Rt"],
    [".env", (value) => `REDIS_URL=rediss://default:${value}@cache.example.com:6380`, "AVNS_x7Kd93LmQ2p"],
    [
      ".env",
      (value) => `SLACK_WEBHOOK=https://hooks.example.com/services/T0AB/B0CD/${value}`,
      mixed.slice(0, 24),
    ],
    [".env", (value) => `SENTRY_DSN=https://${value}@o1.ingest.example.com/42`, hex.slice(0, 32)],
    [".npmrc", (value) => `//registry.npmjs.org/:_authToken=${value}`, `npm_${mixed}abcd`],
    [".netrc", (value) => `machine git.corp login bob password ${value}`, "n3trc-S3cret"],
    [".pgpass", (value) => `db.corp:5432:app:bob:${value}`, "pgp4ss-S3cret"],
  ];
  return values.map(([file, line, value]) => ({ file, text: line(value), value }));
}

export const encodings: Record<string, (value: string) => string> = {
  plain: (value) => value,
  base64: (value) => Buffer.from(`x=${value}`).toString("base64"),
  base64url: (value) => Buffer.from(value).toString("base64url"),
  hex: (value) => Buffer.from(value).toString("hex"),
  percent: (value) => Buffer.from(value).toString("hex").replaceAll(/../g, "%$&"),
  escapes: (value) => [...value].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(""),
  reversed: (value) => [...value].reverse().join(""),
  divided: (value) => [...value].join(" "),
};
