import { randomInt, timingSafeEqual } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { sha256 } from "../text/digest.ts";
import { answerErrors, bodyOf } from "./body.ts";
import type { Device } from "./kept-tokens.ts";

const goodForMs = 5 * 60 * 1000;
const mostWrong = 5;

/** A pairing event, for the terminal. */
export interface PairingEvent {
  from: string;
  isPaired: boolean;
  /** Wrong codes that are still allowed; 0: the code is void. */
  left: number;
  /** What ends the device alone: `wield serve --end-device ID`. */
  device?: string;
}

/**
 * Lets a device in that has no token: the person reads a code in the terminal and types it there. A code holds once, for five
 * minutes and for five attempts; then the person makes a new one.
 */
export class Pairing {
  readonly #heard: (event: PairingEvent) => void;
  readonly #enroll: (from: string) => Pick<Device, "id" | "key">;
  readonly #now: () => number;
  #open: { digest: string; until: number; left: number } | undefined;

  constructor(
    heard: (event: PairingEvent) => void,
    enroll: (from: string) => Pick<Device, "id" | "key">,
    now: () => number = Date.now,
  ) {
    this.#heard = heard;
    this.#enroll = enroll;
    this.#now = now;
  }

  /** A new code; the one before no longer holds. */
  code(): string {
    const code = String(randomInt(100_000_000)).padStart(8, "0");
    this.#open = { digest: sha256(code), until: this.#now() + goodForMs, left: mostWrong };
    return code;
  }

  /** The key of the device; throws unless this is the code. */
  take(given: string, from: string): string {
    const open = this.#open;
    if (!open || this.#now() >= open.until) {
      this.#open = undefined;
      throw new Failure("PERMISSION_DENIED", `No code is valid now. ${makeNew}`);
    }
    const digest = Buffer.from(sha256(given.replace(/[\s-]/g, "")));
    const isRight = timingSafeEqual(digest, Buffer.from(open.digest));
    open.left -= 1;
    if (isRight || open.left === 0) this.#open = undefined;
    if (isRight) {
      const { id, key } = this.#enroll(from);
      this.#heard({ from, isPaired: true, left: open.left, device: id });
      return key;
    }
    this.#heard({ from, isPaired: false, left: open.left });
    const rest =
      open.left === 0
        ? `It was the last attempt. ${makeNew}`
        : `${open.left} ${open.left === 1 ? "attempt is" : "attempts are"} left.`;
    throw new Failure("PERMISSION_DENIED", `This is not the code that the terminal shows. ${rest}`);
  }
}

const makeNew = "Press Enter in the terminal where Wield runs to make a new one.";

const pairPath = "/enter/pair";
export const pairingPaths: ReadonlySet<string> = new Set([pairPath]);

/** `GET` tells a page without a token to ask for the code; `POST` exchanges the code for a key of the device's own. */
export function pairingRoutes(pairing: Pairing): Hono {
  const app = answerErrors(new Hono(), 4 * 1024);
  app.get(pairPath, (c) => c.json({ pairs: true }));
  app.post(pairPath, async (c) => {
    const { code } = await bodyOf(c.req.raw, z.strictObject({ code: z.string().max(50) }));
    const { incoming } = c.env as HttpBindings;
    const token = pairing.take(code, incoming.socket.remoteAddress ?? "an unknown address");
    return c.json({ token }, 200, { "cache-control": "no-store" });
  });
  return app;
}
