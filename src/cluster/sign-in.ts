import type { Hono } from "hono";
import { Failure } from "../failure/failure.ts";
import { rememberSuccess } from "../failure/remember-success.ts";
import type { PostgresDatabase } from "../store/postgres-database.ts";
import { fittingName } from "./name.ts";
import { audit, people } from "./people.ts";
import { seal, unseal } from "./sealing.ts";
import { teamApp } from "./team-app.ts";
import { signInLabel, tokens } from "./tokens.ts";

export interface SignIn {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

interface SignInParts extends SignIn {
  database: PostgresDatabase;
  origin: string;
  secretKey: string | undefined;
}

const cookie = "wield-sign-in";
const place = { owner: "", name: cookie };
const days = 1;

/**
 * Signing in with an identity provider (OpenID Connect, code flow with PKCE). What must be remembered until the person comes back is
 * sealed into a cookie, so any web process can answer. The page gets a token that is good for a day.
 */
export function signInRoutes({
  issuer,
  clientId,
  clientSecret,
  database,
  origin,
  secretKey,
}: SignInParts): Hono {
  const app = teamApp();
  const redirectUri = `${origin}/sign-in/callback`;
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  const provider = rememberSuccess(async () => {
    const oidc = await import("openid-client");
    // Without encryption only on this machine, for trying it out.
    const isLocal = /^http:\/\/(127\.0\.0\.1|localhost)(:|\/|$)/.test(issuer);
    const options = isLocal ? { execute: [oidc.allowInsecureRequests] } : {};
    return {
      oidc,
      config: await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, options),
    };
  });

  app.get("/sign-in", async (c) => {
    const { oidc, config } = await provider();
    const verifier = oidc.randomPKCECodeVerifier();
    const kept = { verifier, state: oidc.randomState(), nonce: oidc.randomNonce() };
    const url = oidc.buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: "openid profile email", state: kept.state, nonce: kept.nonce },
      ...{ code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    });
    const sealed = seal(JSON.stringify(kept), place, secretKey).toString("base64url");
    c.header(
      "set-cookie",
      `${cookie}=${sealed}; HttpOnly; SameSite=Lax; Path=/sign-in; Max-Age=600${secure}`,
    );
    return c.redirect(url.href);
  });

  app.get("/sign-in/callback", async (c) => {
    const sealed = new RegExp(`(?:^|; )${cookie}=([\\w-]+)`).exec(c.req.header("cookie") ?? "")?.[1];
    if (sealed === undefined) throw new Failure("PERMISSION_DENIED", "Signing in took too long. Try again.");
    const kept = JSON.parse(unseal(Buffer.from(sealed, "base64url"), place, secretKey)) as Record<
      string,
      string
    >;
    const { oidc, config } = await provider();
    const back = new URL(`${redirectUri}${new URL(c.req.url).search}`);
    const granted = await oidc
      .authorizationCodeGrant(config, back, {
        pkceCodeVerifier: kept["verifier"] ?? "",
        expectedState: kept["state"] ?? "",
        expectedNonce: kept["nonce"] ?? "",
      })
      .catch(() => {
        throw new Failure(
          "PERMISSION_DENIED",
          "The identity provider's answer could not be verified. Sign in again.",
        );
      });
    const claims = granted.claims();
    if (!claims) throw new Failure("PERMISSION_DENIED", "The identity provider did not say who you are.");
    const named = [claims["email"], claims["name"], claims.sub].find((name) => typeof name === "string");
    const person = await people.bySubject(
      database,
      `${claims.iss} ${claims.sub}`,
      fittingName(String(named), "person"),
    );
    const token = await tokens.add(database.query, person.id, { label: signInLabel, days });
    await audit(database.query, person.id, "sign-in", person.name);
    c.header("set-cookie", `${cookie}=; HttpOnly; SameSite=Lax; Path=/sign-in; Max-Age=0${secure}`);
    return c.redirect(`/#token=${token}`);
  });
  return app;
}
