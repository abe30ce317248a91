import type { ImportClause, Language } from "./language.ts";

/** What begins with a capital, or has a path, is compared and not bound. */
const bound = '(identifier) @local (#match? @local "^[a-z_]")';

/** The names that the pattern of a case binds, up to three deep. */
function boundByCase(): string {
  const isPattern = '(#not-match? @pattern "^([A-Za-z0-9_.]+|[A-Za-z0-9_]+ *=.*)$")';
  return [
    `(case_clause pattern: (_ ${bound}) @pattern ${isPattern})`,
    `(case_clause pattern: (_ (_ ${bound}) @pattern ${isPattern}))`,
    `(case_clause pattern: (_ (_ (_ ${bound}) @pattern ${isPattern})))`,
  ].join("\n");
}

/** Those that a part of `for` binds; what begins with `if` is no pattern. */
function boundByFor(): string {
  const kinds = ["tuple_pattern", "case_class_pattern", "typed_pattern", "capture_pattern", "infix_pattern"];
  return kinds
    .flatMap((kind) => [
      `(enumerator . (${kind} ${bound}))`,
      `(enumerator . (${kind} (tuple_pattern ${bound})))`,
    ])
    .join("\n");
}

export const scala: Language = {
  name: "Scala",
  extensions: ["scala", "sc", "sbt"],
  grammar: "scala",
  separator: ".",
  callsNeedNoBrackets: true,
  importStyle: "java",
  family: "jvm",
  scoping: "imported",
  importsStayInFile: true,
  valueSign: "$",
  packageIs: "declared",
  wildcardsHidePackage: true,
  importsAreRelative: true,
  packagesNest: true,
  implicitReceiver: true,
  implementsByParents: true,
  lambdasImplement: "any interface",
  callsWithoutName: [
    { names: /^apply$/, as: "a(b)" },
    { names: /^unapply(?:Seq)?$/, as: "case a(b)" },
    { names: /^update$/, as: "a(b) = c" },
    { names: /^(?:map|flatMap|withFilter|foreach)$/, as: "for (a <- b)" },
    { names: /^unary_/, as: "!a" },
    { names: /_=$/, as: "a.b = c" },
    { names: /^[^\p{L}\p{N}_]+$/u, as: "a + b" },
  ],
  callsMakeValues: true,
  isExtension: (_, type) => /\bimplicit\b(?: \w+)* class\b/.test(type),
  infixCalls: true,
  bareCall: /^\s*[{"'[]|^ [\w:@"']/,
  isKey: (before, after) => /[(,]\s*$/.test(before) && /^\s*=(?![=>])/.test(after),
  isTypeAfter: (before) => /(?:\[|[\w)\]]:|\b(?:new|extends|with))[ \t]*$/.test(before),
  typeHints: {
    after: [/^\s*:\s*(?:\w+\.)*([A-Z]\w*)/, /^\s*=\s*(?:new\s+)?([A-Z]\w*)\s*(?:\[[^\]()]*\])?\(/],
    returns: /\)\s*:\s*(?:\w+\.)*(\w+)/,
  },
  query: `
(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @class
(trait_definition name: (_) @name body: (_)? @body) @trait
(enum_definition name: (_) @name body: (_) @body) @enum
(package_object name: (_) @name) @module
(simple_enum_case name: (_) @name) @const
(full_enum_case name: (_) @name) @const
(function_definition name: (_) @name body: (_) @body) @func
(function_declaration name: (_) @name) @func
(val_definition pattern: (identifier) @name) @const
(val_declaration name: (identifier) @name) @const
(val_definition pattern: (tuple_pattern (identifier) @name)) @const
(val_definition pattern: (case_class_pattern pattern: (identifier) @name)) @const
(var_definition pattern: (identifier) @name) @var
(var_definition pattern: (tuple_pattern (identifier) @name)) @var
(var_declaration name: (identifier) @name) @var
(type_definition name: (_) @name) @type
(given_definition name: (_) @name) @const
(class_parameter name: (_) @name) @field
(extension_definition . (parameters (parameter type: (_) @name))) @impl
(extension_definition . (type_parameters) . (parameters (parameter type: (_) @name))) @impl
(instance_expression [(type_identifier) (generic_type) (stable_type_identifier)] @super (template_body)) @anonymous
(instance_expression (compound_type (_) @super)) @anonymous
(infix_expression left: (instance_expression [(type_identifier) (generic_type) (stable_type_identifier)] @super) operator: (identifier) @with (#eq? @with "with")) @anonymous
(infix_expression left: (instance_expression) operator: (identifier) @with right: (call_expression function: (_) @super arguments: (block)) (#eq? @with "with"))
(extends_clause type: (_) @super)
(extends_clause (_) @super)
(parameter name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(case_clause pattern: (identifier) @local (#match? @local "^[a-z_]"))
${boundByCase()}
${boundByFor()}
(named_pattern (_) . (identifier) @local (#match? @local "^[a-z_]"))
(enumerator . (identifier) @local (#match? @local "^[a-z_]"))
(binding name: (identifier) @local)
(type_parameters name: (identifier) @local)
(parameter) @after
(enumerator . (_) @after . (_) @after)
[(covariant_type_parameter name: (identifier) @local) (contravariant_type_parameter name: (identifier) @local)]
[(class_definition) (trait_definition) (enum_definition) (type_definition)] @region
[(function_definition) (lambda_expression) (case_clause) (block)] @scope
(for_expression) @block
(compilation_unit (package_clause name: (_) @package))
(import_declaration) @import
[(comment) (block_comment) (string) (interpolated_string) (character_literal)] @quiet
(interpolation) @live
`,
  imports(statement) {
    const text = statement.replace(/^import\s+/, "").trim();
    const braces = /^(.*)\.\{(.*)\}$/s.exec(text);
    const module = braces?.[1] ?? text.slice(0, text.lastIndexOf("."));
    const items = (braces?.[2] ?? text.slice(text.lastIndexOf(".") + 1)).split(",");
    return items.flatMap((item): ImportClause[] => {
      const [name = "", alias] = item.trim().split(/\s*(?:=>|\bas\b)\s*/);
      if (name === "_" || name === "*") return [{ module, wildcard: true }];
      return name ? [{ module: `${module}.${name}`, names: [[name, alias ?? name]] }] : [];
    });
  },
};
