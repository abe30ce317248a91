import { isPath, isPlainlyPublic, keysInAddress, valuesOfSecretFile } from "./secret-files.ts";
import { isOfEveryShell, isRandom, isTelling, isWord, nameSays, ordinaryIn } from "./secret-values.ts";
import { viewsOf } from "./text-views.ts";

/** A value that must not leave the machine, and what it is called where it was found. */
export interface Secret {
  name: string;
  value: string;
  /** The file, or what else it stands in, and the line there: for the person. */
  place?: string;
  line?: number;
  /** Where a session has read it; what others wrote is one source. */
  source?: string;
  /** Of a file that holds secrets: it is never forgotten. */
  lasting?: boolean;
}

/** Files that hold secrets by what programs keep in them. */
const secretFiles =
  /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$|dist$)[\w.-]+)?|\.envrc|\.npmrc|\.netrc|_netrc|\.pgpass|\.pypirc|\.git-credentials|\.htpasswd|credentials(?:\.\w+)?|secrets?\.(?:ya?ml|json|toml|env|ini)|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|key|p12|pfx|keystore|jks)|service[-_]account.{0,200}\.json|kubeconfig)$/i;

export function isSecretPath(path: string): boolean {
  return secretFiles.test(path);
}

/** A kind of token, its pattern, and what else it must have. */
type Shape = readonly [name: string, pattern: RegExp, also?: RegExp];

/**
 * Tokens that show what they are by their shape. Texts are large and written by others, so each pattern takes time in proportion to
 * their length: it goes on after what it has looked at. A group in a look-back is the token's beginning.
 */
const shapes: readonly Shape[] = [
  ["a private key", /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{30,})/g],
  ["a GitLab token", /\bglpat-[\w-]{16,}/g],
  ["an Anthropic key", /\bsk-ant-[\w-]{16,}/g],
  // Not the words of an address, such as `sk-learn-tutorial-for-beginners`.
  ["an OpenAI key", /\bsk-[\w-]{20,}/g, /^(?=.*\d).*[A-Za-z0-9]{16}/],
  ["a Slack token", /\bxox[abeprs]-[\w-]{10,}/g],
  ["a Stripe key", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g],
  ["a Google key", /\bAIza[\w-]{35}/g],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}/g],
  ["a PyPI token", /\bpypi-[\w-]{50,}/g],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{30,}/g],
  ["a signed token (JWT)", /\.eyJ(?<=(\beyJ[\w-]{10,})\.eyJ)[\w-]{10,}\.[\w-]{10,}/g],
];

/** `name = value`, `name: value`, `"name": "value"`, `//host/:_authToken=value`. */
const assignment =
  /(?:^|[\s{,;:"'`/])([A-Za-z_][\w.-]{0,80})["'`]?[ \t]*(?:=>|[:=])[ \t]*(?:"([^"\n]{1,4096})"|'([^'\n]{1,4096})'|([^\s"'`,;#{}()[\]]{1,4096}))/gm;

const placeholder =
  /^(?:x+|\*+|\.+|-+|_+|<.*>|\$\{?\w.*|%\w+%|your[-_ ].*|change[-_ ]?me|example|todo|none|null|undefined|true|false|secret|password|token|process\.env.*|os\.environ.*|env\..*|string|number)$/i;

/** The secrets in a text; in a file that holds secrets, every value that is not plainly public. */
export function secretsIn(text: string, inSecretFile = false): Secret[] {
  const found = new Map<string, string>();
  const where = inSecretFile ? "secret file" : "text";
  const mayAssign = inSecretFile || wordsOfNames.test(text) || /:\/\/[^/\s:@]*:/.test(text);
  const given = [
    ...(inSecretFile ? valuesOfSecretFile(text) : []),
    ...(mayAssign ? assignmentsIn(text) : []),
  ];
  for (const { name, value } of given)
    for (const secret of secretParts(name, value, where)) found.set(secret, name);
  if (!beginningsOfShapes.test(text)) return [...found].map(([value, name]) => ({ name, value }));
  for (const { name, value } of ofShape(text)) if (!value.includes("BEGIN")) found.set(value, name);
  for (const [, body = ""] of text.matchAll(keyBody)) found.set(body.replaceAll(/\s/g, ""), "a private key");
  return [...found].map(([value, name]) => ({ name, value }));
}

/** The secrets among the variables that a process was started with. */
export function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): Secret[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (isOfEveryShell(name)) return [];
    const tokens = [...ofShape(value)]
      .map((token) => token.value)
      .filter((token) => !token.includes("BEGIN"));
    const parts = [...secretParts(name, value.trim(), "environment"), ...tokens];
    return [...new Set(parts)].map((secret) => ({ name, value: secret, place: "the environment" }));
  });
}

function* ofShape(text: string): Generator<Secret> {
  for (const [name, pattern, also] of shapes)
    for (const [rest, start = ""] of text.matchAll(pattern))
      if (!also || also.test(rest)) yield { name, value: start + rest };
}

/** Most texts contain none of these: two quick checks exclude them. */
const wordsOfNames = /pass|pwd|secret|token|key|credential|webhook|salt|pepper/i;
const beginningsOfShapes =
  /-----BEGIN|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|sk-|xox[abeprs]-|[rs]k_(?:live|test)_|AIza|npm_|pypi-|hf_|eyJ/;

const keyBody = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----((?:(?!-----BEGIN)[\s\S]){40,16384}?)-----END/g;

function assignmentsIn(text: string): Secret[] {
  return [...text.matchAll(assignment)].map(([, name = "", double, single, bare]) => ({
    name,
    value: (double ?? single ?? bare ?? "").trim(),
  }));
}

/** What of a value is secret: all of it, or the parts of an address that open something. */
function secretParts(name: string, value: string, where: "secret file" | "environment" | "text"): string[] {
  const password = passwordIn(value);
  if (password !== undefined) return isWord(password) ? [] : [password];
  const says = nameSays(name);
  if (says === "nothing" && where !== "secret file") return [];
  if (value.length < (says === "secret" ? 6 : 8) || placeholder.test(value)) return [];
  if (/^[a-z][\w+.-]*:\/\//i.test(value))
    return says !== "nothing" || where === "secret file" ? keysInAddress(value).filter(isRandom) : [];
  if (says !== "secret")
    return isRandom(value) && (says === "perhaps" || !isPlainlyPublic(name, value)) ? [value] : [];
  if (isWord(value) || isPath(value) || /^[\d.]{1,7}$/.test(value)) return [];
  return where !== "text" || isTelling(value) ? [value] : [];
}

/** Of an address with a user and a password, the password. */
function passwordIn(value: string): string | undefined {
  const password = /^[a-z][\w+.-]*:\/\/[^/\s:@]*:([^@\s]{4,})@/i.exec(value)?.[1];
  return password === undefined || placeholder.test(password) ? undefined : password;
}

/** What a text would give away, in words that are not the secret. `known` is missing where the text itself shows it by its shape. */
export interface FoundSecret {
  what: string;
  known?: Secret;
}

/**
 * The secret that a text would give away, as it is or in a form that `viewsOf` undoes. `names` are the words of the folder: neither a
 * value nor a part of one that has only such words is searched for.
 */
export function secretIn(
  text: string,
  known: readonly Secret[],
  names: readonly string[] = [],
): FoundSecret | undefined {
  const views = viewsOf(text);
  for (const view of views) {
    const { value: token } = ofShape(view).next();
    if (token) return { what: token.name };
  }
  const compacted = views.map(compact);
  for (const secret of known) {
    const ordinary = ordinaryIn(secret.value, names);
    if (ordinary.length > 0 && ordinary.every(Boolean)) continue;
    const pieces = piecesOf(secret.value, ordinary);
    const isThere =
      views.some((view) => view.includes(secret.value)) ||
      compacted.some((view) => pieces.some((piece) => view.includes(piece)));
    if (isThere) return { what: `the value of ${secret.name}${placeOf(secret)}`, known: secret };
  }
  return undefined;
}

function placeOf({ place, line }: Secret): string {
  if (place === undefined) return "";
  return line === undefined ? ` (${place})` : ` (${place} line ${line})`;
}

/** The same in words; undefined where there is none. */
export function findSecret(
  text: string,
  known: readonly Secret[],
  names?: readonly string[],
): string | undefined {
  return secretIn(text, known, names)?.what;
}

/** Fewer letters and digits than this are found in ordinary text. */
const fewest = 8;

/**
 * The value, or any half of a longer one: it may be sent in parts. Thirds count where they do not read like words. Of a long
 * one, any few lines.
 */
function piecesOf(value: string, ordinary: readonly boolean[]): string[] {
  const all = lettersAndDigits(value);
  if (all.length < fewest) return [];
  if (all.length > 128) return lines(all.toLowerCase());
  if (all.length < 2 * fewest) return [all.toLowerCase()];
  const half = Math.max(fewest, Math.ceil(all.length / 2));
  const third = Math.max(fewest, Math.floor(all.length / 3));
  const thirds = slicesOf(all, third, ordinary).filter((piece) =>
    /\d.*\d|\d.*[A-Z]|[A-Z].*[a-z].*[A-Z]/.test(piece),
  );
  return [...slicesOf(all, half, ordinary), ...thirds].map((piece) => piece.toLowerCase());
}

function slicesOf(text: string, length: number, ordinary: readonly boolean[]): string[] {
  return Array.from({ length: text.length - length + 1 }, (_, at) => at)
    .filter((at) => !ordinary.slice(at, at + length).every(Boolean))
    .map((at) => text.slice(at, at + length));
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
