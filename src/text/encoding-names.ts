/** How a file's text is written. */
export interface TextEncoding {
  /** In lower case: `utf-8`, `utf-16le`, `shift_jis`, `windows-1251`, … */
  name: string;
  /** The file begins with a byte order mark, which is no part of the text. */
  marked: boolean;
  /** What tells the encoding: its mark, the file itself, settings of the project, valid UTF-8, or only what the words look like. */
  by: "mark" | "declaration" | "settings" | "bytes" | "content";
  /** Encodings that fit nearly as well and read the bytes differently. */
  others: readonly string[];
}

/** For people and models: `Shift_JIS, by its content`. */
export function encodingWords({ name, marked, by, others }: TextEncoding): string {
  const how = {
    mark: "by its byte order mark",
    declaration: "as the file says",
    settings: "by the project's settings",
    bytes: "",
    content: "by its content",
  }[by];
  const unsure = others.length > 0 ? `, not certain: perhaps ${others.slice(0, 3).join(" or ")}` : "";
  return `${name}${marked && name === "utf-8" ? " with byte order mark" : ""}${how && `, ${how}`}${unsure}`;
}

/** The usual name of an encoding that people and programs call by many. */
export function encodingNamed(label: string): string {
  const name = label.trim().toLowerCase().replaceAll("_", "-");
  return aliases.find(([pattern]) => pattern.test(name))?.[1] ?? name.replace(/^cp(125\d)$/, "windows-$1");
}

const aliases: [RegExp, string][] = [
  [/^utf-?8(-sig|-bom)?$/, "utf-8"],
  [/^utf-?16-?le(-bom)?$/, "utf-16le"],
  [/^utf-?16(-?be)?(-bom)?$/, "utf-16be"],
  [/^(latin-?1|l1|iso-?8859-1)$/, "iso-8859-1"],
  [/^(shift-?jis|sjis|s-jis|x-sjis|cp932|ms932|windows-31j)$/, "shift_jis"],
  [/^(euc-?jp|ujis)$/, "euc-jp"],
  [/^(gbk|gb2312|euc-?cn|cp936|x-gbk)$/, "gbk"],
  [/^(big5(-?hkscs)?|cp950)$/, "big5"],
  [/^(euc-?kr|cp949|uhc|ks-c-5601-1987)$/, "euc-kr"],
];

export const unmarked = (name: string): TextEncoding => ({ name, marked: false, by: "bytes", others: [] });
