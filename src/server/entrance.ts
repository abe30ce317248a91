import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { sha256 } from "../text/digest.ts";
import { answerErrors, bodyOf } from "./body.ts";

const goodForMs = 2 * 60 * 1000;

/**
 * Login codes for the browser that Wield opens. Its command line is visible to every user of the machine, so the address
 * contains a code instead of the token; the page exchanges the code for the token, once and within seconds.
 */
export class Entrance {
  readonly #token: string;
  readonly #now: () => number;
  /** Digests of codes, with their expiry time. */
  readonly #codes = new Map<string, number>();

  constructor(token: string, now: () => number = Date.now) {
    this.#token = token;
    this.#now = now;
  }

  code(): string {
    const code = randomBytes(24).toString("base64url");
    this.#codes.set(sha256(code), this.#now() + goodForMs);
    return code;
  }

  enter(code: string): string {
    const digest = sha256(code);
    const until = this.#codes.get(digest) ?? 0;
    this.#codes.delete(digest);
    if (this.#now() < until) return this.#token;
    throw new Failure(
      "PERMISSION_DENIED",
      "This code was already used or has expired. Open the address that Wield printed when it started.",
    );
  }
}

export const entrancePath = "/enter";

export function entranceRoutes(entrance: Entrance): Hono {
  // Anybody on this machine can post here, so little is read.
  const app = answerErrors(new Hono(), 4 * 1024);
  app.post(entrancePath, async (c) => {
    const { code } = await bodyOf(c.req.raw, z.strictObject({ code: z.string().max(200) }));
    return c.json({ token: entrance.enter(code) }, 200, { "cache-control": "no-store" });
  });
  return app;
}
