import {
  ecmaAwaitedPart,
  ecmaImports,
  ecmaKey,
  ecmaKeyword,
  ecmaQuery,
  ecmaTypeHints,
  objectKeys,
} from "./javascript.ts";
import type { Language, SyntaxNode } from "./language.ts";

/** A property in the type of an object declares a member where a type is given a name, alone or as a part of it. */
function isInlineProperty({ type, parent }: SyntaxNode): boolean {
  if (type !== "property_signature" || parent?.type !== "object_type") return false;
  let around = parent.parent;
  while (around && /^(?:union|intersection|parenthesized)_type$/.test(around.type)) around = around.parent;
  return around?.type !== "type_alias_declaration";
}

const query = `${ecmaQuery}
(class_declaration name: (_) @name body: (_) @body) @class
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_body name: (_) @name @const)
(enum_assignment name: (_) @name) @const
(internal_module name: (_) @name body: (_)? @body) @module
(module name: (_) @name body: (_)? @body) @module
(function_signature name: (_) @name) @func
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name) @field
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
(interface_body (property_signature name: (_) @name) @field)
(required_parameter (accessibility_modifier) @member pattern: (identifier) @name) @field
(required_parameter "readonly" @member pattern: (identifier) @name) @field
(optional_parameter (accessibility_modifier) @member pattern: (identifier) @name) @field
(optional_parameter "readonly" @member pattern: (identifier) @name) @field
(object_type (property_signature name: (_) @name) @field)
(extends_clause value: (_) @super)
(extends_clause value: (call_expression arguments: (arguments (identifier) @super)))
(extends_clause value: (call_expression arguments: (arguments (call_expression arguments: (arguments (identifier) @super)))))
(public_field_definition value: (class !name) @anonymous)
(implements_clause (_) @super)
(extends_type_clause (_) @super)
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (_) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (_) @local)
[(function_signature) (method_signature) (abstract_method_signature) (function_type) (constructor_type) (call_signature)
 (construct_signature) (interface_declaration) (class_declaration) (abstract_class_declaration) (class) (type_alias_declaration)
 (conditional_type) (index_signature) (object_type)] @region
(import_alias) @import
${objectKeys((keys) => `(as_expression (object ${keys}))`)}
${objectKeys((keys) => `(satisfies_expression [(object ${keys}) (as_expression (object ${keys}))])`)}
`;

export const typescript: Language = {
  name: "TypeScript",
  extensions: ["ts", "mts", "cts"],
  interpreters: ["deno", "bun", "ts-node", "tsx"],
  grammar: "typescript",
  separator: ".",
  importStyle: "path",
  family: "script",
  scoping: "imported",
  shorthandKeys: true,
  structural: true,
  privateSign: "#",
  objectMethods: true,
  isKey: ecmaKey,
  isKeyword: ecmaKeyword,
  isAwaitedPart: ecmaAwaitedPart,
  isNoDeclaration: isInlineProperty,
  typeHints: ecmaTypeHints,
  wrappers: new Set(["Readonly", "Partial", "Required", "NonNullable", "Awaited"]),
  imports: ecmaImports,
  query,
};

export const tsx: Language = {
  ...typescript,
  name: "TSX",
  hasTags: true,
  extensions: ["tsx"],
  interpreters: [],
  grammar: "tsx",
  query: `${query}\n(jsx_text) @quiet\n`,
};
