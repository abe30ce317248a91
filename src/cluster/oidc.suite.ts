import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An identity provider (OpenID Connect, code flow with PKCE) at which everybody is the one person given. */
export async function testIssuer(person: {
  sub: string;
  email: string;
}): Promise<{ issuer: string; close(): void }> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const codes = new Map<string, { challenge: string; nonce: string; client: string }>();
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (url.pathname === "/.well-known/openid-configuration")
      return json({
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
        },
        id_token_signing_alg_values_supported: ["RS256"],
      });
    if (url.pathname === "/jwks")
      return json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] });
    if (url.pathname === "/authorize") {
      const given = (name: string) => url.searchParams.get(name) ?? "";
      const code = randomBytes(8).toString("hex");
      codes.set(code, {
        challenge: given("code_challenge"),
        nonce: given("nonce"),
        client: given("client_id"),
      });
      response.writeHead(302, { location: `${given("redirect_uri")}?code=${code}&state=${given("state")}` });
      return response.end();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const known = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (known?.challenge !== proof) return json({ error: "invalid_grant" }, 400);
    const now = Math.floor(Date.now() / 1000);
    const body = `${encode({ alg: "RS256", kid: "k" })}.${encode({ ...person, iss: issuer, aud: known.client, nonce: known.nonce, iat: now, exp: now + 60 })}`;
    const signature = createSign("RSA-SHA256").update(body).sign(privateKey).toString("base64url");
    return json({
      access_token: "a",
      token_type: "Bearer",
      expires_in: 60,
      id_token: `${body}.${signature}`,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer, close: () => server.close() };
}
