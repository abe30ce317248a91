import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { sha256 } from "../text/digest.ts";
import { answerErrors, bodyOf } from "./body.ts";
import { newTokens, PairedDevices } from "./kept-tokens.ts";

const goodForMs = 2 * 60 * 1000;

/**
 * How a page signs in. The key is part of the printed address. It survives restarts, so the page stores it and never
 * sends it: a program that takes over the port of a stopped server would receive it. Page and server prove to each
 * other that they have the key, and the page gets a token of this process. The page stores a value derived from the
 * key and its host name: it is useless at any other host.
 *
 * A browser that Wield opens gets a code, because its command line is visible to every user of the machine. The page
 * exchanges it for the key, once and within seconds.
 */
export class TokenExchange {
  readonly #key: string;
  readonly #devices: PairedDevices;
  /** What is accepted from pages, of this process alone, by key. */
  readonly #tokens = new Map<string, string>();
  readonly #now: () => number;
  /** Makes challenges that need not be remembered. */
  readonly #own = randomBytes(32);
  /** Digests of codes, with their expiry time; for a device in the network, with what it is called. */
  readonly #codes = new Map<string, { until: number; device: string | undefined }>();
  /** Challenges that were answered rightly, with their expiry time: an answer counts once. */
  readonly #answered = new Map<string, number>();

  constructor(key: string, devices: PairedDevices = new PairedDevices(), now: () => number = Date.now) {
    this.#key = key;
    this.#devices = devices;
    this.#now = now;
  }

  /** Those of the person's own pages and of all devices that are paired now. */
  tokens(): string[] {
    return this.#keys().map((key) => this.#tokenOf(key));
  }

  #keys(): string[] {
    return [this.#key, ...this.#devices.list().map(({ key }) => key)];
  }

  #tokenOf(key: string): string {
    const token = this.#tokens.get(key) ?? newTokens().page;
    this.#tokens.set(key, token);
    return token;
  }

  /** A device in the network gets a key of its own for it, which can be ended alone. */
  code(device?: string): string {
    const code = randomBytes(24).toString("base64url");
    this.#codes.set(sha256(code), { until: this.#now() + goodForMs, device });
    return code;
  }

  enter(code: string): string {
    const digest = sha256(code);
    const { until = 0, device } = this.#codes.get(digest) ?? {};
    this.#codes.delete(digest);
    if (this.#now() < until) return device === undefined ? this.#key : this.#devices.add(device).key;
    throw new Failure(
      "PERMISSION_DENIED",
      "This code was already used or has expired. Open the address that Wield printed when it started.",
    );
  }

  challenge(): string {
    const made = `${this.#now()}-${randomBytes(16).toString("hex")}`;
    return `${made}-${hmac(this.#own, made)}`;
  }

  /**
   * For the proof that a page has the key for the host that it sees: the token, and the proof that this server has it. A
   * program at another port cannot pass them on.
   */
  prove({ challenge, nonce, proof }: Proof, host: string): { token: string; proof: string } {
    const [, made = "", at = "", mac = ""] = /^((\d+)-\w+)-(\w+)$/.exec(challenge) ?? [];
    const isOurs = isSame(mac, hmac(this.#own, made)) && this.#now() < Number(at) + goodForMs;
    const ofHost = (key: string) => createHmac("sha256", key).update(`page at ${host}`).digest();
    const key = this.#keys().find((each) => isSame(proof, hmac(ofHost(each), `page ${challenge} ${nonce}`)));
    if (key !== undefined && isOurs && !this.#answered.has(challenge)) {
      for (const [old, until] of this.#answered) if (until <= this.#now()) this.#answered.delete(old);
      this.#answered.set(challenge, Number(at) + goodForMs);
      return { token: this.#tokenOf(key), proof: hmac(ofHost(key), `server ${challenge} ${nonce}`) };
    }
    throw new Failure(
      "PERMISSION_DENIED",
      "This page has another key. Open the address that Wield printed when it started.",
    );
  }
}

const proofSchema = z.strictObject({
  challenge: z.string().max(200),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  proof: z.string().max(200),
});
type Proof = z.infer<typeof proofSchema>;

function hmac(key: string | Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Compares digests of equal length, so that timing reveals nothing. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
}

const entrancePath = "/enter";
const challengePath = "/enter/challenge";
const proofPath = "/enter/proof";
export const tokenExchangePaths: ReadonlySet<string> = new Set([entrancePath, challengePath, proofPath]);

const unkept = { "cache-control": "no-store" };

export function tokenExchangeRoutes(entrance: TokenExchange): Hono {
  // Anybody on this machine can post here, so little is read.
  const app = answerErrors(new Hono(), 4 * 1024);
  app.post(entrancePath, async (c) => {
    const { code } = await bodyOf(c.req.raw, z.strictObject({ code: z.string().max(200) }));
    return c.json({ token: entrance.enter(code) }, 200, unkept);
  });
  app.post(challengePath, (c) => c.json({ challenge: entrance.challenge() }, 200, unkept));
  app.post(proofPath, async (c) => {
    const proof = await bodyOf(c.req.raw, proofSchema);
    return c.json(entrance.prove(proof, c.req.header("host") ?? ""), 200, unkept);
  });
  return app;
}
