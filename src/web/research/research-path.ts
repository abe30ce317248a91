/**
 * The path as meant and as stored in the repository, or which rule it breaks. The rules are checked in this order;
 * the first broken one is reported.
 */
export function validateResearchPath(
  wanted: string,
): { ok: true; path: string; stored: string } | { ok: false; message: string } {
  const path = wanted.trim();
  const broken = rules.find((rule) => rule.broken(path));
  return broken ? { ok: false, message: broken.message } : { ok: true, path, stored: `ideas/${path}` };
}

const rules: { broken: (path: string) => boolean; message: string }[] = [
  { broken: (path) => /[\x00-\x1f]/.test(path), message: "Path contains control characters." },
  {
    broken: (path) => path.includes("%"),
    message: "Path contains '%'. Write it plainly, not percent-encoded.",
  },
  { broken: (path) => /\.\.|\\/.test(path), message: "Path contains '..' or a backslash." },
  {
    broken: (path) => path.startsWith("ideas/"),
    message: "Path starts with 'ideas/'. Leave that out: paths are relative to it.",
  },
  { broken: (path) => path.endsWith("/"), message: "Path ends with '/'. Name a file, not a directory." },
  { broken: (path) => path.includes("//"), message: "Path contains '//'." },
  {
    broken: (path) => !/^[a-zA-Z0-9][a-zA-Z0-9/_.-]{0,199}$/.test(path),
    message:
      "Path must start with a letter or digit, hold only letters, digits, '/', '_', '.' and '-', and have at most 200 characters.",
  },
];
