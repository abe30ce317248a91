import type { ImportClause, Language } from "./language.ts";

export const php: Language = {
  name: "PHP",
  extensions: ["php", "phtml"],
  grammar: "php",
  separator: "::",
  importStyle: "name",
  scoping: "namespaced",
  dynamic: true,
  sigil: "$",
  namespaceSeparator: "\\",
  globalFunctions: true,
  typesBeforePath: true,
  nameAsText: /^\s*::\s*class\b/,
  isKey: (before, after) => /[(,]\s*$/.test(before) && /^\s*:(?!:)/.test(after),
  memberOperators: ["?->", "->", "::"],
  dotJoinsTexts: true,
  selfWords: new Set(["parent", "static"]),
  callsWithoutName: [{ names: /^__\w+$/, as: "new A(b), a.b, a(b)" }],
  typeHints: {
    after: [/^\s*=\s*\(?\s*new\s+(?:\\?\w+\\)*(\w+)/],
    before: [/(?:^|[\s(,;?|])((?:\\?\w+\\)*[A-Z]\w*)[ \t]+(?:&|\.\.\.)?\$?$/],
    returns: /\)\s*:\s*\??(?:\\?\w+\\)*(\w+)/,
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
(property_element name: (variable_name (name) @name)) @field
(property_promotion_parameter name: (variable_name (name) @name)) @field
(const_element . (name) @name) @const
(anonymous_class) @anonymous
(base_clause (_) @super)
(class_interface_clause (_) @super)
(use_declaration [(name) (qualified_name)] @super)
(simple_parameter name: (variable_name (name) @local))
(assignment_expression left: (variable_name (name) @local))
(foreach_statement (variable_name (name) @local))
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope
(namespace_use_declaration) @import
[(include_expression) (include_once_expression) (require_expression) (require_once_expression)] @import
[(comment) (string_content) (escape_sequence) (string) (nowdoc_body) (text)] @quiet
`,
  imports(statement) {
    const file = /^(?:include|require)(?:_once)?\b[^"']*["']([^"']+)["']/.exec(statement)?.[1];
    if (file) return [{ module: file.replace(/^\//, ""), wildcard: true }];
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
