import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** What a coding agent needs to work on a task with nobody there to ask, and with no host but the wire's. */
export interface AgentStart {
  args: string[];
  env: Record<string, string>;
}

interface AgentPlace {
  home: string;
  /** Where the model is asked, with the version. */
  url: string;
  model: string;
}

/** How other coding agents are started. Their commands have the same names. */
export const agents: Record<string, (task: string, place: AgentPlace) => AgentStart> = {
  pi,
  opencode,
  codex,
  claude,
};

/** A played model has the run's name, but Codex has the tool that edits files only for models that it knows. */
export const knownModels: Record<string, string> = { codex: "gpt-5.5" };

/** The program as npm installs it in a folder of its name, or on the path. */
export function programOf(agent: string, folder: string): string | undefined {
  return [join(folder, agent, "node_modules/.bin"), ...(process.env["PATH"] ?? "").split(delimiter)]
    .map((directory) => join(directory, agent))
    .find((path) => existsSync(path));
}

const context = 200_000;
const longestReply = 16_384;
/** An answer of a reader takes its time. */
const patienceMs = 3_600_000;

function pi(task: string, { home, url, model }: AgentPlace): AgentStart {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const models = [
    {
      id: model,
      name: model,
      reasoning: false,
      input: ["text"],
      contextWindow: context,
      maxTokens: longestReply,
      cost,
    },
  ];
  const baseUrl = url.slice(0, url.lastIndexOf("/v1"));
  write(join(home, ".pi/agent/models.json"), {
    providers: { wire: { baseUrl, api: "anthropic-messages", apiKey: "none", models } },
  });
  return {
    args: ["--provider", "wire", "--model", model, "-p", task],
    env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
  };
}

function opencode(task: string, { home, url, model }: AgentPlace): AgentStart {
  const limit = { context, output: longestReply };
  write(join(home, ".config/opencode/opencode.json"), {
    model: `wire/${model}`,
    small_model: "wire/small",
    autoupdate: false,
    share: "disabled",
    permission: { edit: "allow", bash: "allow", webfetch: "deny", external_directory: "deny" },
    provider: {
      wire: {
        npm: "@ai-sdk/anthropic",
        options: { baseURL: url, apiKey: "none", timeout: false },
        models: { [model]: { limit, tool_call: true }, small: { limit } },
      },
    },
  });
  return {
    args: ["run", "--model", `wire/${model}`, task],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  };
}

function codex(task: string, { home, url, model }: AgentPlace): AgentStart {
  const settings = {
    model_provider: "wire",
    "model_providers.wire.name": "wire",
    "model_providers.wire.base_url": url,
    "model_providers.wire.wire_api": "responses",
    "model_providers.wire.stream_idle_timeout_ms": patienceMs,
    check_for_update_on_startup: false,
    "analytics.enabled": false,
  };
  const temporary = join(home, "tmp");
  for (const folder of [join(home, ".codex"), temporary]) mkdirSync(folder, { recursive: true });
  const set = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${JSON.stringify(value)}`]);
  return {
    args: [
      "exec",
      ...set,
      "-m",
      model,
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      task,
    ],
    // It installs no helper programs in a home below the folder for temporary files.
    env: { CODEX_HOME: join(home, ".codex"), TMPDIR: temporary },
  };
}

function claude(task: string, { url, model }: AgentPlace): AgentStart {
  return {
    args: ["-p", task, "--model", model, "--dangerously-skip-permissions"],
    env: {
      ANTHROPIC_API_KEY: "none",
      ANTHROPIC_BASE_URL: url.slice(0, url.lastIndexOf("/v1")),
      API_TIMEOUT_MS: String(patienceMs),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      // It refuses to skip permissions as root anywhere else.
      IS_SANDBOX: "1",
    },
  };
}

function write(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value, null, 1));
}
