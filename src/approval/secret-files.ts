/** A value of a file that holds secrets, and its name there. */
interface Named {
  name: string;
  value: string;
}

/** The values of a file that holds secrets, as the programs read them that keep such files. */
export function valuesOfSecretFile(text: string): Named[] {
  return [...addresses(text), ...netrc(text), ...pgpass(text), ...settings(text)];
}

/** `NAME=value` and `name: value` to the end of the line: without quotation marks, `,`, `;` and `&` belong to the value. */
function settings(text: string): Named[] {
  const lines = text.matchAll(
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]{0,80})[ \t]*[=:](?!\/\/)[ \t]*(\S.{0,4095})$/gm,
  );
  return [...lines].map(([, name = "", rest = ""]) => ({ name, value: unquoted(rest) }));
}

function unquoted(rest: string): string {
  const [, , inner] = /^(["'`])(.*)\1/.exec(rest) ?? [];
  return (inner ?? rest.replace(/\s#.*/s, "")).trim();
}

/** `machine host login name password value`. */
function netrc(text: string): Named[] {
  const found = text.matchAll(/(?:^|\s)(password|account)\s+("[^"\n]{1,4096}"|\S{1,4096})/g);
  return [...found].map(([, name = "", value = ""]) => ({ name, value: unquoted(value) }));
}

/** `host:port:database:user:password`. */
function pgpass(text: string): Named[] {
  const field = String.raw`(?:\\.|[^:\\\s])+`;
  const line = new RegExp(`^${field}:(?:\\d+|\\*):${field}:${field}:(.+)$`, "gm");
  return [...text.matchAll(line)].map(([, value = ""]) => ({
    name: "password",
    value: value.trim().replaceAll(/\\(.)/g, "$1"),
  }));
}

/**
 * Addresses with a user and a password, wherever they stand: `.git-credentials` has nothing else. It looks back from each `@`, for
 * looking ahead from each letter would take a long word many times.
 */
function addresses(text: string): Named[] {
  const found = text.matchAll(/@(?<=([a-z][\w+.-]{0,39}:\/\/[^/\s:@"']*:[^@\s"']{4,}@))/gi);
  return [...found].map(([, value = ""]) => ({ name: "password", value }));
}

/** The parts of an address that no one could guess: a webhook, a key in a query. */
export function keysInAddress(address: string): string[] {
  const url = URL.parse(address);
  if (!url || /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/.test(url.hostname)) return [];
  const parts = [url.username, ...url.pathname.split("/"), ...url.searchParams.values()];
  return parts.filter((part) => part.length >= 12 && /\d/.test(part) && /[a-z]/i.test(part));
}

/** Names of settings that say how and where, not what opens it. */
const publicName =
  /(?:^|[-_.])(?:env|environment|host|hostname|port|user|username|login|name|region|zone|format|level|mode|log|dir|path|file|version|lang|locale|timezone|tz|driver|dialect|engine|type|provider|database|db|schema|email|mail|from|to|origin|origins|domain|bucket|table|queue|topic|model|registry|machine|title|description|project[-_]?id)$/i;

/** Whether a value without a telling name is no secret: a number, an ordinary word, a path, a list of hosts. */
export function isPlainlyPublic(name: string, value: string): boolean {
  if (publicName.test(name)) return true;
  if (/^[\d.,:_/-]+$/.test(value) || /^[A-Za-z]{1,14}$/.test(value)) return true;
  if (/^(?:[\w-]+\.)*localhost(?::\d+)?$|^(?:[a-z][a-z-]*\.)+[a-z]{2,}(?::\d+)?$/.test(value)) return true;
  return isPath(value);
}

export function isPath(value: string): boolean {
  const shape = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.\\/@ -]*$|^(?:[a-z_.-]+\/)+[a-z_.-]*$/;
  if (!shape.test(value)) return false;
  return !value.split(/[\\/]/).some((part) => /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part));
}
