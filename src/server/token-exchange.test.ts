import { createHmac } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { keptTokens, PairedDevices } from "./kept-tokens.ts";
import { Pairing, type PairingEvent } from "./pairing.ts";
import { testServer } from "./server.suite.ts";
import { TokenExchange } from "./token-exchange.ts";

test("a code opens once, and not for long", () => {
  let now = 0;
  const entrance = new TokenExchange("secret", undefined, () => now);
  const [first, second] = [entrance.code(), entrance.code()];
  expect(entrance.enter(first)).toBe("secret");
  expect(() => entrance.enter(first)).toThrow(/already used or has expired/);
  expect(() => entrance.enter("secret")).toThrow(/already used or has expired/);
  now = 2 * 60 * 1000;
  expect(() => entrance.enter(second)).toThrow(/already used or has expired/);
});

test("a pairing code holds once, for five minutes and five attempts, and each attempt is told", () => {
  let now = 0;
  const heard: PairingEvent[] = [];
  const pairing = new Pairing(
    (event) => heard.push(event),
    () => ({ id: "3f2a1b", key: "own" }),
    () => now,
  );
  expect(() => pairing.take("00000000", "phone")).toThrow(/No code is valid now/);
  const first = pairing.code();
  const code = pairing.code();
  expect(code).toMatch(/^\d{8}$/);
  const wrong = code === "12345678" ? "87654321" : "12345678";
  expect(() => pairing.take(wrong, "phone")).toThrow(/4 attempts are left/);
  if (first !== code) expect(() => pairing.take(first, "phone")).toThrow(/3 attempts are left/);
  pairing.take(`${code.slice(0, 4)} ${code.slice(4)}`, "phone");
  expect(() => pairing.take(code, "phone")).toThrow(/No code is valid now/);
  expect(heard.at(-1)).toMatchObject({ from: "phone", isPaired: true });

  const guessed = pairing.code();
  for (let left = 4; left >= 0; left--) {
    expect(() => pairing.take("x", "phone")).toThrow(/not the code/);
    expect(heard.at(-1)).toEqual({ from: "phone", isPaired: false, left });
  }
  expect(() => pairing.take(guessed, "phone")).toThrow(/No code is valid now/);
  const late = pairing.code();
  now = 5 * 60 * 1000;
  expect(() => pairing.take(late, "phone")).toThrow(/No code is valid now/);
});

test("a page and a server prove that they have the key without sending it; the proof holds for one process", () => {
  let now = 0;
  const entrance = new TokenExchange("key", undefined, () => now);
  const nonce = "0".repeat(32);
  const host = "localhost:4000";
  // What a page keeps: whoever takes its host can sign with it whatever they like.
  const kept = (key: string) => createHmac("sha256", key).update(`page at ${host}`).digest();
  const sign = (key: string, words: string) => createHmac("sha256", kept(key)).update(words).digest("hex");
  const proofOf = (key: string, challenge: string) => ({
    ...{ challenge, nonce },
    proof: sign(key, `page ${challenge} ${nonce}`),
  });
  const challenge = entrance.challenge();
  const proof = sign("key", `server ${challenge} ${nonce}`);
  expect(entrance.prove(proofOf("key", challenge), host)).toEqual({ token: entrance.tokens()[0], proof });
  for (const wrong of [
    // Whoever heard it cannot say it again.
    proofOf("key", challenge),
    proofOf("other", entrance.challenge()),
    { ...proofOf("key", entrance.challenge()), nonce: "1".repeat(32) },
    // Whoever took the port in the meantime could let the page prove whatever it makes up; none of it is of use here.
    proofOf("key", new TokenExchange("key", undefined, () => now).challenge()),
    proofOf("key", `${now}-made-up`),
    { challenge: entrance.challenge(), nonce, proof },
  ])
    expect(() => entrance.prove(wrong, host)).toThrow(/another key/);
  // A program at a port that a page still asks cannot use the page's key for the server at its new port.
  for (const words of [`page ${challenge} ${nonce}`, `page localhost:4001 ${challenge} ${nonce}`])
    expect(() => entrance.prove({ challenge, nonce, proof: sign("key", words) }, "localhost:4001")).toThrow(
      /another key/,
    );
  const unused = entrance.challenge();
  now = 2 * 60 * 1000;
  expect(() => entrance.prove(proofOf("key", unused), host)).toThrow(/another key/);
});

test("a device has a key of its own: one that is lost is ended alone, also while the server runs", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "wield-devices-"));
  onTestFinished(() => removeFolder(stateDir));
  const place = { stateDir, root: "/a" };
  const { page } = keptTokens(stateDir, "/a");
  const running = new TokenExchange(page, new PairedDevices(place));
  const [phone, tablet] = ["192.168.1.7", "192.168.1.8"].map((from) => new PairedDevices(place).add(from));
  const prove = (key: string) => {
    const challenge = running.challenge();
    const nonce = "0".repeat(32);
    const kept = createHmac("sha256", key).update("page at phone:4142").digest();
    const proof = createHmac("sha256", kept).update(`page ${challenge} ${nonce}`).digest("hex");
    return running.prove({ challenge, nonce, proof }, "phone:4142").token;
  };
  const [own, lost, left] = [page, phone?.key ?? "", tablet?.key ?? ""].map(prove);
  expect(new Set([own, lost, left]).size).toBe(3);
  expect(running.tokens()).toEqual([own, lost, left]);
  expect(new PairedDevices(place).end("nobody")).toBe(false);
  expect(new PairedDevices(place).end(phone?.id ?? "")).toBe(true);
  expect(running.tokens()).toEqual([own, left]);
  expect(() => prove(phone?.key ?? "")).toThrow(/another key/);
  expect(keptTokens(stateDir, "/a").page).toBe(page);
});

test("the address for a browser holds no token; its code is exchanged for it behind the same guard", async () => {
  const server = await testServer();
  const address = server.signInAddress();
  expect(address).not.toContain(server.token);
  const code = /#code=([\w-]{32})$/.exec(address)?.[1];
  const enter = (headers: Record<string, string>, body: unknown = { code }) =>
    fetch(`${server.origin}/enter`, { method: "POST", headers, body: JSON.stringify(body) });
  const json = { "content-type": "application/json" };
  expect((await enter({ "content-type": "text/plain" })).status).toBe(415);
  expect((await enter({ ...json, origin: "http://attacker.example" })).status).toBe(403);
  expect((await enter({ ...json, "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await enter(json, { code: "invented" })).status).toBe(403);
  expect((await enter(json, { code: [code] })).status).toBe(400);
  expect(await server.status("/enter")).toBe(404);
  const entered = await enter({ ...json, origin: server.origin });
  expect([entered.status, await entered.json()]).toEqual([200, { token: server.token }]);
  expect((await enter(json)).status).toBe(403);
});
