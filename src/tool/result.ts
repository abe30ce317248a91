import { type ErrorCode, Failure, type ToolError } from "../failure/failure.ts";

export type ToolResult<T> = { ok: true; value: T } | { ok: false; error: ToolError };

export function ok<T>(value: T): ToolResult<T> {
  return { ok: true, value };
}

export function fail(
  code: ErrorCode,
  message: string,
  details?: Record<string, unknown>,
): { ok: false; error: ToolError } {
  return { ok: false, error: details ? { code, message, details } : { code, message } };
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
