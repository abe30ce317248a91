import { knownInterfaces, knownMethods } from "./go-methods.ts";
import { sameSignature } from "./go-signatures.ts";
import type { ImportClause, Language } from "./language.ts";

export const go: Language = {
  name: "Go",
  embedsTypes: true,
  extensions: ["go"],
  grammar: "go",
  separator: ".",
  importStyle: "go",
  scoping: "imported",
  importsStayInFile: true,
  packageIs: "folder",
  knownMethods,
  knownInterfaces,
  sameSignature,
  structural: true,
  methodsStandIn: "folder",
  isKey: (before, after) => /[{,]\s*$/.test(before) && /^\s*:(?!=)/.test(after),
  keysAreExpressions: true,
  membersBehindDot: true,
  typeHints: {
    after: [
      /^\s*:?=\s*&?(?:\w+\.)?([A-Za-z_]\w*)\s*(?:\[[^\]]*\])?\{/,
      /^(?:\s*,\s*\w+)?\s*:?=\s*[\w.]+\.\(\*?(?:\w+\.)?(?!type\))(\w+)\)/,
      /^\s*:?=\s*new\((?:\w+\.)?(\w+)\)/,
      /^(?:\s*,\s*\w+)*[ \t]+(?:\.\.\.)?[*]?(?:\w+\.)?([A-Za-z_]\w*)/,
    ],
    // Behind the parameters: those of a method stand behind its receiver.
    returns:
      /^(?:func\s+(?:\([^()]*\)\s*)?)?\w+(?:\[[^[\]()]*\])?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*\(?(?:\w+\s+)?\*?(?:\w+\.)?([A-Za-z_]\w*)/,
  },
  makerName: /^New(?:\p{Lu}\w*)?$/u,
  query: `
(function_declaration name: (_) @name body: (_)? @body) @func
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (_) @name body: (_)? @body) @method
(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @struct
(type_spec name: (_) @name type: (interface_type . "interface" . "{" @body)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name type: (interface_type . "interface" . "{" @body)) @interface
(type_alias name: (_) @name) @type
(method_elem name: (_) @name) @method
(field_declaration name: (field_identifier) @name) @field
(field_declaration !name type: (_) @super)
(interface_type (type_elem . [(type_identifier) (qualified_type)] @super .))
(const_spec name: (identifier) @name) @const
(var_spec name: (identifier) @name) @var
(short_var_declaration left: (expression_list (identifier) @local))
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local) ":=")
(type_switch_statement alias: (expression_list (identifier) @local))
(type_parameter_declaration name: (identifier) @local)
[(short_var_declaration) (var_spec) (const_spec) (range_clause) (receive_statement)] @after
[(parameter_declaration) (variadic_parameter_declaration)] @after
(type_switch_statement alias: (_) @after value: (_) @after)
[(function_declaration) (method_declaration) (func_literal)] @scope
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (expression_case) (communication_case)] @block
(package_clause (package_identifier) @package)
(import_declaration) @import
[(comment) (interpreted_string_literal) (raw_string_literal) (rune_literal)] @quiet
`,
  imports(statement) {
    const found: ImportClause[] = [];
    for (const [, alias, module = ""] of statement.matchAll(/(?:([\w.]+)[ \t]+)?["`]([^"`]+)["`]/g)) {
      if (alias === ".") found.push({ module, wildcard: true });
      else if (alias === "_") found.push({ module });
      else found.push({ module, whole: alias && alias !== "import" ? alias : packageName(module) });
    }
    return found;
  },
};

/** The usual name of a package: the last part of its path, without a version. */
function packageName(module: string): string {
  const parts = module.split("/");
  const last = parts.at(-1) ?? module;
  const name = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last;
  return name
    .replace(/\.v\d+$/, "")
    .replace(/^go-|-go$/g, "")
    .replaceAll("-", "_");
}
