import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { type ErrorCode, Failure } from "../failure/failure.ts";
import { failureOf } from "../tool/result.ts";

const maxBody = 16 * 1024 * 1024;

const statusOf: Partial<Record<ErrorCode, 400 | 403 | 404 | 409 | 413 | 429 | 503>> = {
  INVALID_INPUT: 400,
  PERMISSION_DENIED: 403,
  FILE_NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_LARGE: 413,
  LIMIT_EXCEEDED: 429,
  UNAVAILABLE: 503,
};

/**
 * Limits the body size before anything of it is used; sends failures as JSON with a matching status. `understand` may turn an
 * error into a failure with words for people.
 */
export function answerErrors(
  app: Hono,
  maxSize = maxBody,
  understand = (error: unknown): unknown => error,
): Hono {
  app.use(bodyLimit({ maxSize, onError: () => tooLarge(maxSize) }));
  app.onError((error, c) => {
    const { error: told } = failureOf(understand(error));
    return c.json({ error: told }, statusOf[told.code as ErrorCode] ?? 500);
  });
  return app;
}

export async function bodyOf<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const json: unknown = await request.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) throw new Failure("INVALID_INPUT", "The body is not valid JSON.");
    throw tooDeep(error);
  });
  const parsed = checked(schema, json);
  if (parsed.success) return parsed.data;
  throw new Failure("INVALID_INPUT", problemsIn(parsed.error));
}

/** Each problem as a sentence. Our own messages are sentences already; those of zod are for programmers. */
export function problemsIn({ issues }: z.ZodError): string {
  return issues.map((issue) => (issue.message.endsWith(".") ? issue.message : sentenceOf(issue))).join("\n");
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join(".") || "The body";
  const isText = "origin" in issue && issue.origin === "string";
  if (issue.code === "too_small" && isText && issue.minimum === 1) return `${field} must not be empty.`;
  const isNumber = "origin" in issue && issue.origin === "number";
  const must = isNumber ? "be" : "have";
  if (issue.code === "too_small")
    return `${field} must ${must} at least ${sizeWords(issue.minimum, isText)}.`;
  if (issue.code === "too_big") return `${field} must ${must} at most ${sizeWords(issue.maximum, isText)}.`;
  if (issue.code === "invalid_value")
    return `${field} must be one of: ${issue.values.map(String).join(", ")}.`;
  if (issue.code === "unrecognized_keys") return `There is no field ${issue.keys.join(", ")} here.`;
  if (issue.code === "invalid_format" && issue.message.startsWith("Invalid"))
    return `${field} does not have the form that it needs.`;
  if (issue.code === "invalid_type")
    return issue.message.endsWith("received undefined")
      ? `${field} is missing.`
      : `${field} must be of the type ${issue.expected}.`;
  return `${field}: ${issue.message}`;
}

function sizeWords(size: number | bigint, isText: boolean): string {
  return isText ? `${size} characters` : String(size);
}

function checked<T>(schema: z.ZodType<T>, json: unknown) {
  try {
    return schema.safeParse(json);
  } catch (error) {
    throw tooDeep(error);
  }
}

/** Values nested in each other by the thousand use up the stack. */
function tooDeep(error: unknown): unknown {
  return error instanceof RangeError ? new Failure("INVALID_INPUT", "The body is nested too deeply.") : error;
}

function tooLarge(maxSize: number): never {
  throw new Failure("TOO_LARGE", `The request has more than ${maxSize} bytes.`);
}
