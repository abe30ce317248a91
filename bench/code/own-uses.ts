// Which occurrences of a name must be uses of what a repository declares under it, told from the text around them and from
// what the file says it imports.
import { basename } from "node:path";
import { type ImportClause, typeKinds } from "../../src/code/languages/language.ts";
import { languageNamed } from "../../src/code/languages/languages.ts";
import type { Project } from "../../src/code/project/project.ts";
import { isMember, isNested } from "../../src/code/resolve/declared.ts";
import type { Definition } from "../../src/code/resolve/definitions.ts";
import type { FileSyntax } from "../../src/code/syntax/syntax.ts";

/** The names of files, folders and packages of a repository: what leads to none of them is outside. */
export class InsideNames {
  readonly #names = new Set<string>();
  /** Those with which a path may begin: of crates, and of packages that are no deeper than a source folder. */
  readonly #firstNames = new Set<string>();
  readonly #declared = new Set<string>();
  /** Types and modules that have a body somewhere. */
  readonly #types = new Set<string>();
  readonly #renamed = new Set<string>();
  readonly #packages = new Set<string>();
  /** What stands outside of types, with its namespace before it. */
  readonly #whole = new Set<string>();
  /** The paths with which imports of the repository's own packages begin, in Go. */
  readonly #ownPaths: string[] = [];
  /** What types of the repository are derived from. */
  readonly #parents = new Map<string, Set<string>>();
  /** What is derived from something here. */
  readonly #children = new Set<string>();

  static async of(root: string, project: Project): Promise<InsideNames> {
    const inside = new InsideNames();
    for (const part of basename(root).split(/[+\-._]/)) inside.#names.add(part);
    for (const file of project.words.files()) {
      inside.#addPath(file.path);
      if (basename(file.path) === "Cargo.toml") inside.#addCrate(await project.source(file.path));
      if (basename(file.path) === "go.mod") inside.#addGoModule(await project.source(file.path));
      const syntax = file.language ? await project.syntax(file) : undefined;
      if (syntax) inside.#addSyntax(syntax);
    }
    return inside;
  }

  /** Whether some import or export gives the name to something that is declared under another one. */
  isRenamed(name: string): boolean {
    return this.#renamed.has(name);
  }

  /** Whether what an answer names is a member of a type that nothing here declares: `Date.getTime`, `QWidget::size`. */
  isOfLibraryType(of: string, all: readonly Definition[]): boolean {
    const type = /^([\p{L}_]\w*)(?:\.\w+|::\w+)$/u.exec(of)?.[1];
    if (type === undefined || this.#types.has(type)) return false;
    if (of.includes("::")) return true;
    // On a library's type, what a type derived from it overrides may be meant.
    const derived = this.#parents.get(type);
    const isDerived = ({ declaration: { owner } }: Definition) =>
      derived?.has(owner?.split(".").at(-1) ?? "") ?? false;
    return /^\p{Lu}/u.test(type) && !all.some(isDerived);
  }

  #addPath(path: string): void {
    const parts = path
      .replace(/\.[^./]+$/, "")
      .split(/[/.]/)
      .map((part) => part.replaceAll("-", "_"));
    for (const part of parts) this.#names.add(part);
    for (const part of parts.slice(0, 2)) this.#firstNames.add(part);
  }

  #addCrate(manifest: string): void {
    for (const [, name = ""] of manifest.matchAll(/^name\s*=\s*"([^"]+)"/gm))
      this.#firstNames.add(name.replaceAll("-", "_"));
  }

  #addGoModule(manifest: string): void {
    const path = /^module\s+"?([^\s"]+)/m.exec(manifest)?.[1];
    if (path !== undefined) this.#ownPaths.push(path);
  }

  #addSyntax(syntax: FileSyntax): void {
    for (const { child, parent } of syntax.inherits) {
      const children = this.#parents.get(parent) ?? new Set();
      this.#parents.set(parent, children.add(child));
      this.#children.add(child);
    }
    if (syntax.package !== undefined) this.#packages.add(syntax.package);
    for (const part of syntax.package?.split(/[.\\]|::/) ?? []) this.#names.add(part);
    for (const { kind, name, owner, bodiless } of syntax.declarations) {
      this.#declared.add(name);
      if ((typeKinds.has(kind) || kind === "module") && !bodiless) this.#types.add(name);
      this.#whole.add([syntax.package, owner?.replaceAll(".", "\\"), name].filter(Boolean).join("\\"));
      if (kind === "module") for (const part of name.split(/[.\\]|::/)) this.#names.add(part);
    }
    for (const [name, alias] of syntax.imports.flatMap(({ names }) => names ?? []))
      if (name !== alias && name !== "default") this.#renamed.add(alias);
  }

  /** Whether a name at a place is one that the file has from elsewhere: itself, or what stands before its dots. */
  isFromOutside(
    code: string,
    at: number,
    name: string,
    syntax: FileSyntax,
    all: readonly Definition[],
  ): boolean {
    const before = code.slice(Math.max(0, at - 120), at);
    if (this.#isOfOutsideType(code, at, syntax, all)) return true;
    // `super.name`, where all that types of this file are derived from is a library's.
    const isOfParent = /\b(?:super(?:\s*\([^()]*\))?\s*\.|base\s*\.|parent\s*::)\s*$/.test(before);
    if (isOfParent && syntax.inherits.every(({ parent }) => !this.#types.has(parent))) return true;
    const path = /((?:[\p{L}\p{N}_]+(?:<[^<>]*>)?(?:::|\.|->|\\))*)$/u.exec(before)?.[1] ?? "";
    const [head = name] = path.split(/::|\.|->|\\|</).filter(Boolean);
    if (/^(?:std|core|alloc)$/.test(head) && path.includes("::")) return true;
    if (path.includes("::") && this.#isUnknownPath(head, syntax)) return true;
    // A module that the file knows by this name; what has the name in the module is meant where the module is that.
    const isModule = path === "" && syntax.imports.some(({ whole }) => whole === name);
    if (isModule && !all.some((d) => d.syntax.default === name || d.declaration.kind === "module"))
      return true;
    if (/(?<![\w\\])\\$/.test(before) && syntax.language === "PHP")
      return syntax.package !== undefined || syntax.declarations.some(({ kind }) => kind === "module");
    const space = /(?<![\w\\])(\\?(?:\w+\\)+)$/.exec(before)?.[1]?.slice(0, -1);
    if (space !== undefined && syntax.language === "PHP") return !this.#hasClass(`${space}\\${name}`, syntax);
    const clauses = syntax.imports.filter(
      ({ start, end, whole, names }) =>
        (start <= at && at < end) || whole === head || names?.some(([, alias]) => alias === head),
    );
    return clauses.length > 0 && clauses.every((clause) => this.#isOutside(clause, head, syntax));
  }

  /** Whether something here, or a namespace that holds something here, has this whole name. */
  #isWhole(name: string): boolean {
    return this.#whole.has(name) || [...this.#whole].some((one) => one.startsWith(`${name}\\`));
  }

  /** Whether `\\App\\Store`, or `Cache\\Store` in a namespace or behind `use App\\Cache`, is declared here. */
  #hasClass(path: string, { package: here = "", imports, declarations }: FileSyntax): boolean {
    if (path.startsWith("\\")) return this.#isWhole(path.slice(1));
    const [head = "", ...rest] = path.split("\\");
    const spaces = declarations.filter(({ kind }) => kind === "module").map(({ name }) => name);
    const clauses = imports.filter(({ names }) => names?.some(([, alias]) => alias === head));
    const heads =
      clauses.length > 0
        ? clauses.map(({ module }) => module)
        : [here, ...spaces].map((one) => (one === "" ? head : `${one}\\${head}`));
    return heads.some((one) => this.#isWhole([one, ...rest].join("\\")));
  }

  /** `ref.name` beside `ref: Image`, where nothing here declares an `Image`, is derived from it or gives it the member. */
  #isOfOutsideType(code: string, at: number, { language }: FileSyntax, all: readonly Definition[]): boolean {
    if (!colonTypes.has(language)) return false;
    const receiver = /(?<![\w.)\]?!]\s*\.?\s*)\b(?:self\.)?([a-z]\w*)[?!]?\.$/.exec(
      code.slice(Math.max(0, at - 60), at),
    )?.[1];
    if (!receiver) return false;
    const binding = new RegExp(`\\b${receiver}\\s*:\\s*([A-Z]\\w*)\\b(?!\\s*[.<\\[])`, "g");
    const types = new Set(Array.from(code.matchAll(binding), ([, written = ""]) => written));
    const [type] = types;
    if (!type || types.size > 1 || this.#declared.has(type) || this.#parents.has(type)) return false;
    return all.every(({ declaration: { owner } }) => owner?.split(".").at(-1) !== type);
  }

  /** `httparse::Status`, `RedisClient::Error`: nothing here is called like the beginning of the path. */
  #isUnknownPath(head: string, { language, imports }: FileSyntax): boolean {
    const isKnown = this.#names.has(head) || this.#declared.has(head);
    if (language === "Ruby") return /^[A-Z]/.test(head) && !isKnown;
    // `String::parse`, where no trait here is given to `String`.
    if (language === "Rust" && languageNamed(language)?.prelude?.has(head))
      return head !== "Self" && !isKnown && !this.#children.has(head);
    const isImported = imports.some(
      ({ whole, names }) => whole === head || names?.some(([, alias]) => alias === head),
    );
    return (
      language === "Rust" &&
      /^[a-z]/.test(head) &&
      !isKnown &&
      !isImported &&
      !/^(?:crate|self|super)$/.test(head)
    );
  }

  #isOutside({ module, names }: ImportClause, head: string, syntax: FileSyntax): boolean {
    const { language } = syntax;
    const parts = module.split(/[/.\\]|::/).filter(Boolean);
    if (module === "" || module.startsWith(".") || /^(?:crate|self|super)$/.test(parts[0] ?? ""))
      return false;
    const first = parts[0] ?? "";
    if (language === "Go" && this.#ownPaths.length > 0)
      return !this.#ownPaths.some((path) => module === path || module.startsWith(`${path}/`));
    // `import com.vendor.store.Store` names its package wholly, whatever package here ends in `store`.
    const isOfPackage = [...this.#packages].some(
      (name) => `${module}.`.startsWith(`${name}.`) || name.startsWith(`${module}.`),
    );
    if (namesPackages.has(language) && !isOfPackage) return true;
    // These languages begin a path with the package; whatever else is called like a later part is another thing.
    if (language === "Python" && !this.#firstNames.has(first)) return true;
    // In Rust, with a crate or with a name that the very file has.
    if (language === "Rust" && !this.#firstNames.has(first) && !hasName(syntax, first)) return true;
    // `use App\\Cache\\Store` names a class or function wholly, or a namespace.
    if (language === "PHP" && !this.#isWhole(parts.join("\\"))) return true;
    // A class that is imported by name and that nothing declares is made by a generator, or from a library.
    const imported = names?.find(([, alias]) => alias === head)?.[0];
    if (imported !== undefined && namesClasses.has(language) && !this.#declared.has(imported)) return true;
    // `use FastRoute\\Collector` is of a library, whatever file here is called Collector.
    const path = parts.at(-1) === imported ? parts.slice(0, -1) : parts;
    return /^(?:std|core|alloc|node:)/.test(module) || !path.some((part) => this.#names.has(part));
  }
}

const hasName = ({ declarations, imports }: FileSyntax, name: string) =>
  declarations.some((d) => d.name === name) ||
  imports.some(({ whole, names }) => whole === name || names?.some(([, alias]) => alias === name));

const colonTypes = new Set(["Swift", "Kotlin", "Scala"]);
const namesPackages = new Set(["Java", "Kotlin"]);
const namesClasses = new Set(["Java", "Kotlin", "Scala", "PHP"]);

/** Whether a name at a place can mean one of the definitions, as members stand behind a dot and the rest does not. */
export function isUseAt(code: string, at: number, name: string, all: readonly Definition[]): boolean {
  const language = languageNamed(all[0]?.syntax.language ?? "");
  const before = code.slice(Math.max(0, at - 200), at);
  const after = code.slice(at + name.length, at + name.length + 40);
  const isBehindDot = /(?:\.|::|->|[^:]:)\s*$/.test(before) && !/\.\.\.?\s*$/.test(before);
  if (isJump(before, after, language?.name)) return false;
  // In C, only the word before it makes a tag a type.
  const areTags = all.every(
    ({ declaration: { kind, signature } }) =>
      typeKinds.has(kind) && /^(?:struct|union|enum)\b/.test(signature),
  );
  if (language?.name === "C" && areTags && !/\b(?:struct|union|enum)\s+$/.test(before)) return false;
  // Behind a dot stands a member, and only there or, where `this` may be left out, in a call.
  const isCalled = language?.implicitReceiver && /^\s*\(/.test(after);
  if (!isBehindDot && isKey(code, at, after, all)) return false;
  // `using App.Name.Other;`: a namespace or a type.
  const isInUsing =
    language?.name === "C#" && /^\W*(?:(?:global\s+)?using|namespace)\s[\w.=\s]*$/m.test(lineOf(before));
  const areValues = all.every(({ declaration: { kind } }) => !typeKinds.has(kind) && kind !== "module");
  if (isInUsing && areValues) return false;
  // `{ Name = Name }`: what is assigned is a property, as a method cannot be.
  const areMethods = all.every(({ declaration: { kind } }) => kind === "func" || kind === "method");
  if (language?.name === "C#" && areMethods && /^\s*=(?![=>])/.test(after)) return false;
  // `namespace App\\Name;`, `App\\Name\\Other`: a namespace of that name.
  const isSpace = language?.namespaceSeparator === "\\" && /^\\|^\s*;/.test(after);
  if (isSpace && (after.startsWith("\\") || /\bnamespace\s+[\w\\]*$/.test(before)))
    return all.some(({ declaration: { kind } }) => kind === "module");
  // `import app.name.Store`: a package of that name.
  const isInPath = language?.packageIs === "declared" && /^\s*\./.test(after);
  if (isInPath && areValues && /^\s*(?:import|package)\s[\w.\s]*$/.test(lineOf(before))) return false;
  // `$name` and `name=` are variables: a function has no value in these languages.
  if (language?.name === "Ruby" && areMethods && before.endsWith("@")) return false;
  if (language?.valueSign && areMethods && (/\$\{?[#!]?$/.test(before) || /^\+?=(?!=)/.test(after)))
    return false;
  return all.some((d) => {
    const isOfType = isMember(d) && !isNested(d);
    return isOfType === isBehindDot || (isOfType && isCalled);
  });
}

const lineOf = (before: string) => before.slice(before.lastIndexOf("\n") + 1);

/** `goto name;` and `name:` in C: a label, which may have the name of anything. */
function isJump(before: string, after: string, language: string | undefined): boolean {
  if (language !== "C" && language !== "C++") return false;
  return /\bgoto\s+$/.test(before) || (/[;{}:]\s*\n[ \t]*$/.test(before) && /^:(?!:)/.test(after));
}

/** `{ name: … }`, `f(name = …)`: the name of a field or parameter, whatever else has it. */
function isKey(code: string, at: number, after: string, all: readonly Definition[]): boolean {
  const language = all[0]?.syntax.language ?? "";
  const before = code.slice(Math.max(0, at - 2_000), at);
  if (colonKeys.has(language))
    return (
      /[{,;(]\s*$|[\w>\])}'"`][ \t]*\r?\n\s*$/.test(before) &&
      /^\s*\??:(?!:)/.test(after) &&
      // A key of a map in Go is any expression, but no type.
      (language !== "Go" || all.every((d) => typeKinds.has(d.declaration.kind)))
    );
  const bracket = equalKeys.get(language);
  return (
    bracket !== undefined &&
    /[({,;]\s*$/.test(before) &&
    /^\s*=(?![=>])/.test(after) &&
    openBracket(code, at) === bracket
  );
}

const colonKeys = new Set(["JavaScript", "TypeScript", "TSX", "Swift", "PHP", "Ruby", "Rust", "Go", "C#"]);
const equalKeys = new Map([
  ["Python", "("],
  ["Kotlin", "("],
  ["Scala", "("],
  ["Lua", "{"],
]);

/** The bracket that is open at a place. */
function openBracket(code: string, at: number): string | undefined {
  let depth = 0;
  for (let i = at - 1; i >= 0; i--) {
    const sign = code[i] ?? "";
    if (")]}".includes(sign)) depth++;
    else if ("([{".includes(sign) && depth-- === 0) return sign;
  }
  return undefined;
}
