import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Failure } from "../failure/failure.ts";

/** What is sealed: a row that is moved to another owner or name cannot be opened. */
export interface Place {
  owner: string;
  name: string;
}

/** Sealed under WIELD_SECRET_KEY, bound to its place. */
export function seal(text: string, place: Place, secret: string | undefined): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFrom(secret), nonce).setAAD(placeBytes(place));
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

export function unseal(sealed: Buffer, place: Place, secret: string | undefined): string {
  const [nonce, body, tag] = [sealed.subarray(0, 12), sealed.subarray(12, -16), sealed.subarray(-16)];
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyFrom(secret), nonce)
      .setAAD(placeBytes(place))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw savedUnderAnother(place.name);
  }
}

export function savedUnderAnother(name: string): Failure {
  return new Failure(
    "UNAVAILABLE",
    `The key ${name} was saved under another WIELD_SECRET_KEY. Save it again, under My account or Team, Keys.`,
  );
}

export function requireLongKey(secret: string | undefined, what = "WIELD_SECRET_KEY"): string {
  if (secret && secret.length >= 32) return secret;
  throw new Failure(
    "UNAVAILABLE",
    `${what} must have at least 32 characters: keys are kept encrypted under it. Set the same one on every machine. For example: openssl rand -base64 32`,
  );
}

function keyFrom(secret: string | undefined): Buffer {
  return Buffer.from(hkdfSync("sha256", requireLongKey(secret), "", "wield secrets", 32));
}

function placeBytes({ owner, name }: Place): Buffer {
  return Buffer.from(JSON.stringify([owner, name]));
}
