import { assignsSeveral } from "./assigned-names.ts";
import type { Language } from "./language.ts";

export const lua: Language = {
  name: "Lua",
  extensions: ["lua"],
  grammar: "lua",
  // The grammar takes the beginning of the text "--[[" for that of a comment.
  prepare: (source) => source.replace(/(["'])--(\[=*\[[^\n"'\]]*\1)/g, "$1  $2"),
  separator: ".",
  importStyle: "path",
  scoping: "everything",
  dynamic: true,
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
  typeHints: { after: [/^\s*=\s*([A-Z]\w*)[.:](?:new|create)\s*[({"']/] },
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
(parameters name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(chunk (return_statement (expression_list (identifier) @default)))
[(variable_declaration) (for_generic_clause) (for_numeric_clause)] @after
[(function_declaration) (function_definition)] @scope
[(block) (for_statement) (do_statement)] @block
(function_call name: (identifier) @_require (#eq? @_require "require")) @import
[(comment) (string_content)] @quiet
`,
  imports(statement, before, after) {
    const module = /^require\s*\(?\s*["']([^"']+)["']/.exec(statement)?.[1];
    // `require("class"):extend()` is not the module.
    const whole = /^\s*[:.([]/.test(after) ? undefined : /(\w+)\s*=\s*$/.exec(before)?.[1];
    return module ? [{ module: module.replaceAll(".", "/"), ...(whole && { whole }) }] : [];
  },
};
