import { propertiesOfMethods } from "./jvm-names.ts";
import type { Language } from "./language.ts";

export const java: Language = {
  name: "Java",
  extensions: ["java"],
  grammar: "java",
  separator: ".",
  importStyle: "java",
  family: "jvm",
  elsewhere: propertiesOfMethods,
  scoping: "imported",
  importsStayInFile: true,
  packageIs: "declared",
  implicitReceiver: true,
  implementsByParents: true,
  lambdasImplement: "any interface",
  memberOperators: ["::"],
  capitalPaths: true,
  // `@Mark(name = value)`
  isKey: (before, after) =>
    /@[\w.]+\s*\((?:[^()]|\([^()]*\))*$/.test(before) && /[(,]\s*$/.test(before) && /^\s*=(?!=)/.test(after),
  keyedTypes: /@interface\b/,
  isCaseLabel: (before) => /\bcase\s+(?:\w+\s*,\s*)*$/.test(before),
  typeHints: {
    after: [/^\s*=\s*new\s+(?:\w+\.)*(\w+)/],
    before: [/(?:^|[\s(,;<])((?:\w+\.)*[A-Z]\w*)(?:<[^;(){}=]*>)?(?:\.\.\.)?[ \t]+$/],
    returns: /([A-Z]\w*)(?:<[^()]*>)?(?:\[\])*\s+\w+\s*\(/,
  },
  wrappers: new Set(["Optional", "AtomicReference", "ThreadLocal", "WeakReference", "SoftReference"]),
  query: `
(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(annotation_type_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_constant name: (_) @name) @const
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
(compact_constructor_declaration name: (_) @name body: (_) @body) @method
(annotation_type_element_declaration name: (_) @name) @method
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @const
(superclass (_) @super)
(super_interfaces (type_list (_) @super))
(extends_interfaces (type_list (_) @super))
(local_variable_declaration declarator: (variable_declarator name: (_) @local))
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @field))
(record_declaration parameters: (formal_parameters (spread_parameter (variable_declarator name: (_) @name)) @field))
[
  (method_declaration parameters: (formal_parameters [(formal_parameter name: (_) @local) (spread_parameter (variable_declarator name: (_) @local))]))
  (constructor_declaration parameters: (formal_parameters [(formal_parameter name: (_) @local) (spread_parameter (variable_declarator name: (_) @local))]))
  (lambda_expression parameters: (formal_parameters [(formal_parameter name: (_) @local) (spread_parameter (variable_declarator name: (_) @local))]))
]
(instanceof_expression name: (identifier) @local)
(resource name: (identifier) @local)
(type_pattern (identifier) @local)
(record_pattern_component (identifier) @local)
(catch_formal_parameter name: (_) @local)
(enhanced_for_statement name: (_) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(type_parameter (type_identifier) @local)
(variable_declarator name: (identifier) @after)
(formal_parameter name: (_) @after)
(enhanced_for_statement name: (_) @after value: (_) @after)
[(method_declaration) (constructor_declaration) (lambda_expression)] @scope
[(class_declaration) (interface_declaration) (record_declaration)] @region
((if_statement condition: (_) @condition) @block (#not-match? @condition "! *[(]"))
[(block) (return_statement) (while_statement) (ternary_expression) (switch_rule) (try_with_resources_statement) (for_statement) (enhanced_for_statement) (catch_clause) (switch_block_statement_group)] @block
(object_creation_expression type: (_) @super (class_body)) @anonymous
(package_declaration (_) @package)
(import_declaration) @import
[(line_comment) (block_comment) (string_literal) (character_literal)] @quiet
`,
  imports(statement) {
    const match = /^import\s+(?:static\s+)?([\w.\s]+?)(\.\*)?\s*;?\s*$/.exec(statement);
    const path = match?.[1]?.replaceAll(/\s/g, "");
    if (!path) return [];
    if (match?.[2]) return [{ module: path, wildcard: true }];
    const name = path.slice(path.lastIndexOf(".") + 1);
    return [{ module: path, names: [[name, name]] }];
  },
};
