import { type ErrorCode, Failure, type ToolError } from "../failure/failure.ts";
import { visibleText } from "../text/visible.ts";

export type ToolResult<T> = { ok: true; value: T } | { ok: false; error: ToolError };

export function ok<T>(value: T): ToolResult<T> {
  return { ok: true, value };
}

/** Messages name files, and a name may hold characters that hide or reorder what a reader sees. `details` has names as they are. */
export function fail(
  code: ErrorCode,
  message: string,
  details?: Record<string, unknown>,
): { ok: false; error: ToolError } {
  const shown = visibleText(message);
  return { ok: false, error: details ? { code, message: shown, details } : { code, message: shown } };
}

/** Any error as a result. An unexpected error is INTERNAL_ERROR: a bug in Wield, and reported as one. */
export function failureOf(thrown: unknown): { ok: false; error: ToolError } {
  if (thrown instanceof Failure) return fail(thrown.code, thrown.message, thrown.details);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return fail(
    "INTERNAL_ERROR",
    `Wield failed unexpectedly: ${message}. This is a defect of the tool, not of the call; try another way.`,
  );
}
