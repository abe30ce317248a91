import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { findSecret, isSecretPath, secretsIn } from "./secrets.ts";

const env = [
  "# settings",
  "NODE_ENV=development",
  "PORT=3000",
  "APP_URL=https://shop.example.com/start",
  "DATABASE_URL=postgres://shop:Tr0ub4dor&3-horse@db.internal:5432/shop",
  "export SESSION_SECRET='correct horse battery staple 9'",
  'STRIPE="rk9Zq71LmN0pXw42TtYv"',
  "API_KEY=your-key-here",
  "DEBUG=true",
].join("\n");
const known = secretsIn(env, true);
const secret = "correct horse battery staple 9";

test("a file with secrets: what opens something, not what says where it is", () => {
  expect(known.map(({ name }) => name).sort()).toEqual(["DATABASE_URL", "SESSION_SECRET", "STRIPE"]);
  expect(known.find(({ name }) => name === "DATABASE_URL")?.value).toBe("Tr0ub4dor&3-horse");
});

test.each([
  ['{"apiKey": "k3yk3yk3y-1"}', "k3yk3yk3y-1"],
  ["client_secret: zzz-topsecret-1", "zzz-topsecret-1"],
  ["//packages.example.org/:_authToken=abcdef123456", "abcdef123456"],
  ["const dbPassword = 'hunter2hunter2'", "hunter2hunter2"],
])("by the names people use: %s", (text, value) => {
  expect(secretsIn(text).map((one) => one.value)).toContain(value);
});

const secretFiles: [string, string][] = [
  ["MAIL_PASSWORD=Tr0ub,4dor&3xyzzyABC", "Tr0ub,4dor&3xyzzyABC"],
  ["A=Tr0ub;4dor#3xyzzyABC # a comment", "Tr0ub;4dor#3xyzzyABC"],
  ["SLACK_WEBHOOK=https://hooks.example.com/services/T0AB12CD3/q1w2e3r4t5y6u7i8o9p0", "q1w2e3r4t5y6u7i8o9p0"],
  ["COOKIE_SALT=a8F/93kdLq+ZZ81kd/02jdKEmw==", "a8F/93kdLq+ZZ81kd/02jdKEmw=="],
  ["PASSWORD_PROD=plumtreegardenwall", "plumtreegardenwall"],
  ["UNTOLD=tw0 w0rds, 4nd m0re", "tw0 w0rds, 4nd m0re"],
  ["machine git.corp login bob password n3trc-S3cret", "n3trc-S3cret"],
  ["machine git.corp\n  login bob\n  password n3trc-S3cret\n", "n3trc-S3cret"],
  ["db.corp:5432:app:bob:pgp4ss\\:S3cret", "pgp4ss:S3cret"],
  ["https://bob:g1t-S3cret@git.example.com", "g1t-S3cret"],
];
test.each(secretFiles)("in a file that is secret by name: %s", (text, value) => {
  expect(secretsIn(text, true).map((one) => one.value)).toContain(value);
  expect(findSecret(`q ${value}`, secretsIn(text, true))).toMatch(/^the value of/);
});

test.each([
  "NODE_ENV=development",
  "DEBUG_ENABLED=true",
  "LIMIT=100000000",
  "APP=http://localhost:3000/start1234567890ab",
  "DATA=/var/lib/app2/data",
  "OUT=build/output/site",
  "AWS_REGION=us-east-1",
  "DB_USER=postgres",
  "API=https://api.example.com/v2/orders",
  "SMTP=mail.example.com:587",
])("plainly public, also in such a file: %s", (text) => {
  expect(secretsIn(text, true)).toEqual([]);
});

test("any few lines of a private key", () => {
  const body = Array.from({ length: 20 }, (_, at) => createHash("sha384").update(`${at}`).digest("base64"));
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${body.join("\n")}\n-----END RSA PRIVATE KEY-----\n`;
  const ofKey = secretsIn(key, true);
  for (let at = 0; at < body.length; at++)
    expect(findSecret(`q ${body[at]}`, ofKey), `line ${at}`).toBe("the value of a private key");
  expect(findSecret(createHash("sha384").update("another").digest("base64"), ofKey)).toBeUndefined();
});

test.each([
  "password: string",
  "token = process.env.TOKEN",
  "PASSWORD=changeme",
  "key: true",
  "a monkey: 12345678",
])("no secret: %s", (text) => {
  expect(secretsIn(text)).toEqual([]);
});

test.each([
  ["AKIAIOSFODNN7EXAMPLE", "an AWS access key"],
  ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "a GitHub token"],
  ["-----BEGIN OPENSSH PRIVATE KEY-----", "a private key"],
  [`sk-ant-${"api03-abcdefghijklmnop"}`, "an Anthropic key"],
])("by its shape, though nobody has read it: %s", (text, name) => {
  expect(findSecret(`q=${text}`, [])).toBe(name);
  expect(findSecret(`q=${Buffer.from(text).toString("base64")}`, [])).toBe(name);
});

describe("however it is written", () => {
  const base64 = Buffer.from(secret).toString("base64");
  const hex = Buffer.from(secret).toString("hex");
  test.each<[string, string]>([
    ["as it is", `https://evil.example.com/?q=${secret}`],
    ["percent", `https://evil.example.com/${encodeURIComponent(secret)}`],
    ["every byte percent", hex.replaceAll(/../g, "%$&")],
    ["base64", `token ${base64}`],
    ["base64 for addresses", base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")],
    ["base64 of base64", Buffer.from(base64).toString("base64")],
    ["base64, percent", encodeURIComponent(base64)],
    ["base64 of the whole file", Buffer.from(env).toString("base64")],
    ["hex", hex.toUpperCase()],
    ["hex with colons", hex.replaceAll(/..(?=.)/g, "$&:")],
    ["divided by dashes", [...secret].join("-")],
    ["in parts of an object", JSON.stringify({ a: secret.slice(0, 12), b: secret.slice(12) })],
    ["only its first half", `x ${secret.slice(0, 18)} y`],
    ["only its second half", `x${secret.slice(13)}y`],
    ["reversed", [...secret].reverse().join("")],
    ["ROT13", "pbeerpg ubefr onggrel fgncyr 9"],
    ["escapes", [...secret].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join("")],
    ["entities", [...secret].map((c) => `&#${c.charCodeAt(0)};`).join("")],
    ["other case", secret.toUpperCase()],
  ])("%s", (_, text) => {
    expect(findSecret(text, known)).toMatch(/^the value of (SESSION_SECRET|DATABASE_URL)$/);
  });
});

describe("a token is found however it is written", () => {
  const token = "q7Rz2KfW9mXv4LbT8sYc3NdH6pJg";
  const bytes = [...Buffer.from(token)];
  const utf16 = Buffer.from(token, "utf16le");
  test.each([
    ["octal escapes", bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")],
    ["octal numbers", bytes.map((byte) => byte.toString(8).padStart(3, "0")).join(" ")],
    ["decimal numbers", bytes.join(", ")],
    ["binary numbers", bytes.map((byte) => byte.toString(2).padStart(8, "0")).join(" ")],
    ["UTF-16 in base64", utf16.toString("base64")],
    ["UTF-16 in hex", utf16.toString("hex")],
    ["UTF-16 in percent", `%${utf16.toString("hex").match(/../g)?.join("%")}`],
    ["UTF-16, the other way round", Buffer.from(utf16).swap16().toString("hex")],
    ["groups of four", token.match(/.{4}/g)?.join(" ") ?? ""],
    ["its first third", `see ${token.slice(0, 10)} there`],
    ["its middle third", `see ${token.slice(9, 19)} there`],
    ["its last third", `see ${token.slice(18)} there`],
  ])("%s", (_, text) => {
    expect(findSecret(text, [{ name: "TOKEN", value: token }])).toBe("the value of TOKEN");
  });
});

describe("a token is found wherever its code stands", () => {
  const token = "Qz7rT-m2Kx9Wv4Lp8Nd3Hs6";
  const base64 = Buffer.from(token).toString("base64");
  const hex = Buffer.from(token).toString("hex");
  const rot13 = (text: string) =>
    text.replaceAll(/[a-z]/gi, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
    );
  const reversed = (text: string) => [...text].reverse().join("");
  const words = Array.from({ length: 300 }, (_, at) => `document${at}`).join(" ");
  const address = "https://evil.example/collect/projects/alpha/reports";
  test.each([
    ["base64 among the folders of an address", `${address}/${base64}/index/overview/summary/latest`],
    ["base64 for addresses, after one more letter", `${address}/a/${base64.replace(/=+$/, "")}/index/latest`],
    ["base64 after words with dashes", `report-for-the-project-alpha-beta-${base64}`],
    ["base64 after other letters", `token${base64}`],
    ["base64 between other letters", `aaaa${base64.replace(/=+$/, "")}bbbb`],
    ["base64 after 300 words", `${words} ${base64}`],
    ["hex after 300 numbers", `${words.replaceAll("document", "abcdefabcdef")} zz ${hex}`],
    ["hex after one digit", `id=a${hex}`],
    ["hex after three digits", `abc${hex}`],
    ["hex divided at odd places", hex.replaceAll(/.../g, "$& ")],
    ["hex as numbers", hex.replaceAll(/../g, "0x$&, ")],
    ["hex with dots", hex.replaceAll(/../g, "$&.")],
    ["decimal numbers with dots", [...Buffer.from(token)].join(".")],
    ["the base64 in ROT13", rot13(base64)],
    ["the base64 reversed", reversed(base64)],
    ["the hex reversed", reversed(hex)],
    ["the base64 of the reversed", Buffer.from(reversed(token)).toString("base64")],
    ["the ROT13 of the base64 of the base64", rot13(Buffer.from(base64).toString("base64"))],
  ])("%s", (_, text) => {
    expect(findSecret(text, [{ name: "TOKEN", value: token }])).toBe("the value of TOKEN");
  });
});

test("what a person would search for is no secret", () => {
  for (const query of [
    "how to connect to postgres on port 5432 in node",
    "stripe api pagination example",
    "https://docs.example.com/guide/start?lang=en&v=2#install",
    "error TS2345 argument of type string is not assignable",
    "the horse and the battery",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  ])
    expect(findSecret(query, known)).toBeUndefined();
});

test.each([
  [".env", true],
  ["packages/a/.env.local", true],
  [".env.example", false],
  ["src/env.ts", false],
  ["deploy/id_rsa", true],
  ["certs/server.pem", true],
  ["src/token.ts", false],
  [".npmrc", true],
])("%s holds secrets: %s", (path, expected) => {
  expect(isSecretPath(path)).toBe(expected);
});
