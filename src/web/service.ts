import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { visibleLine } from "../text/visible.ts";
import { originGuard } from "./guard.ts";
import { retryAfter } from "./page/fetch-page.ts";
import { createSend, type WebRequest, type WebResponse } from "./transport.ts";

/** A web API that Wield itself uses: reached at its own origin only, with JSON responses. */
export interface Service {
  readonly name: string;
  readonly url: string;
  /** `path` is relative to the base URL. Any status comes back. */
  request(path: string, request?: Omit<WebRequest, "url">): Promise<WebResponse>;
  /** The validated response; a refusal is a `Failure` that says what to do. */
  json<S extends z.ZodType>(path: string, shape: S, request?: Omit<WebRequest, "url">): Promise<z.output<S>>;
}

/** `variable` holds its key, for messages. */
export function createService(
  name: string,
  baseUrl: string,
  variable?: string,
  limits = { timeoutMs: 15_000, maxBytes: 4_000_000 },
): Service {
  const base = baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;
  if (!URL.canParse(base))
    throw new Failure(
      "UNAVAILABLE",
      `The address set for ${name} ('${baseUrl}') is not a URL. Correct it in the settings.`,
    );
  const send = createSend(originGuard(base), limits);
  const request: Service["request"] = (path, options = {}) =>
    send({
      ...options,
      url: new URL(path, base),
      headers: { accept: "application/json", ...options.headers },
    }).catch((error: unknown) => {
      // Nobody typed this address, so advice about spelling would not help.
      if (!(error instanceof Failure) || !/^The name .* was not found\./.test(error.message)) throw error;
      throw new Failure(
        "NETWORK_ERROR",
        `${name} cannot be reached: this machine seems to be offline. Continue without it.`,
      );
    });
  return {
    name,
    url: base,
    request,
    async json(path, shape, options) {
      const response = await request(path, options);
      if (response.status < 200 || response.status > 299) throw refusal(name, response, variable);
      const parsed = shape.safeParse(parseJson(response.bytes.toString("utf8")));
      if (parsed.success) return parsed.data;
      throw new Failure(
        "NETWORK_ERROR",
        `${name} returned an unexpected response: ${z.prettifyError(parsed.error)}`,
      );
    },
  };
}

function refusal(name: string, response: WebResponse, variable: string | undefined): Failure {
  const { status } = response;
  const said = messageIn(response);
  const why = said ? `${status}: ${said}` : `${status}`;
  // Brave calls a wrong key 422.
  if (status === 401 || status === 403 || response.bytes.includes("SUBSCRIPTION_TOKEN_INVALID"))
    return new Failure(
      "UNAVAILABLE",
      `${name} does not accept the key (${why}). Check ${variable ? `${variable}, or ` : ""}the key in the settings.`,
    );
  // Tavily says 432 and 433, Exa 402, when the plan is used up.
  if ([402, 429, 432, 433].includes(status)) {
    const seconds = retryAfter(response.headers["retry-after"]);
    const when = seconds === undefined ? "Try again later" : `Try again in ${seconds} s`;
    return new Failure("LIMIT_EXCEEDED", `The limit of ${name} is reached (${why}). ${when}.`, {
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    });
  }
  if (status >= 500)
    return new Failure("NETWORK_ERROR", `${name} is not working at the moment (${why}). Try again later.`);
  return new Failure("NETWORK_ERROR", `${name} refuses the request (${why}).`);
}

/** The first message in an error body; every service nests it elsewhere. */
export function messageIn(response: WebResponse): string {
  const body = response.bytes.toString("utf8");
  const found = findMessage(parseJson(body), 0);
  return visibleLine((found ?? "").slice(0, 300));
}

function findMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value;
  if (value === null || typeof value !== "object" || depth > 3) return undefined;
  const members = new Map(Object.entries(value));
  for (const name of ["message", "detail", "reason", "error", "details"]) {
    const found = findMessage(members.get(name), depth + 1);
    if (found) return found;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
