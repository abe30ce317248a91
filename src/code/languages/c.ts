import { oneBranch } from "./c-branches.ts";
import { withoutAttributeMacros } from "./c-macros.ts";
import type { ImportClause, Language } from "./language.ts";

/** What C and C++ share. A declarator may hide its name behind pointers: three levels are written out. */
export const cQuery = `
(struct_specifier name: (_) @name body: (_) @body) @struct
(union_specifier name: (_) @name body: (_) @body) @struct
(enum_specifier name: (_) @name body: (_) @body) @enum
(enumerator name: (_) @name) @const
(type_definition declarator: (type_identifier) @name) @alias
(type_definition type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)] declarator: (type_identifier) @name) @struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @alias
(type_definition declarator: (array_declarator declarator: (type_identifier) @name)) @alias
(type_definition declarator: (function_declarator declarator: (type_identifier) @name)) @alias
(type_definition declarator: (_ declarator: (_ declarator: (_ declarator: (type_identifier) @name)))) @alias
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @alias
(preproc_def name: (_) @name) @macro
(preproc_function_def name: (_) @name) @macro
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @func
(function_definition declarator: (_ declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @func
(function_definition declarator: (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name))) body: (_) @body) @func
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name)) body: (_) @body) @func
(declaration declarator: (function_declarator declarator: (identifier) @name)) @func
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @func
(declaration declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name))) @func
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name)))) @func
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name))))) @func
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @func
(declaration declarator: (identifier) @name) @var
(declaration declarator: (pointer_declarator declarator: (identifier) @name)) @var
(declaration declarator: (array_declarator declarator: (identifier) @name)) @var
(declaration declarator: (_ declarator: (_ declarator: (identifier) @name))) @var
(declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))) @var
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))) @var
(declaration declarator: (init_declarator declarator: (identifier) @name)) @var
(declaration declarator: (init_declarator declarator: (_ declarator: (identifier) @name))) @var
(declaration declarator: (init_declarator declarator: (_ declarator: (_ declarator: (identifier) @name)))) @var
(field_declaration declarator: (field_identifier) @name) @field
(field_declaration declarator: (_ declarator: (field_identifier) @name)) @field
(field_declaration declarator: (_ declarator: (_ declarator: (field_identifier) @name))) @field
(field_declaration declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))) @field
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))))) @field
(preproc_function_def parameters: (preproc_params (identifier) @local)) @block
(parameter_declaration declarator: (identifier) @local)
(parameter_declaration declarator: (_ declarator: (identifier) @local))
(parameter_declaration declarator: (_ declarator: (_ declarator: (identifier) @local)))
[(declaration declarator: (_) @after) (init_declarator declarator: (_) @after) (parameter_declaration declarator: (_) @after)]
(function_definition) @scope
[(compound_statement) (for_statement)] @block
[(declaration) (field_declaration) (type_definition)] @region
(preproc_include) @import
[(comment) (string_literal) (char_literal) (system_lib_string)] @quiet
(preproc_arg) @unread
`;

export const cKeywords: ReadonlySet<string> = new Set(
  "if else for while do switch case return sizeof goto break continue defined catch".split(" "),
);

export const c: Language = {
  name: "C",
  extensions: ["c", "h"],
  grammar: "c",
  hasHugeLexer: true,
  separator: ".",
  importStyle: "include",
  family: "c",
  scoping: "included",
  bareEnumerators: true,
  flatTypes: true,
  aliasesAreTypes: true,
  isLabel: isGotoLabel,
  isDeclarator,
  isTypeAfter: (before) => /\b(?:struct|union|enum)\s+$/.test(before),
  destructorSign: "~",
  memberOperators: ["->"],
  typeHints: { after: [], declarators: true },
  query: cQuery,
  imports: includes,
  prepare: (source) => withoutAttributeMacros(source),
  oneBranch,
  keywords: cKeywords,
};

/** `goto name;` and `name:` alone on its line. */
export function isGotoLabel(line: string, after: string): boolean {
  return /\bgoto\s+$/.test(line) || (line.trim() === "" && /^:\s*(?:\n|\/[*/])/.test(after));
}

/** ` *name;`, ` name = …`, ` name(…)` */
export function isDeclarator(after: string): boolean {
  return /^(?:\s*[*&])*\s*[A-Za-z_]\w*\s*[;=,)[(]/.test(after);
}

export function includes(statement: string): ImportClause[] {
  const module = /include(?:_next)?\s*(?:"([^"]+)"|<([^>]+)>)/.exec(statement);
  const path = module?.[1] ?? module?.[2];
  return path ? [{ module: path, wildcard: true }] : [];
}
