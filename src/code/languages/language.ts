/** What the parser must know of one language; the table of all of them is languages.ts. */
export interface Language {
  readonly name: string;
  readonly extensions: readonly string[];
  /** Whole file names that have no telling extension. */
  readonly filenames?: readonly string[];
  /** Programs that run it, without version, as the first line of a script names them: `#!/usr/bin/env python3`. */
  readonly interpreters?: readonly string[];
  /** The grammar's name in the package of grammars (syntax/grammar.ts). */
  readonly grammar: string;
  /** Its lexer is one function so large that optimising it takes 100 MB to gigabytes: it stays as first compiled. */
  readonly hasHugeLexer?: boolean;
  /**
   * One tree-sitter query. A capture named like a `Kind` (or `struct`, `trait`, `alias`, `impl`) is a declaration; its match carries
   * `@name`, and may carry `@body` (where the signature ends) and `@owner` (the type it belongs to). Besides:
   * `@bind` a name bound here: a variable at the top, a local inside a function; `@local` always a local;
   * `@member` a name that belongs to the type around, not to the function that it stands in;
   * `@outer` a name that a function says is not its own; `@scope` a function: its locals end there; `@block` likewise, but not for `@hoist` (a binding that belongs to the
   * whole function); `@region` where type parameters end; `@after` what declares variables that hold only behind it (of
   * several in one match: from the first to the last); `@until` where a `@local` ends: with the first of several;
   * `@super` a parent of the enclosing type; `@import`, `@package`, `@default` (what stands for the whole file), `@quiet` (comments, text: no code in there), `@live` (code inside of a text), `@format` (a text in which names may stand in braces), `@unread`
   * (code in which the grammar does not tell texts and comments from the rest) and `@again` (brackets whose inside is parsed once more, as code of its own: the arguments of a macro).
   */
  readonly query: string;
  /** Whether what the query matched as a declaration is none at its place. */
  isNoDeclaration?(node: SyntaxNode): boolean;
  /** Words that a grammar may take for the name of a function where it does not understand the text. */
  readonly keywords?: ReadonlySet<string>;
  /** Makes a text parseable without moving anything in it: what the grammar cannot know becomes spaces. */
  prepare?(source: string): string;
  /** For a text that is not understood as a whole: one with the first of several alternatives, one with the rest. */
  oneBranch?(source: string): { text: string; rest: string } | undefined;
  /** The clauses of one import statement, as it is written; `before` is what stands before it on its line, `after` behind it. */
  imports(statement: string, before: string, after: string): ImportClause[];
  /** How a qualified name is written between its parts. */
  readonly separator: "." | "::" | "/";
  /** How its imports lead to files; see resolve/module-files.ts. */
  readonly importStyle: ImportStyle;
  /** Languages of one family use each other's declarations. Without: the language alone. */
  readonly family?: "c" | "jvm" | "script";
  readonly scoping: Scoping;
  /** What is private at the top of a file is seen in that file only. */
  readonly privateIsOfFile?: boolean;
  /** What a file imports is known to others as its own. */
  readonly importsArePassedOn?: boolean;
  /** `value.name` may call a method. */
  readonly callsNeedNoBrackets?: boolean;
  /** What a file imports is not passed on to those that import the file. */
  readonly importsStayInFile?: boolean;
  /** What everything of a package brings hides what other files of the own package declare. */
  readonly wildcardsHidePackage?: boolean;
  /** An import may begin at one of the packages around. */
  readonly importsAreRelative?: boolean;
  /** Several packages at the top of a file: each is in the one before. */
  readonly packagesNest?: boolean;
  /** The class that holds what stands at the top of a file, for other languages. */
  classOfFile?(path: string): string;
  /** Where a file names that class itself. */
  readonly classInFile?: RegExp;
  /** Names under which other languages of the family know what is declared here. */
  readonly elsewhere?: ElsewhereNames;
  /** What shares its names without an import: files of one folder, or files that declare one package. */
  readonly packageIs?: "folder" | "declared";
  /** An import names a namespace, which several files may declare, or a type. */
  readonly importsNamespaces?: boolean;
  /** Methods of types of the standard library that others often embed: `fmt.Stringer`. */
  readonly knownMethods?: ReadonlyMap<string, readonly string[]>;
  readonly knownInterfaces?: ReadonlySet<string>;
  /** Whether a method may stand for another one of its name, both by their signatures. */
  sameSignature?(one: string, other: string): "yes" | "no" | "maybe";
  /** A member is called without `this` inside its type. */
  readonly implicitReceiver?: boolean;
  /** Words for the type around or its parent, besides `this`, `self` and `super`; before `::` where variables have a sign. */
  readonly selfWords?: ReadonlySet<string>;
  /** The receiver that is left out is the innermost type around, never one around that. */
  readonly innermostReceiver?: boolean;
  /** A bare name never means a member, not even in its type's body. */
  readonly membersBehindDot?: boolean;
  /** What a function's head holds, as the defaults of its parameters, is read outside of it. */
  readonly headsAreOutside?: boolean;
  /** Members of an enum are used without its name. */
  readonly bareEnumerators?: boolean;
  /** A type inside of another is known by its bare name. */
  readonly flatTypes?: boolean;
  /** Another name for a type has all that the type has: `typedef Base Name`. */
  readonly aliasesAreTypes?: boolean;
  /** A nested type may stand outside of the type it belongs to: `struct Table::Rep {}`. */
  readonly typesStandOutOfLine?: boolean;
  /** A nested type may stand in an extension of the type it belongs to. */
  readonly typesStandInExtensions?: boolean;
  /** Only types and namespaces stand before `::`, and a namespace stands nowhere else. */
  readonly typesBeforePath?: boolean;
  /** Signs that belong to a name at whose end they stand: `empty?` is another name than `empty`. */
  readonly nameSigns?: RegExp;
  /** Why a name between these texts is only possibly used as a name: it may be a text there, or a key as well. */
  whyDoubtful?(before: string, after: string): string | undefined;
  /** Why a name behind this text may be that of a member of any type, wherever it stands. */
  ofAnyReceiver?(before: string): string | undefined;
  /** What stands before a field where it is assigned, as an expression: fields are declared in no other way, or need not be. */
  readonly fieldPrefix?: string;
  /** `T.new` is a value of the type `T`. */
  readonly newMakesValues?: boolean;
  /** `value.name = 1` calls what is declared as `name=`. */
  readonly setters?: boolean;
  /** Types and modules begin with a capital: anything else before `::` is a value. */
  readonly capitalPaths?: boolean;
  /** Types that every file knows, where any other that is neither declared nor imported is made by a macro. */
  readonly prelude?: ReadonlySet<string>;
  /** What follows a name, whatever it is the name of, to give it as a text: `name::class`. */
  readonly nameAsText?: RegExp;
  /** A type may be a field under its own name: `T{Name: value}`. */
  readonly embedsTypes?: boolean;
  /** The word before an import that holds in all files. */
  readonly importsForAll?: string;
  /** Types that mark declarations may be written without this ending there. */
  readonly marks?: {
    readonly suffix: string;
    /** Whether what stands at an offset marks a declaration: `[Name]`. */
    isAt(source: string, offset: number): boolean;
  };
  /** Whether only a type can stand between these texts: `new Name(`, `Name value`. */
  isTypePlace?(before: string, after: string): boolean;
  /** The names of its own functions, where a file may make any other name one that all files see. */
  readonly ownGlobals?: ReadonlySet<string>;
  /** Whether a file gives others what it keeps to itself, under the same name: `M.open = open`. */
  isPassedOn?(source: string, name: string): boolean;
  /** There is no other word for a type than a variable that holds a table: how it gets a parent is a convention. */
  readonly typesAreTables?: boolean;
  /** An import may have a path that is made when the program runs; `imports` tells those, too. */
  readonly hasUnknownImports?: boolean;
  /** Any value may hold any function as a member. */
  readonly dynamic?: boolean;
  /** Methods may stand in an object that has no name: members, although nothing owns them. */
  readonly objectMethods?: boolean;
  /** Functions of one name in several files may be overloads, told apart by their arguments alone. */
  readonly overloads?: boolean;
  /** Methods of a module belong to the types that include it. */
  readonly mixins?: boolean;
  /** `super` alone calls what the method around overrides. */
  readonly bareSuper?: boolean;
  /** What is called without its name, and how. */
  readonly callsWithoutName?: readonly CallWithoutName[];
  /** A function without a name may implement an interface of one method: any, or one with this before its name. */
  readonly lambdasImplement?: "any interface" | RegExp;
  /** What a class inherits implements the interfaces that it names. */
  readonly implementsByParents?: boolean;
  /** A type may implement an interface without naming it. */
  readonly structural?: boolean;
  /** A call of a type's name makes a value of it: a function of that name looks the same. */
  readonly callsMakeValues?: boolean;
  /** A block may have a receiver of its own: a bare name in it may be a member of anything. */
  readonly blocksHaveReceivers?: boolean;
  /** A type's methods may stand in any file, or in any file of its folder; without: in its own file. */
  readonly methodsStandIn?: "any file" | "folder";
  /** Whether a method of a type, both by their signatures, is called on values of other types: `static void F(this T value)`. */
  isExtension?(signature: string, type: string): boolean;
  /** A call needs no parentheses: what follows the name then. */
  readonly bareCall?: RegExp;
  /** A method may be called between two values: `a add b`. */
  readonly infixCalls?: boolean;
  /** A call of a component: `<Name`. */
  readonly hasTags?: boolean;
  /** Operators between a value, type or namespace and its member, besides `.` and `?.`; longer ones first. */
  readonly memberOperators?: readonly string[];
  /** An arrow between spaces stands before the type of a result: `auto f() -> T`. */
  readonly resultArrow?: boolean;
  /** A dot joins texts and leads to no member. */
  readonly dotJoinsTexts?: boolean;
  /** Between a namespace and a name in it, where that is not the separator. */
  readonly namespaceSeparator?: string;
  /** Functions and constants of no namespace are seen from every namespace, types are not. */
  readonly globalFunctions?: boolean;
  /** What stands before a text that names the method of a value or type: `[$this, '`. Its first group is that value. */
  readonly methodTexts?: RegExp;
  /** The sign in front of a variable's name that is no part of the name. */
  readonly sigil?: "$";
  /** The sign that a private name begins with: `#name` is another name than `name`. */
  readonly privateSign?: "#";
  /** The sign in front of a name that gives its value, in a text or anywhere: `$name` is a use of `name`. */
  readonly valueSign?: "$";
  /** The sign behind a name that stands for a width in a formatted text: `{:>width$}`. */
  readonly widthSign?: "$";
  /** Where variables and functions of one name are told apart by how they are written: what a name between these texts is. */
  kindBetween?(before: string, after: string): "variable" | "function or text" | undefined;
  /** What a function assigns without a word for it is no variable of its own. */
  readonly assignsOuter?: boolean;
  /** `{ name: … }`, `f(name = …)`: whether a name between these texts is a key or a label of an argument. */
  isKey?(before: string, after: string): boolean;
  /** The head of a type whose members are the only ones that keys name: `@interface Mark`. */
  readonly keyedTypes?: RegExp;
  /** A key may be the name of a constant. */
  readonly keysAreExpressions?: boolean;
  /** `{ name }` stands for `{ name: name }`. */
  readonly shorthandKeys?: boolean;
  /** Whether a name that is bound between these texts is that of its value, too: `if let name {`. */
  bindsItself?(before: string, after: string): boolean;
  /** `goto name`, `name:`: no use of anything declared. */
  isLabel?(line: string, after: string): boolean;
  /** A name that is a word of the language at this place only. */
  isKeyword?(name: string, line: string, after: string): boolean;
  /** What stands before a word of the language that is a name: `r#type`. */
  readonly rawSign?: string;
  /** Whether a name after this text is a case label, which names an enumerator without its enum. */
  isCaseLabel?(before: string): boolean;
  /** Whether a name after this text is that of a type: `struct name`. */
  isTypeAfter?(before: string): boolean;
  /** Whether the text after a type's name makes it the type of a variable: ` *list;`. */
  isDeclarator?(after: string): boolean;
  /** Whether a name before this text is taken out of an object that is awaited, which may be a module: `} = await load()`. */
  isAwaitedPart?(after: string): boolean;
  /** The sign before a type's name that makes it the name of its destructor. */
  readonly destructorSign?: "~";
  /** Where a file is a module that paths name: `crate::store::open`. */
  readonly modules?: PathModules;
  /** How a variable says its type. The first group of each is the type's name. */
  readonly typeHints: TypeHints;
  /** Types that stand for what they hold: a method called on `Arc<T>` is one of `T`. */
  readonly wrappers?: ReadonlySet<string>;
  /** The head of a block in which methods of a type stand, of a trait or its own: its first group is what stands between `impl` and the body. */
  readonly implHead?: RegExp;
  /** Types of which a question mark takes what they hold: `read()?.name`. */
  readonly tried?: ReadonlySet<string>;
  /** How a type that a macro makes names the one it points to: `StorePtr`. */
  readonly pointerName?: RegExp;
  /** A function that makes a type by its name alone: shown with the type in outlines. */
  readonly makerName?: RegExp;
}

/** A node of a syntax tree, as far as a language looks at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly parent: SyntaxNode | null;
}

/**
 * How a file sees what others declare: names are `imported` one by one or come with their package; whole files are
 * `included` or `sourced`; `namespaced` names need their namespace; else every file sees `everything`.
 */
export type Scoping = "imported" | "included" | "sourced" | "namespaced" | "everything";

/** Functions of these names, with such a signature, are called so, too. */
export interface CallWithoutName {
  names: RegExp;
  signed?: RegExp;
  as: string;
}

export interface ElsewhereNames {
  readonly languages: ReadonlySet<string>;
  /** `head` is what stands before the name in its declaration. */
  names(declaration: { name: string; kind: Kind; signature: string; head: string }): ElsewhereName[];
}

export interface ElsewhereName {
  name: string;
  kind: Kind;
  /** It is used so only where the name is read, or where something is assigned to it. */
  only?: "read" | "written";
}

export interface PathModules {
  /** The words that begin a path in the same package. */
  readonly roots: ReadonlySet<string>;
  /** Whether a file is the module of this name. */
  isFileOf(module: string, file: string): boolean;
}

export interface TypeHints {
  /** In the text after the bound name: `: T`, `= new T(`. */
  after: readonly RegExp[];
  /** In the text before it, on the same line: `T name`. */
  before?: readonly RegExp[];
  /** In a function's signature: the type of what it returns. */
  returns?: RegExp;
  /** Whether the names before, as far as they are written here, get values of their own: `a, b = f(), g()`. */
  isOneOfSeveral?(before: string): boolean;
  /** Types that are made from others: which one it is then is not told by their name. */
  computed?: ReadonlySet<string>;
  /** What stands before the name where the text after it is no type: `lambda x: …`. */
  notAfter?: RegExp;
  /** As in C: one type stands before all declarators of a statement, `struct list *a, **b[2]`. */
  declarators?: boolean;
}

/** In a module: a part of a path that only running the program tells. */
export const unknownPath = "*";

/** `load path`: beside the file, from the root, or at the end of any path. */
export type ImportStyle = "path" | "load path" | "python" | "go" | "rust" | "java" | "include" | "name";

/** `export { a as b }` is of the module "", the file itself. `import { a as b } from "m"` is `{module: "m", names: [["a", "b"]]}`; `import * as n from "m"` is `{module: "m", whole: "n"}`. */
export interface ImportClause {
  module: string;
  names?: [name: string, alias: string][];
  /** The name under which the module itself is known. */
  whole?: string;
  /** Everything of the module is in scope without a prefix. */
  wildcard?: boolean;
  /** Passed on to whoever imports this file. */
  reexport?: boolean;
}

/** The kinds a question may name. */
export const kinds = [
  "type",
  "func",
  "method",
  "const",
  "var",
  "interface",
  "class",
  "enum",
  "module",
  "macro",
  "field",
] as const;
export type Kind = (typeof kinds)[number];

/** Captures that say more than the kind does. */
export const kindOfCapture: ReadonlyMap<string, Kind | "impl"> = new Map<string, Kind | "impl">([
  ...kinds.map((kind) => [kind, kind] as const),
  ["struct", "type"],
  ["trait", "interface"],
  ["alias", "type"],
  ["impl", "impl"],
]);

export const typeKinds: ReadonlySet<Kind> = new Set<Kind>(["type", "interface", "class", "enum"]);
