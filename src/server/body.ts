import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { type ErrorCode, Failure } from "../failure/failure.ts";
import { failureOf } from "../tool/result.ts";

const maxBody = 16 * 1024 * 1024;
const longestMs = 30_000;

const statusOf: Partial<Record<ErrorCode, 400 | 403 | 404 | 408 | 409 | 413 | 429 | 503>> = {
  INVALID_INPUT: 400,
  PERMISSION_DENIED: 403,
  FILE_NOT_FOUND: 404,
  TIMEOUT: 408,
  CONFLICT: 409,
  TOO_LARGE: 413,
  LIMIT_EXCEEDED: 429,
  UNAVAILABLE: 503,
};

/** Limits the body size before anything of it is used; sends failures as JSON with a matching status. */
export function answerErrors(app: Hono, maxSize = maxBody): Hono {
  app.use(bodyLimit({ maxSize, onError: () => tooLarge(maxSize) }));
  return answerFailures(app);
}

/** Sends failures as JSON with a matching status. `understand` may turn an error into a failure with words for people. */
export function answerFailures(app: Hono, understand = (error: unknown): unknown => error): Hono {
  app.onError((error, c) => {
    const { error: told } = failureOf(understand(error));
    return c.json({ error: told }, statusOf[told.code as ErrorCode] ?? 500);
  });
  return app;
}

export interface BodyLimits {
  bytes?: number;
  ms?: number;
}

/** The whole body, which must arrive within a time: what a request may do is judged after that. */
export async function readBody(
  { body, headers }: Pick<Request, "body" | "headers">,
  { bytes = maxBody, ms = longestMs }: BodyLimits = {},
): Promise<Buffer> {
  if (!body) return Buffer.alloc(0);
  if (Number(headers.get("content-length")) > bytes) tooLarge(bytes);
  const reader = body.getReader();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooSlow(ms)), ms);
  try {
    const chunks: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return Buffer.concat(chunks);
      size += value.length;
      if (size > bytes) tooLarge(bytes);
      chunks.push(value);
    }
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

export async function bodyOf<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  return valueIn(await request.text(), schema);
}

export function valueIn<T>(text: string, schema: z.ZodType<T>): T {
  const parsed = checked(schema, jsonIn(text));
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure("INVALID_INPUT", "The body is not valid JSON.");
    throw tooDeep(error);
  }
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

function tooSlow(ms: number): Failure {
  return new Failure("TIMEOUT", `The request did not arrive within ${ms / 1000} seconds.`);
}
