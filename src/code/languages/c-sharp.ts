import { oneBranch } from "./c-branches.ts";
import { isAttribute, isTypePlace } from "./c-sharp-places.ts";
import type { Language } from "./language.ts";

export const cSharp: Language = {
  name: "C#",
  extensions: ["cs"],
  grammar: "c_sharp",
  hasHugeLexer: true,
  separator: ".",
  importStyle: "name",
  importsNamespaces: true,
  scoping: "namespaced",
  implicitReceiver: true,
  implementsByParents: true,
  selfWords: new Set(["base"]),
  methodsStandIn: "any file",
  isKey: (before, after) => /[(,{]\s*$/.test(before) && /^\s*(?::(?!:)|=(?![=>]))/.test(after),
  // What is not static in a static class stood in an extension block.
  isExtension: (signature, type) =>
    /\(\s*this\s/.test(signature) || (/\bstatic\b.*\bclass\b/.test(type) && !/\bstatic\b/.test(signature)),
  prepare: withoutExtensionBlocks,
  importsForAll: "global",
  marks: { suffix: "Attribute", isAt: isAttribute },
  isTypePlace,
  memberOperators: ["::"],
  destructorSign: "~",
  callsWithoutName: [
    {
      names: /^(?:\W+|operator\b.*|this|Deconstruct|GetEnumerator|Dispose)$/,
      as: "a + b, a[b], var (a, b) = c, foreach, using",
    },
  ],
  typeHints: {
    after: [/^\s*=\s*(?:await\s+)?new\s+(?:\w+\.)*(\w+)/],
    before: [/(?:^|[\s(,;<])((?:\w+\.)*[A-Z]\w*)(?:<[^;(){}=]*>)?\??[ \t]+$/],
    returns: /([A-Z]\w*)(?:<[^()]*>)?\??\s+\w+\s*(?:<[^()]*>)?\(/,
  },
  oneBranch,
  wrappers: new Set(["Lazy", "Task", "ValueTask", "Nullable"]),
  query: `
(namespace_declaration name: (_) @name body: (_) @body) @module
(file_scoped_namespace_declaration name: (_) @package)
(class_declaration name: (_) @name body: (_)? @body) @class
(record_declaration name: (_) @name body: (_)? @body) @class
(struct_declaration name: (_) @name body: (_)? @body) @struct
(interface_declaration name: (_) @name body: (_)? @body) @interface
(enum_declaration name: (_) @name body: (_)? @body) @enum
(enum_member_declaration name: (_) @name) @const
(delegate_declaration name: (_) @name) @type
(record_declaration (parameter_list (parameter name: (identifier) @name) @field))
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_)? @body) @method
(destructor_declaration name: (_) @name body: (_)? @body) @method
(local_function_statement name: (_) @name body: (_)? @body) @func
(property_declaration name: (_) @name accessors: (_)? @body) @field
(event_declaration name: (_) @name) @field
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(base_list [(identifier) (generic_name) (qualified_name)] @super)
(base_list (primary_constructor_base_type (_) @super))
(local_declaration_statement (variable_declaration (variable_declarator name: (_) @local)))
(parameter name: (identifier) @local)
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(for_statement initializer: (variable_declaration (variable_declarator name: (_) @local)))
(using_statement (variable_declaration (variable_declarator name: (_) @local)))
[(declaration_pattern name: (identifier) @local) (declaration_expression name: (identifier) @local)]
(type_parameter name: (_) @local)
(foreach_statement left: (_) @after right: (_) @after)
[(method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression)] @scope
[(block) (for_statement) (foreach_statement) (catch_clause)] @block
(using_directive) @import
[(comment) (string_literal) (verbatim_string_literal) (raw_string_literal) (character_literal) (string_content)] @quiet
[(preproc_region) (preproc_endregion) (preproc_warning) (preproc_error)] @quiet
`,
  imports(statement) {
    const [, forAll, alias, module] =
      /(?:(global)\s+)?using\s+(?:static\s+|unsafe\s+)*(?:(\w+)\s*=\s*)?([\w.:]+)\s*(?:<[^;]*>)?\s*;/.exec(
        statement,
      ) ?? [];
    if (!module) return [];
    return [
      { module, ...(alias ? { whole: alias } : { wildcard: true }), ...(forAll && { reexport: true }) },
    ];
  },
};

const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** `extension(T value) { … }` is newer than the grammar: what it holds becomes that of the class around. */
function withoutExtensionBlocks(source: string): string {
  const heads = source.matchAll(
    /^[ \t]*extension[ \t]*(?:<[^<>;{}]*>)?[ \t]*\([^;{}()]*\)\s*(?:where\s[^;{}]*)?\{/gm,
  );
  let text = source;
  for (const { 0: head, index } of heads) {
    const end = endOfBlock(source, index + head.length);
    if (end === undefined) continue;
    text = `${text.slice(0, index)}${blank(head)}${text.slice(index + head.length, end)} ${text.slice(end + 1)}`;
  }
  return text;
}

/** Where the bracket stands that closes a block; those in comments and texts do not count. */
function endOfBlock(source: string, from: number): number | undefined {
  const sign = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}]/g;
  sign.lastIndex = from;
  let depth = 1;
  for (let found = sign.exec(source); found; found = sign.exec(source)) {
    if (found[0] === "{") depth++;
    else if (found[0] === "}" && --depth === 0) return found.index;
  }
  return undefined;
}
