/** Every way a call can fail. These codes never change: agents, clients and stored statistics rely on them. */
export const errorCodes = [
  "INVALID_PATH",
  "FILE_NOT_FOUND",
  "PERMISSION_DENIED",
  "TIMEOUT",
  "EXECUTION_ERROR",
  "INVALID_INPUT",
  "UNKNOWN_TOOL",
  "TOOL_DISABLED",
  "APPROVAL_DENIED",
  "APPROVAL_REQUIRED",
  "CONFLICT",
  "TOO_LARGE",
  "NOT_TEXT",
  "URL_NOT_ALLOWED",
  "NETWORK_ERROR",
  "SANDBOX_UNAVAILABLE",
  "UNAVAILABLE",
  "ABORTED",
  "LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** What a caller sees of a failure. The message is read by a model: it says what went wrong and what to try next. */
export interface ToolError {
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

/** Thrown by any module for an expected failure; the runtime turns it into a result, so it never ends a run. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.details = details;
  }
}

/** A failure's text as people read it: the code that it begins with is for programs and models. */
export function withoutCode(text: string): string {
  const [, code = "", message = text] = /^([A-Z_]+): ([\s\S]*)$/.exec(text) ?? [];
  return errorCodes.some((known) => known === code) ? message : text;
}
