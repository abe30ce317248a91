import { assignsSeveral } from "./assigned-names.ts";
import { type Language, unknownPath } from "./language.ts";

/** Tables that stand for types have telling names: every other module calls itself `M`, and its metatable `mt`. */
const classNames = `(#match? @name "^_*[A-Z].*[a-z]") (#match? @super "[A-Za-z]{3}|[a-z][A-Z]")`;

const parent = "[(identifier) (dot_index_expression)] @super";

/** Methods of class libraries that make a class below the one they are called on, or below their argument. */
const isExtender = '(#any-of? @_extend "extend" "extends" "subclass" "derive" "inherit" "inherits" "class")';

/** The calls that give a table its parent; of those for `setmetatable`, the table may be the one that is made. */
function callsWithParent(table: string): string[] {
  const index = `(table_constructor (field name: (identifier) @_index value: ${parent}))`;
  const set = (metatable: string) =>
    `(function_call name: (identifier) @_set arguments: (arguments . ${table} . ${metatable} .)) @impl (#eq? @_set "setmetatable")`;
  return [`${set(index)} (#eq? @_index "__index")`, set("(identifier) @super")];
}

const classCalls = [
  `(function_call name: (method_index_expression table: ${parent} method: (identifier) @_extend)) @impl ${isExtender}`,
  `(function_call name: (dot_index_expression field: (identifier) @_extend) arguments: (arguments ${parent})) @impl ${isExtender}`,
  `(function_call name: (identifier) @_class arguments: (arguments ${parent})) @impl (#any-of? @_class "class" "Class")`,
  `(function_call name: (identifier) @_class arguments: (arguments (table_constructor (field name: (identifier) @_of value: ${parent})))) @impl
    (#any-of? @_class "class" "Class") (#eq? @_of "__includes")`,
];

/** Tables that are given a parent: where they are made, or later. */
function madeFromParents(): string {
  const made = [...callsWithParent("(table_constructor)"), ...classCalls].flatMap((call) =>
    ["(identifier) @name", "(dot_index_expression field: (identifier) @name)"].map((name) => {
      const end = call.lastIndexOf("@impl") + "@impl".length;
      return `(assignment_statement (variable_list name: ${name}) (expression_list value: ${call.slice(0, end)})${call.slice(end)} ${classNames})`;
    }),
  );
  const given = callsWithParent("(identifier) @name").map((call) => `(${call} ${classNames})`);
  return [...made, ...given].join("\n");
}

export const lua: Language = {
  name: "Lua",
  extensions: ["lua", "rockspec"],
  filenames: [".luacheckrc", ".luacov", ".busted"],
  interpreters: ["lua", "luajit", "texlua"],
  grammar: "lua",
  // The grammar takes the beginning of the text "--[[" for that of a comment.
  prepare: (source) => source.replace(/(["'])--(\[=*\[[^\n"'\]]*\1)/g, "$1  $2"),
  separator: ".",
  importStyle: "load path",
  scoping: "everything",
  dynamic: true,
  hasUnknownImports: true,
  typesAreTables: true,
  ownGlobals: new Set(
    "assert collectgarbage dofile error getfenv getmetatable ipairs load loadfile loadstring module next pairs pcall print rawequal rawget rawlen rawset require select setfenv setmetatable tonumber tostring type unpack warn xpcall coroutine debug io math os package string table utf8 bit bit32 jit ffi self _G _ENV _VERSION arg".split(
      " ",
    ),
  ),
  isPassedOn: (source, name) => new RegExp(`[.{,;]\\s*${name}\\s*=\\s*${name}\\b`).test(source),
  bareCall: /^\s*[{"'[]/,
  memberOperators: [":"],
  isKey: (before, after) => /[{,;]\s*$/.test(before) && /^\s*=(?!=)/.test(after) && !assignsSeveral(before),
  callsWithoutName: [{ names: /^__\w+$/, as: "a + b, a[b], a(b)" }],
  typeHints: { isOneOfSeveral: assignsSeveral, after: [/^\s*=\s*([A-Z]\w*)[.:](?:new|create)\s*[({"']/] },
  query: `
(function_declaration name: (identifier) @name body: (_)? @body) @func
(function_declaration name: (dot_index_expression table: (_) @owner field: (_) @name) body: (_)? @body) @func
(function_declaration name: (method_index_expression table: (_) @owner method: (_) @name) body: (_)? @body) @method
(assignment_statement (variable_list name: (identifier) @name) (expression_list value: (function_definition body: (_)? @body))) @func
(assignment_statement (variable_list name: (dot_index_expression table: (_) @owner field: (_) @name))
  (expression_list value: (function_definition body: (_)? @body))) @func
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @method
(variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @var
(variable_declaration (variable_list name: (identifier) @name)) @var
(chunk (assignment_statement (variable_list name: (identifier) @name)) @var)
${madeFromParents()}
(assignment_statement (variable_list name: (dot_index_expression table: (identifier) @name field: (identifier) @_index))
  (expression_list value: [(identifier) (dot_index_expression)] @super)
  (#eq? @_index "__index") (#not-eq? @name @super) ${classNames}) @impl
(parameters name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(chunk (return_statement (expression_list (identifier) @default)))
[(variable_declaration) (for_generic_clause) (for_numeric_clause)] @after
[(function_declaration) (function_definition)] @scope
[(block) (for_statement) (do_statement)] @block
(function_call name: (identifier) @_require (#eq? @_require "require")) @import
(function_call name: (identifier) @_call arguments: (arguments . (identifier) @_require . (string)) (#any-of? @_call "pcall" "xpcall") (#eq? @_require "require")) @import
[(comment) (string_content)] @quiet
`,
  imports(statement, before, after) {
    // `local ok, module = pcall(require, "a.b")`
    const called = /^x?pcall\s*\(\s*require\s*,\s*["']([^"']+)["']/.exec(statement)?.[1];
    if (called) {
      const whole = /\w+\s*,\s*(\w+)\s*=\s*$/.exec(before)?.[1];
      return [{ module: called.replaceAll(".", "/"), ...(whole && { whole }) }];
    }
    const module = /^require\s*\(?\s*["']([^"']+)["']\s*(?![\s.]*\.\.)/.exec(statement)?.[1];
    // `require("class"):extend()` is not the module.
    const whole = /^\s*[:.([]/.test(after) ? undefined : /(\w+)\s*=\s*$/.exec(before)?.[1];
    if (!module) return [{ module: unknownPath }];
    return [{ module: module.replaceAll(".", "/"), ...(whole && { whole }) }];
  },
};
