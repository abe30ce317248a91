import { describe, expect, test } from "vitest";
import { isSecretPath, secretIn, secretsIn } from "./secrets.ts";

const length = 200_000;
const known = [{ name: "TOKEN", value: "q7Rz2KfW9mXv4LbT8sYc3NdH6pJg" }];
const ordinary =
  "the order of 12 March, see https://example.com/orders?id=7 (token and key of the shop): done\n";

/** What begins like something that the patterns look for, again and again, and never ends so. */
const hostile = [
  ...[
    "a",
    "A",
    "0",
    "1",
    " ",
    "\t",
    "\n",
    "-",
    "_",
    ".",
    "/",
    ":",
    "@",
    '"',
    "=",
    "%",
    "\\",
    "&#",
    "+",
    "a.",
    "a-",
    "a_",
  ],
  ...[
    "://",
    "a://",
    "://:",
    "a://b:",
    "a://b:c@",
    "a://b:cccc@",
    "https://user:",
    "a:",
    "a=",
    "a= ",
    "a='",
    'a="',
    "key=",
    "key: ",
  ],
  ...[
    "sk-",
    "sk-a-",
    "sk-1-",
    "sk-ant-",
    "sk-aaaaaaaaaaaaaaaa_",
    "eyJ-",
    "eyJ.",
    "eyJaaaaaaaaaa-",
    "eyJaaaaaaaaaa.",
    ".eyJ",
    "-----BEGIN ",
  ],
  ...[
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY PRIVATE KEY",
    "AKIA",
    "ghp_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "sk_live_",
  ],
  ...[
    "AIza",
    "AIza-",
    "npm_",
    "pypi-",
    "hf_",
    "password ",
    'password "',
    "account\t",
    "export ",
    "a:1:a:a",
    "a:*:",
    "\\:",
    " #",
    "x # ",
  ],
  ...[
    "00 ",
    "000 ",
    "000\\",
    "0o000",
    "00000000 ",
    "12 ",
    "123,",
    "ab:",
    "abcdef",
    "QUJD",
    "ICAg",
    "\\u0041",
    "\\x41",
    "&#65;",
    "%41",
  ],
  ...[
    "12 12 12 12 12 x",
    "000\\000\\000\\000\\000x",
    "00000000".repeat(5),
    "ab".repeat(5),
    "localhost.",
    "a/b",
    "~/",
    "<",
    "${a",
  ],
];

/** So that neither of the quick checks excludes the text. */
const beginning = "token = sk-\n";

/** The quickest of some attempts: a machine that does something else makes none of them quicker. */
function milliseconds(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

const works: [string, (text: string) => unknown][] = [
  ["what a text contains", (text) => secretsIn(text)],
  ["what a secret file contains", (text) => secretsIn(text, true)],
  ["what is sent", (text) => secretIn(text, known)],
  ["which file it is", (text) => isSecretPath(text)],
];

// One pattern that goes back over what it has read takes seconds for such a text, and a hundred times what an ordinary one takes.
describe.each(works)("no text takes much longer than another of its length: %s", (_, work) => {
  const usual = Math.max(
    milliseconds(() => work(ordinary.repeat(length / ordinary.length))),
    5,
  );
  test("whatever is repeated in it", { timeout: 120_000 }, () => {
    const slow = hostile.flatMap((part) => {
      const text = beginning + part.repeat(length / part.length);
      const start = performance.now();
      work(text);
      const first = performance.now() - start;
      const times = first < 20 * usual ? first : milliseconds(() => work(text));
      return times < 20 * usual ? [] : [`${JSON.stringify(part)}: ${Math.round(times / usual)} times`];
    });
    expect(slow).toEqual([]);
  });
});
