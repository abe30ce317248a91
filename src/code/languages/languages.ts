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
const byInterpreter = new Map(
  languages.flatMap((language) => (language.interpreters ?? []).map((i) => [i, language] as const)),
);
const byName = new Map(languages.map((language) => [language.name, language]));

/** The language of a file by its name alone. What it is in fact, a script or a header of C++, `languageOfText` tells. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return byFilename.get(name) ?? (dot > 0 ? byExtension.get(name.slice(dot + 1).toLowerCase()) : undefined);
}

/** The language of a file by its name and the beginning of its text. */
export function languageOfText(path: string, text: string): Language | undefined {
  const language = languageOf(path);
  if (language && isMarkup(text, language)) return undefined;
  if (language) return path.endsWith(".h") ? languageOfHeader(language, text) : language;
  return mayBeScript(path.slice(path.lastIndexOf("/") + 1)) ? languageOfScript(text) : undefined;
}

/** Markup in a file that is named like code: the `.ts` files of translators, a page in place of a script. PHP stands in pages. */
const isMarkup = (text: string, language: Language) =>
  language !== php && /^(?:\xEF\xBB\xBF)?\s*<(?:\?xml|!DOCTYPE|html)\b/i.test(text);

/** Whether a file of this name, without folders, has a language: asked of every file of a tree. */
export function isCodeName(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return (dot > 0 && byExtension.has(name.slice(dot + 1).toLowerCase())) || byFilename.has(name);
}

/** The same, or a name that says nothing, so that its first line tells. */
export const mayBeCode = (name: string) => isCodeName(name) || mayBeScript(name);

/** Frequent names of files that are no scripts. */
const neverScripts = new Set(
  "Makefile GNUmakefile Kconfig Kbuild Dockerfile Containerfile LICENSE COPYING README CHANGELOG AUTHORS NOTICE TODO NEWS OWNERS CODEOWNERS MAINTAINERS VERSION BUILD WORKSPACE .gitignore .gitattributes .gitkeep .npmignore .dockerignore .editorconfig".split(
    " ",
  ),
);

const mayBeScript = (name: string) => name.lastIndexOf(".") <= 0 && !neverScripts.has(name);

/** Programs that a script for `sh` hands itself over to although they read no language that is known here. */
const otherInterpreters = /^(?:tclsh|wish|expect|perl|guile|racket|emacs|sbcl|awk|gawk|groovy|erl|escript)$/;

/** By the line that names the interpreter; a script for `sh` may hand itself over: `exec python3 "$0"`. */
function languageOfScript(text: string): Language | undefined {
  if (!text.startsWith("#!")) return undefined;
  const head = text.slice(0, 1_000);
  const [first = ""] = head.split("\n", 1);
  const language = byInterpreter.get(programOf(first.slice(2)));
  const next = language === bash ? /\bexec\s+([^\n]*?)["' ]\$\{?0\b/.exec(head)?.[1] : undefined;
  const program = programOf(next ?? "");
  return byInterpreter.get(program) ?? (otherInterpreters.test(program) ? undefined : language);
}

/** The name of the program that a command begins with, without its version. */
function programOf(command: string): string {
  const words = command
    .trim()
    .split(/\s+/)
    .filter((word) => !/^-|=/.test(word))
    .map((word) => word.slice(word.lastIndexOf("/") + 1));
  const program = words[0] === "env" ? words[1] : words[0];
  return program?.replace(/["']/g, "").replace(/\.exe$|-?[\d.]+$/, "") ?? "";
}

export function languageNamed(name: string): Language | undefined {
  return byName.get(name);
}

/** Languages of one family use each other's declarations; every other language is a family of its own. */
export function familyOfLanguage(name: string): string {
  return byName.get(name)?.family ?? name;
}

/** What only C++ has, in the code of a header: then it is parsed as C++. */
export function languageOfHeader(language: Language, source: string): Language {
  if (language !== c) return language;
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"/g, "");
  return onlyInCpp.some((sign) => sign.test(code)) ? cpp : language;
}

const onlyInCpp: readonly RegExp[] = [
  /^[ \t]*(?:namespace\b|template\s*<|class\s+\w+(?:\s*;|[^;]*[{:])|(?:public|private|protected)\s*:|using\s+\w)/m,
  // Headers of C have an ending.
  /^[ \t]*#[ \t]*include\s*<\w+>/m,
  /\w::~?\w/,
  /\bconst\s+\w+\s*&\s*\w+\s*[,)]/,
  /\bstruct\s+\w+(?:\s+final)?\s*:\s*\w[^;{}()]*\{/,
  // A function in a structure; names in capitals may be macros.
  /\bstruct\s+\w+\s*\{[^{}]*?\b(?!else\b)\w+[ \t*&]+(?![A-Z0-9_]+\()[a-zA-Z]\w*\([^(){};]*\)\s*(?:const\s*)?[;{]/,
];
