import { bash } from "./bash.ts";
import { c } from "./c.ts";
import { cSharp } from "./c-sharp.ts";
import { cpp } from "./cpp.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript.ts";
import { kotlin } from "./kotlin.ts";
import type { Language } from "./language.ts";
import { lua } from "./lua.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { scala } from "./scala.ts";
import { swift } from "./swift.ts";
import { tsx, typescript } from "./typescript.ts";

export const languages: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  cSharp,
  ruby,
  php,
  kotlin,
  swift,
  scala,
  lua,
  bash,
];

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((e) => [e, language] as const)),
);
const byFilename = new Map(
  languages.flatMap((language) => (language.filenames ?? []).map((f) => [f, language] as const)),
);
const byName = new Map(languages.map((language) => [language.name, language]));

/** The language of a file by its name. A `.h` that holds C++ is told apart by `languageOfHeader`. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return byFilename.get(name) ?? (dot > 0 ? byExtension.get(name.slice(dot + 1).toLowerCase()) : undefined);
}

/** Whether a file of this name, without folders, has a language: asked of every file of a tree. */
export function isCodeName(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return (dot > 0 && byExtension.has(name.slice(dot + 1).toLowerCase())) || byFilename.has(name);
}

export function languageNamed(name: string): Language | undefined {
  return byName.get(name);
}

/** Languages of one family use each other's declarations; every other language is a family of its own. */
export function familyOfLanguage(name: string): string {
  return byName.get(name)?.family ?? name;
}

/** Words that only C++ has, in the code of a header: then it is parsed as C++. */
export function languageOfHeader(language: Language, source: string): Language {
  if (language !== c) return language;
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  return /^[ \t]*(?:namespace\b|template\s*<|class\s+\w+[^;]*[{:]|(?:public|private|protected)\s*:|using\s+\w)/m.test(
    code,
  )
    ? cpp
    : language;
}
