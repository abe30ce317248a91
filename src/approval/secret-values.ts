/** How much a name says: `DB_PASSWORD` names a secret, `cacheKey` may name one, `PORT` does not. */
export type NameSays = "secret" | "perhaps" | "nothing";

const qualifier =
  /^(?:prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|test|live|qa|old|new|primary|secondary|backup|main|\d+)$/;
const secretWords =
  /(?:password|passwd|passphrase|passcode|secret|token|apikey|accesskey|privatekey|authkey|encryptionkey|signingkey|clientkey|credentials?|webhook(?:url)?)\d*$/;
const shortWords = /^(?:db|my|user|root|smtp|mail)?(?:pass|pwd)\d*$/;

/** By its last words, whether they are written `apiKey`, `API_KEY`, `api-key` or `API_KEY_PROD`. */
export function nameSays(name: string): NameSays {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
  while (words.length > 1 && qualifier.test(words.at(-1) ?? "")) words.pop();
  const last = words.at(-1) ?? "";
  if (secretWords.test(words.slice(-2).join("")) || shortWords.test(last)) return "secret";
  return /^(?:key|salt|pepper)$/.test(last) ? "perhaps" : "nothing";
}

/** Variables that every shell and desktop sets: where one is and what one uses, never what opens something. */
const everyShell =
  /^(?:PWD|OLDPWD|INIT_CWD|HOME|SHELL|USER|LOGNAME|HOSTNAME|PATH|TERM|TERM_SESSION_ID|EDITOR|VISUAL|PAGER|TMPDIR|GPG_KEY|GPG_TTY|SSH_AUTH_SOCK|(?:SSH|GIT|SUDO)_ASKPASS|LANG|LC_\w+|XDG_\w+|LS_COLORS|npm_(?:package|lifecycle)_\w+)$/;

export function isOfEveryShell(name: string): boolean {
  return everyShell.test(name);
}

/** One word as people write them, in at most fourteen letters: `postgres`, `Hunter`, `ADMIN`. */
export function isWord(value: string): boolean {
  const isWritten = /^(?:[A-Za-z][a-z]{0,13}|[A-Z]{1,14})$/.test(value);
  return isWritten && /[aeiouy]/i.test(value) && !/[^aeiouy]{5,}/i.test(value);
}

/** Letters, digits and cases in a mix that no word, name, version or date has. */
export function isRandom(value: string): boolean {
  if (value.length < 8 || new Set(value).size < 6) return false;
  const chunks = value.split(/[^A-Za-z\d]+/);
  const mixed = chunks.reduce((sum, chunk) => sum + changes(chunk, /\d/), 0);
  if (mixed >= 4 && mixed * 6 >= value.length) return true;
  return chunks.some(
    (chunk) =>
      (chunk.length >= 10 && /\d/.test(chunk) && /[A-Z]/.test(chunk) && /[a-z]/.test(chunk)) ||
      (chunk.length >= 12 && changes(chunk, /[A-Z]/) > chunk.length * 0.4),
  );
}

/** How often neighbours differ in this. */
function changes(chunk: string, kind: RegExp): number {
  return [...chunk].filter((letter, at) => at > 0 && kind.test(letter) !== kind.test(chunk[at - 1] ?? ""))
    .length;
}

/** In an ordinary file, where the same names stand for parts of programs and of sentences. */
export function isTelling(value: string): boolean {
  if (isRandom(value)) return true;
  const isProgram = /^[A-Za-z_$][\w$]*(?:\.[\w$]+)+$|\s/.test(value);
  if (value.length < 8 || isProgram) return false;
  return /^[a-z]{15,}$/.test(value) || (/[A-Za-z]/.test(value) && /\d/.test(value));
}

/** Words of values that stand for a secret, or are one for everybody. */
const everybodys = new Set(
  "a access admin administrator api app application auth change changeme cookie database db default demo dev development do docker dummy example fake for guest here in insecure it jwt key local localhost mariadb me minio mongo mysql my none not only pass password placeholder please postgres postgresql production rabbitmq redis replace root sample secret server session staging super test testing the this to token use user username value web with your".split(
    " ",
  ),
);

/** Which letters and digits of a value belong to words that say nothing: those above, and those of the folder's name. */
export function ordinaryIn(value: string, names: readonly string[]): boolean[] {
  const ordinary = new Set([...everybodys, ...names]);
  return (value.match(/[A-Za-z]+|\d+/g) ?? []).flatMap((word) => marked(word.toLowerCase(), ordinary));
}

/** Short words count only where they stand alone. */
function marked(word: string, ordinary: ReadonlySet<string>): boolean[] {
  const marks = Array.from(word, () => ordinary.has(word));
  for (const part of ordinary)
    for (let at = part.length < 4 ? -1 : word.indexOf(part); at >= 0; at = word.indexOf(part, at + 1))
      marks.fill(true, at, at + part.length);
  return marks;
}

/** The words and numbers of a folder's path: they stand in searches, addresses and messages of every session there. */
export function namesOfFolder(root: string): string[] {
  const words = root.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").match(/[A-Za-z]+|\d+/g) ?? [];
  return [...new Set(words.map((word) => word.toLowerCase()))];
}
