import type { Language } from "./language.ts";

export const kotlin: Language = {
  name: "Kotlin",
  extensions: ["kt", "kts"],
  grammar: "kotlin",
  hasHugeLexer: true,
  separator: ".",
  importStyle: "java",
  family: "jvm",
  scoping: "imported",
  importsStayInFile: true,
  privateIsOfFile: true,
  valueSign: "$",
  packageIs: "declared",
  implicitReceiver: true,
  callsMakeValues: true,
  blocksHaveReceivers: true,
  methodsStandIn: "any file",
  bareCall: /^\s*[{]/,
  isKey: (before, after) => /[(,]\s*$/.test(before) && /^\s*=(?!=)/.test(after),
  memberOperators: ["::"],
  typeHints: {
    after: [/^\s*:\s*(?:\w+\.)*([A-Z]\w*)/, /^\s*=\s*([A-Z]\w*)\s*(?:<[^()]*>)?\(/],
    returns: /\)\s*:\s*(?:\w+\.)*(\w+)/,
  },
  // The grammar does not know `fun interface`.
  prepare: (source) => source.replace(/\bfun(?=\s+interface\b)/g, "   "),
  query: `
(function_declaration (user_type) @owner . (simple_identifier) @name (function_body)? @body) @func
(property_declaration (user_type) @owner . (variable_declaration (simple_identifier) @name)) @var
(class_declaration "class" (type_identifier) @name [(class_body) (enum_class_body)]? @body) @class
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @interface
(class_declaration "enum" "class" (type_identifier) @name (enum_class_body)? @body) @enum
(object_declaration (type_identifier) @name (class_body)? @body) @class
(companion_object (type_identifier) @name (class_body)? @body) @class
(function_declaration (simple_identifier) @name (function_body)? @body) @func
(property_declaration (variable_declaration (simple_identifier) @name)) @var
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @field
(enum_entry (simple_identifier) @name) @const
(type_alias (type_identifier) @name) @type
(delegation_specifier [(user_type) (constructor_invocation)] @super)
(parameter (simple_identifier) @local)
(lambda_parameters (variable_declaration (simple_identifier) @local))
(for_statement (variable_declaration (simple_identifier) @local))
(catch_block (simple_identifier) @local)
(type_parameter (type_identifier) @local)
[(function_declaration) (lambda_literal) (anonymous_function) (secondary_constructor) (getter) (setter)] @scope
[(control_structure_body) (for_statement) (catch_block)] @block
(package_header (identifier) @package)
(import_header) @import
[(line_comment) (multiline_comment) (string_content) (character_literal)] @quiet
`,
  imports(statement) {
    const match = /^import\s+([\w.]+?)(\.\*)?(?:\s+as\s+(\w+))?\s*;?\s*$/.exec(statement);
    const path = match?.[1];
    if (!path) return [];
    if (match?.[2]) return [{ module: path, wildcard: true }];
    const name = path.slice(path.lastIndexOf(".") + 1);
    return [{ module: path, names: [[name, match?.[3] ?? name]] }];
  },
};
