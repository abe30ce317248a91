// What signs the page in at its own server, so that it still is after a restart. A program that takes the port of a server which
// was stopped has the origin, too: its page can read everything that is stored here. So the key is kept in a form that can be
// used and not read, only for this host, is never sent, and the server proves first that it has the same one. The token of a team's account is sent with
// each request; nobody else can take the address of a team.
import { keepKey, keptKey } from "./kept-key.ts";

const accountKey = "wield-token";
const judgeAgainMs = 1000;
const text = new TextEncoder();

let bearer: string | undefined;
let entering: Promise<boolean> | undefined;

export function token(): string {
  return bearer ?? localStorage.getItem(accountKey) ?? "";
}

/**
 * Takes the token or the code out of the address, which people may copy; whether there was one. `waiting` is told why a team's
 * server cannot judge an account yet: until it can, the address keeps the token.
 */
export async function takeToken(waiting: (why: string) => void = () => undefined): Promise<boolean> {
  const [, kind, given] = /[#&](token|code)=([\w-]+)/.exec(location.hash) ?? [];
  if (given === undefined) return false;
  const isAccount = kind === "token" && given.startsWith("wield_");
  if (isAccount) await takeAccount(given, waiting);
  const to = /&to=([^&]+)/.exec(location.hash)?.[1];
  history.replaceState(
    null,
    "",
    `${location.pathname}#${to === undefined ? "/chat" : decodeURIComponent(to)}`,
  );
  const key = kind === "token" ? given : await exchanged(given);
  if (!isAccount && key !== undefined) await takeKey(key);
  return true;
}

/** Gets a token of the running server by the key that is kept; false where there is none, or not the server's. */
export function enter(): Promise<boolean> {
  entering ??= (async () => {
    const old = localStorage.getItem(accountKey);
    if (old !== null && !old.startsWith("wield_")) {
      localStorage.removeItem(accountKey);
      await takeKey(old);
    }
    const key = await keptKey();
    const got = key && (await proved(key).catch(() => undefined));
    if (got !== undefined) bearer = got;
    return got !== undefined;
  })().finally(() => {
    entering = undefined;
  });
  return entering;
}

/** This browser has a token of an account, valid or not. */
export function hasAccount(): boolean {
  return localStorage.getItem(accountKey) !== null;
}

/** This browser is not signed in any more. */
export function forgetAccount(): void {
  localStorage.removeItem(accountKey);
}

/** How people sign in at a team's page; undefined: this is the page of one person. */
export async function signInWays(): Promise<{ provider: boolean } | undefined> {
  return fetch("/sign-in/ways").then(
    async (response) => (response.ok ? ((await response.json()) as { provider: boolean }) : undefined),
    () => undefined,
  );
}

/** Signs in with a token that somebody entered; false: it is not accepted. Fails with the server's words if it cannot judge it. */
export async function signIn(given: string): Promise<boolean> {
  if (!(await isAccepted(given))) return false;
  localStorage.setItem(accountKey, given);
  return true;
}

/** Whether this server lets a device in that has no token, by a code from its terminal. */
export async function canPair(): Promise<boolean> {
  return fetch("/enter/pair").then(
    (response) => response.ok,
    () => false,
  );
}

/** Exchanges the code from the terminal for the key; fails with the server's words. */
export async function pair(code: string): Promise<void> {
  await takeKey((await post<{ token: string }>("/enter/pair", { code })).token);
}

/** A key of a link is kept if it is the server's: a link of somebody else changes nothing. */
async function takeKey(given: string): Promise<void> {
  const key = await usable(await sign(await usable(text.encode(given)), `page at ${location.host}`));
  const got = await proved(key).catch(() => undefined);
  if (got === undefined) return;
  bearer = got;
  await keepKey(key);
}

/** Who is signed in is asked before a link signs in somebody else. */
async function takeAccount(given: string, waiting: (why: string) => void): Promise<void> {
  const stored = localStorage.getItem(accountKey);
  if (stored === given || !(await onceJudged(given, waiting))) return;
  const question = "You are signed in here. Sign in with the account of this link instead?";
  if (stored !== null && (await onceJudged(stored, waiting)) && !confirm(question)) return;
  localStorage.setItem(accountKey, given);
}

/** Asks until the server can tell. */
async function onceJudged(account: string, waiting: (why: string) => void): Promise<boolean> {
  for (;;)
    try {
      return await isAccepted(account);
    } catch (error) {
      waiting(error instanceof TypeError ? "Wield is not reachable." : (error as Error).message);
      await new Promise((resolve) => setTimeout(resolve, judgeAgainMs));
    }
}

async function isAccepted(account: string): Promise<boolean> {
  const response = await fetch("/api/status", { headers: { authorization: `Bearer ${account}` } });
  if (response.status >= 500) throw new Error((await errorIn(response)) ?? `status ${response.status}`);
  return response.ok;
}

/** Shows the server that this page has the key, and the page that the server has it; the token it gives then. */
async function proved(key: CryptoKey): Promise<string | undefined> {
  const { challenge } = await post<{ challenge: string }>("/enter/challenge", {});
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const proof = hex(await sign(key, `page ${challenge} ${nonce}`));
  const given = await post<{ token: string; proof: string }>("/enter/proof", { challenge, nonce, proof });
  const expected = hex(await sign(key, `server ${challenge} ${nonce}`));
  return given.proof === expected ? given.token : undefined;
}

/** A key that can be used and not read. */
function usable(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

async function sign(key: CryptoKey, words: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(words)));
}

async function exchanged(code: string): Promise<string | undefined> {
  return (await post<{ token: string }>("/enter", { code }).catch(() => undefined))?.token;
}

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await errorIn(response)) ?? `status ${response.status}`);
  return (await response.json().catch(() => ({}))) as T;
}

/** The server's words. */
export async function errorIn(response: Response): Promise<string | undefined> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message: string } };
  return error?.message;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
