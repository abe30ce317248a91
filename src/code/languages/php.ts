import { type ImportClause, type Language, unknownPath } from "./language.ts";

/** Functions that take the name of a function as a text. */
const callers = [
  "array_(?:diff_u|intersect_u|u)[a-z_]+",
  "array_(?:filter|map|reduce|walk|walk_recursive)",
  "call_user_func(?:_array)?",
  "forward_static_call(?:_array)?",
  "function_exists",
  "header_register_callback",
  "is_callable",
  "iterator_apply",
  "method_exists",
  "ob_start",
  "preg_replace_callback",
  "register_(?:shutdown|tick)_function",
  "set_(?:error|exception)_handler",
  "spl_autoload_register",
  "u[ak]?sort",
];

export const php: Language = {
  name: "PHP",
  extensions: ["php", "phtml", "phpt"],
  interpreters: ["php"],
  grammar: "php",
  separator: "::",
  importStyle: "name",
  scoping: "namespaced",
  dynamic: true,
  hasUnknownImports: true,
  sigil: "$",
  namespaceSeparator: "\\",
  globalFunctions: true,
  typesBeforePath: true,
  nameAsText: /^\s*::\s*class\b/,
  isKey: (before, after) => /[(,]\s*$/.test(before) && /^\s*:(?!:)/.test(after),
  memberOperators: ["?->", "->", "::"],
  dotJoinsTexts: true,
  methodTexts:
    /(?:\[|\b(?:array|method_exists|is_callable)\s*\()\s*(?:\$(\w+)|(?:\\?\w+\\)*(\w+)\s*::\s*class|[^[\],;]*?)\s*,\s*["']$/,
  selfWords: new Set(["parent", "static"]),
  callsWithoutName: [{ names: /^__\w+$/, as: "new A(b), a.b, a(b)" }],
  typeHints: {
    after: [/^\s*=\s*\(?\s*new\s+\\?(?:\w+\\)*(\w+)/],
    // Of `A|B` nothing tells which it is; `null` has no members.
    before: [
      /(?<![\w\\]|(?<!\bnull\s*)\|\s*|[\w)]\s*&\s*)\\?((?:\w+\\)*[A-Z]\w*)(?:\s*\|\s*null)?[ \t]+(?:&|\.\.\.)?\$?$/,
    ],
    returns: /\)\s*:\s*(?:null\s*\|\s*|\?\s*)?\\?(?:\w+\\)*(\w+)\b(?!\\|\s*\|(?!\s*null\b)|\s*&)/,
  },
  query: `
(namespace_definition name: (_) @package !body)
(namespace_definition name: (_) @name body: (_) @body) @module
(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(trait_declaration name: (_) @name body: (_) @body) @trait
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_case name: (_) @name) @const
(function_definition name: (_) @name body: (_) @body) @func
(method_declaration name: (_) @name body: (_)? @body) @method
(property_declaration (property_element name: (variable_name (name) @name))) @field
(property_promotion_parameter name: (variable_name (name) @name)) @field @member
(const_element . (name) @name) @const
(function_call_expression function: (name) @_define
  arguments: (arguments . (argument [(string . (string_content) @name .) (encapsed_string . (string_content) @name .)])) (#eq? @_define "define")) @const
(use_as_clause (_) (name) @name @method .)
(anonymous_class) @anonymous
(base_clause (_) @super)
(class_interface_clause (_) @super)
(use_declaration [(name) (qualified_name)] @super)
(simple_parameter name: (variable_name (name) @local))
(assignment_expression left: (variable_name (name) @local))
(foreach_statement (variable_name (name) @local))
(variadic_parameter name: (variable_name (name) @local))
(property_promotion_parameter name: (variable_name (name) @local))
(catch_clause name: (variable_name (name) @local))
(list_literal (variable_name (name) @local))
(reference_assignment_expression left: (variable_name (name) @local))
(global_declaration (variable_name (name) @local))
(static_variable_declaration name: (variable_name (name) @local))
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope
(namespace_use_declaration) @import
[(include_expression) (include_once_expression) (require_expression) (require_once_expression)] @import
(array_creation_expression
  . (array_element_initializer . [(variable_name) (class_constant_access_expression) (member_access_expression) (member_call_expression) (parenthesized_expression) (object_creation_expression)] .)
  . (array_element_initializer . [(string (string_content) @live) (encapsed_string . (string_content) @live .)] .) .
  (#match? @live "^[A-Za-z0-9_]+$"))
(function_call_expression function: [(name) (qualified_name)] @_call
  arguments: (arguments (argument [(string (string_content) @live) (encapsed_string . (string_content) @live .)]))
  (#match? @_call "^.?(${callers.join("|")})$") (#match? @live "^[^ :$/.,()-]+$"))
((string_content) @live (#match? @live "^[^ :$/.,()0-9-]+::[A-Za-z0-9_]+$"))
[(comment) (string_content) (escape_sequence) (string) (nowdoc_body) (text)] @quiet
`,
  imports(statement) {
    const file = /^(?:include|require)(?:_once)?\b[^"']*["']([^"']+)["']/.exec(statement)?.[1];
    if (file) return [{ module: file.replace(/^\//, ""), wildcard: true }];
    if (/^(?:include|require)/.test(statement)) return [{ module: unknownPath }];
    const text = statement.replace(/^use\s+(?:function\s+|const\s+)?/, "").replace(/;\s*$/, "");
    const group = /^(.*)\\\{(.*)\}/s.exec(text);
    const items = group
      ? (group[2] ?? "").split(",").map((item) => `${group[1]}\\${item.trim()}`)
      : text.split(",");
    return items.flatMap((item): ImportClause[] => {
      const [path = "", alias] = item.trim().split(/\s+as\s+/);
      const name = path.slice(path.lastIndexOf("\\") + 1);
      return path ? [{ module: path.replace(/^\\/, ""), names: [[name, alias ?? name]] }] : [];
    });
  },
};
