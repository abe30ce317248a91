import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import { isIP } from "node:net";

export interface Certificate {
  /** PEM. */
  key: string;
  cert: string;
}

const day = 24 * 60 * 60 * 1000;
/** Browsers refuse certificates that are valid for longer than about thirteen months. */
const goodForMs = 397 * day;

/** A certificate that vouches for itself, for these IPv4 addresses. Node makes the key and the signature; the frame is written here. */
export function makeCertificate(addresses: readonly string[], now = new Date()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid.commonName, tagged(0x0c, Buffer.from("Wield on this network")))));
  const algorithm = sequence(oid.ecdsaWithSha256);
  const signed = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    // An hour earlier: the clock of a phone may be behind.
    sequence(time(new Date(now.getTime() - day / 24)), time(new Date(now.getTime() + goodForMs))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(
      0xa3,
      sequence(
        sequence(oid.basicConstraints, critical, octets(sequence())),
        sequence(oid.keyUsage, critical, octets(digitalSignature)),
        sequence(oid.extendedKeyUsage, octets(sequence(oid.serverAuthentication))),
        sequence(oid.alternativeNames, octets(sequence(...addresses.map(addressName)))),
      ),
    ),
  );
  const signature = sign("sha256", signed, privateKey);
  const whole = sequence(signed, algorithm, tagged(0x03, Buffer.from([0]), signature));
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert: pem(whole) };
}

/** What a person compares with what their browser shows. */
export function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256;
}

/** Whether a certificate can still be used for these addresses. */
export function isGoodFor(cert: string, addresses: readonly string[], now = new Date()): boolean {
  const known = new X509Certificate(cert);
  const isValid = known.validFromDate <= now && now.getTime() < known.validToDate.getTime() - 7 * day;
  return isValid && addresses.every((address) => known.checkIP(address) !== undefined);
}

const oid = {
  commonName: objectId("550403"),
  ecdsaWithSha256: objectId("2a8648ce3d040302"),
  basicConstraints: objectId("551d13"),
  keyUsage: objectId("551d0f"),
  extendedKeyUsage: objectId("551d25"),
  alternativeNames: objectId("551d11"),
  serverAuthentication: objectId("2b06010505070301"),
};
const critical = tagged(0x01, Buffer.from([0xff]));
const digitalSignature = tagged(0x03, Buffer.from([7, 0x80]));

/** Distinguished encoding (DER): a tag, the length of the content, the content. */
function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, body]);
}

function sequence(...content: readonly Buffer[]): Buffer {
  return tagged(0x30, ...content);
}

function set(...content: readonly Buffer[]): Buffer {
  return tagged(0x31, ...content);
}

/** Positive: the first byte is below 0x80. */
function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function octets(content: Buffer): Buffer {
  return tagged(0x04, content);
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

/** `YYMMDDhhmmssZ`, for years before 2050. */
function time(at: Date): Buffer {
  return tagged(
    0x17,
    Buffer.from(
      `${at
        .toISOString()
        .replace(/\.\d+|[-:T]/g, "")
        .slice(2)}`,
    ),
  );
}

function addressName(address: string): Buffer {
  if (isIP(address) !== 4) throw new Error(`${address} is not an IPv4 address`);
  return tagged(0x87, Buffer.from(address.split(".").map(Number)));
}

function pem(der: Buffer): string {
  const lines = der
    .toString("base64")
    .replace(/(.{64})/g, "$1\n")
    .trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
