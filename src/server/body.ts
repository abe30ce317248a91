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

/** Limits the body size before anything of it is used; sends failures as JSON with a matching status. */
export function answerErrors(app: Hono, maxSize = maxBody): Hono {
  app.use(bodyLimit({ maxSize, onError: () => tooLarge(maxSize) }));
  app.onError((error, c) => {
    const { error: told } = failureOf(error);
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

/** Our own messages are sentences and say it all; those of zod need the name of the field. */
export function problemsIn({ issues }: z.ZodError): string {
  return issues
    .map(({ message, path }) =>
      message.endsWith(".") || path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`,
    )
    .join("\n");
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
