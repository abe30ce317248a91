import { type GitHub, GitHubError } from "./github.ts";
import { validateResearchPath } from "./research-path.ts";

export type ReadResearchResult =
  | { ok: true; content: string; bytes: number }
  | { ok: false; error_type: ResearchErrorType; message: string };

export const researchErrorTypes = [
  "file_not_found",
  "path_validation",
  "file_too_large",
  "api_error",
] as const;
export type ResearchErrorType = (typeof researchErrorTypes)[number];

/** What is logged of every call. */
export interface ToolCallLog {
  name: "read_research";
  path: string;
  durationMs: number;
  ok: boolean;
  bytes: number | null;
  errorType: ResearchErrorType | null;
}

export interface ToolExecutor {
  /** Where the research is kept. */
  readonly url: string;
  /** Never throws: what goes wrong is a result that a model can read. `onCall` collects the log of one run. */
  readResearch(
    input: { path: string },
    options?: { signal?: AbortSignal; onCall?: (log: ToolCallLog) => void },
  ): Promise<ReadResearchResult>;
}

const maxBytes = 50 * 1024;

/** `log` gets every call. A program whose standard output belongs to a protocol passes its own. */
export function createToolExecutor(
  github: GitHub,
  log: (event: "tool_call", entry: ToolCallLog) => void = console.log,
): ToolExecutor {
  return {
    url: github.url,
    async readResearch({ path }, { signal, onCall } = {}) {
      const started = performance.now();
      const result = await readResearch(github, path, signal);
      const entry: ToolCallLog = {
        name: "read_research",
        path,
        durationMs: Math.round(performance.now() - started),
        ok: result.ok,
        bytes: result.ok ? result.bytes : null,
        errorType: result.ok ? null : result.error_type,
      };
      log("tool_call", entry);
      onCall?.(entry);
      return result;
    },
  };
}

async function readResearch(
  github: GitHub,
  wanted: string,
  signal?: AbortSignal,
): Promise<ReadResearchResult> {
  const checked = validateResearchPath(wanted);
  if (!checked.ok) return failure("path_validation", checked.message);
  const { path, stored } = checked;
  try {
    const found = await github.contents(stored, signal);
    if (found.type !== "file") return failure("api_error", `Path is not a file: ${path}`);
    if (found.size === undefined)
      return failure("api_error", "Failed to read file: GitHub did not say how large it is");
    if (found.size > maxBytes) return failure("file_too_large", tooLarge);
    const bytes = found.bytes ?? (await github.raw(stored, maxBytes, signal));
    return { ok: true, content: bytes.toString("utf8"), bytes: bytes.length };
  } catch (thrown) {
    if (thrown instanceof GitHubError && thrown.status === 404)
      return failure("file_not_found", `File not found: ${path}`);
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return failure("api_error", `Failed to read file: ${message}`);
  }
}

const tooLarge = "File exceeds 50KB limit. Try a more specific path or request a summary.";

function failure(error_type: ResearchErrorType, message: string): ReadResearchResult {
  return { ok: false, error_type, message };
}
