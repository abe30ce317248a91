import { isPlainlyPublic, keysInAddress, valuesOfSecretFile } from "./secret-files.ts";
import { viewsOf } from "./text-views.ts";

/** A value that must not leave the machine, and what it is called where it was found. */
export interface Secret {
  name: string;
  value: string;
  /** Where a session has read it; what others wrote is one source. */
  source?: string;
  /** Of a file that holds secrets: it is never forgotten. */
  lasting?: boolean;
}

/** Files that hold secrets by what programs keep in them. */
const secretFiles =
  /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$|dist$)[\w.-]+)?|\.envrc|\.npmrc|\.netrc|_netrc|\.pgpass|\.pypirc|\.git-credentials|\.htpasswd|credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml|env|ini)|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|keystore|jks)|service[-_]account.*\.json|kubeconfig)$/i;

export function isSecretPath(path: string): boolean {
  return secretFiles.test(path);
}

/** Tokens that show what they are by their shape. */
const shapes: readonly (readonly [string, RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{30,})/],
  ["a GitLab token", /\bglpat-[\w-]{16,}/],
  ["an Anthropic key", /\bsk-ant-[\w-]{16,}/],
  ["an OpenAI key", /\bsk-(?:proj-)?[A-Za-z0-9_-]{24,}/],
  ["a Slack token", /\bxox[abeprs]-[\w-]{10,}/],
  ["a Stripe key", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/],
  ["a Google key", /\bAIza[\w-]{35}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}/],
  ["a PyPI token", /\bpypi-[\w-]{50,}/],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{30,}/],
  ["a signed token (JWT)", /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
];

/** Names that people give to secrets, as a word of a longer name: `DB_PASSWORD`, `apiKey`, `client-secret`, `PASSWORD_PROD`. */
const secretName =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|auth[-_]?key|encryption[-_]?key|signing[-_]?key|credentials?|client[-_]?key|_key|\bkey|webhook(?:[-_]?url)?|salt|pepper)(?:[-_](?:prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|test|live|qa|old|new|primary|secondary|backup|main|\d+))?$/i;

/** `name = value`, `name: value`, `"name": "value"`, `//host/:_authToken=value`. */
const assignment =
  /(?:^|[\s{,;:"'`/])([A-Za-z_][\w.-]{0,80})["'`]?[ \t]*(?:=>|[:=])[ \t]*(?:"([^"\n]{1,4096})"|'([^'\n]{1,4096})'|([^\s"'`,;#{}()[\]]{1,4096}))/gm;

const placeholder =
  /^(?:x+|\*+|\.+|-+|_+|<.*>|\$\{?\w.*|%\w+%|your[-_ ].*|change[-_ ]?me|example|todo|none|null|undefined|true|false|secret|password|token|process\.env.*|os\.environ.*|env\..*|string|number)$/i;

/** The secrets in a text; in a file that holds secrets, every value that is not plainly public. */
export function secretsIn(text: string, inSecretFile = false): Secret[] {
  const found = new Map<string, string>();
  const mayAssign = inSecretFile || wordsOfNames.test(text) || /:\/\/[^/\s]*:[^@\s]*@/.test(text);
  const given = [
    ...(inSecretFile ? valuesOfSecretFile(text) : []),
    ...(mayAssign ? assignmentsIn(text) : []),
  ];
  for (const { name, value } of given)
    for (const secret of secretParts(name, value, inSecretFile)) found.set(secret, name);
  if (!beginningsOfShapes.test(text)) return [...found].map(([value, name]) => ({ name, value }));
  for (const [name, shape] of shapes)
    for (const [value] of text.matchAll(new RegExp(shape, "g")))
      if (!value.includes("BEGIN")) found.set(value, name);
  for (const [, body = ""] of text.matchAll(keyBody)) found.set(body.replaceAll(/\s/g, ""), "a private key");
  return [...found].map(([value, name]) => ({ name, value }));
}

/** Most texts contain none of these: two quick checks exclude them. */
const wordsOfNames = /pass|pwd|secret|token|key|credential|webhook|salt|pepper/i;
const beginningsOfShapes =
  /-----BEGIN|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|sk-|xox[abeprs]-|[rs]k_(?:live|test)_|AIza|npm_|pypi-|hf_|eyJ/;

const keyBody = /-----BEGIN [A-Z ]*PRIVATE KEY-----([\s\S]{40,16384}?)-----END/g;

function assignmentsIn(text: string): Secret[] {
  return [...text.matchAll(assignment)].map(([, name = "", double, single, bare]) => ({
    name,
    value: (double ?? single ?? bare ?? "").trim(),
  }));
}

/** What of a value is secret: all of it, or the parts of an address that open something. */
function secretParts(name: string, value: string, inSecretFile: boolean): string[] {
  const password = passwordIn(value);
  if (password !== undefined) return [password];
  const named = secretName.test(name);
  if (value.length < (named ? 6 : 8) || placeholder.test(value)) return [];
  if (/^[a-z][\w+.-]*:\/\//i.test(value)) return named || inSecretFile ? keysInAddress(value) : [];
  if (named) return /^[\d.]{1,7}$/.test(value) ? [] : [value];
  return inSecretFile && !isPlainlyPublic(name, value) ? [value] : [];
}

/** Of an address with a user and a password, the password. */
function passwordIn(value: string): string | undefined {
  const password = /^[a-z][\w+.-]*:\/\/[^/\s:@]*:([^@\s]{4,})@/i.exec(value)?.[1];
  return password === undefined || placeholder.test(password) ? undefined : password;
}

/** What secret a text would give away, however it is written; undefined where there is none. Never the secret itself. */
export function findSecret(text: string, known: readonly Secret[]): string | undefined {
  const views = viewsOf(text);
  for (const view of views) {
    const shape = shapes.find(([, pattern]) => pattern.test(view));
    if (shape) return shape[0];
  }
  const compacted = views.map(compact);
  for (const { name, value } of known) {
    if (views.some((view) => view.includes(value))) return `the value of ${name}`;
    const pieces = piecesOf(value);
    if (compacted.some((view) => pieces.some((piece) => view.includes(piece)))) return `the value of ${name}`;
  }
  return undefined;
}

/** Fewer letters and digits than this are found in ordinary text. */
const fewest = 8;

/**
 * The value, or any half of a longer one: it may be sent in parts. Thirds count where they do not read like words. Of a long
 * one, any few lines.
 */
function piecesOf(value: string): string[] {
  const all = lettersAndDigits(value);
  if (all.length < fewest) return [];
  if (all.length > 128) return lines(all.toLowerCase());
  if (all.length < 2 * fewest) return [all.toLowerCase()];
  const half = Math.max(fewest, Math.ceil(all.length / 2));
  const third = Math.max(fewest, Math.floor(all.length / 3));
  const thirds = slicesOf(all, third).filter((piece) => /\d.*\d|\d.*[A-Z]|[A-Z].*[a-z].*[A-Z]/.test(piece));
  return [...slicesOf(all, half), ...thirds].map((piece) => piece.toLowerCase());
}

function slicesOf(text: string, length: number): string[] {
  return Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length));
}

/** Overlapping parts of a key: any 36 characters of it contain one. Parts that are mostly one character are skipped. */
function lines(value: string): string[] {
  const pieces = Array.from({ length: Math.floor((value.length - 24) / 12) + 1 }, (_, at) =>
    value.slice(at * 12, at * 12 + 24),
  );
  return pieces.filter((piece) => new Set(piece).size >= fewest);
}

/** Only letters and digits: what stands between the parts of a divided value does not matter. */
function compact(text: string): string {
  return lettersAndDigits(text).toLowerCase();
}

function lettersAndDigits(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, "");
}
