import type { Language } from "./language.ts";

export const swift: Language = {
  name: "Swift",
  extensions: ["swift"],
  grammar: "swift",
  hasHugeLexer: true,
  separator: ".",
  importStyle: "name",
  scoping: "everything",
  implicitReceiver: true,
  callsMakeValues: true,
  typesStandInExtensions: true,
  aliasesAreTypes: true,
  methodsStandIn: "any file",
  bareCall: /^\s*[{]/,
  isKey: (before, after) => /[(,]\s*$/.test(before) && /^\s*:/.test(after),
  bindsItself: (before, after) =>
    /(?:\b(?:if|guard|while)|,)\s+(?:let|var)\s+$/.test(before) && /^\s*(?:[{,]|else\b)/.test(after),
  callsWithoutName: [{ names: /^(?:\W+|callAsFunction|subscript)$/, as: "a + b, a(b), a[b]" }],
  typeHints: {
    after: [
      /^\s*:\s*(?:inout\s+)?(?:any\s+|some\s+)?(?:\w+\.)*([A-Z]\w*)/,
      /^\s*=\s*(?:try[?!]?\s+)?(?:await\s+)?([A-Z]\w*)\s*(?:<[^()]*>)?\(/,
      /^\s*=\s*[\w.?!()[\]]+\s+as[?!]?\s+(?:\w+\.)*([A-Z]\w*)(?=[ \t]*(?:[{,;\n]|else\b|$))/,
    ],
    // Behind the parameters: a closure among them has a result of its own.
    returns:
      /\bfunc\s+[^\s(<]+\s*(?:<[^()]*>)?\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*(?:(?:async|throws|rethrows)\b\s*)*->\s*(?:any\s+|some\s+)?(?:\w+\.)*(\w+)/,
  },
  wrappers: new Set(["Optional", "Binding", "Published", "State"]),
  prepare: withoutUnknownSyntax,
  query: `
(class_declaration declaration_kind: "class" name: (_) @name body: (_) @body) @class
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body) @class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @enum
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @impl
(protocol_declaration name: (_) @name body: (_) @body) @interface
(function_declaration "func" . [(simple_identifier) (custom_operator) "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%"] @name body: (_)? @body) @func
(protocol_function_declaration "func" . [(simple_identifier) (custom_operator) "==" "!=" "<" ">" "<=" ">=" "+" "-" "*" "/" "%"] @name) @method
(init_declaration "init" @name body: (_)? @body) @method
(deinit_declaration "deinit" @name body: (_)? @body) @method
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @var
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type
(enum_entry name: (simple_identifier) @name) @const
(inheritance_specifier (_) @super)
(type_parameter . (type_identifier) @local)
(parameter name: (simple_identifier) @local)
(lambda_parameter (simple_identifier) @local)
(for_statement (pattern bound_identifier: (simple_identifier) @local))
(for_statement (pattern (pattern bound_identifier: (simple_identifier) @local)))
(if_statement bound_identifier: (simple_identifier) @local (statements) @until)
(if_statement (pattern bound_identifier: (simple_identifier) @local) (statements) @until)
[(guard_statement bound_identifier: (simple_identifier) @local) (while_statement bound_identifier: (simple_identifier) @local)]
[(guard_statement (pattern bound_identifier: (simple_identifier) @local)) (while_statement (pattern bound_identifier: (simple_identifier) @local))]
(switch_pattern (pattern bound_identifier: (simple_identifier) @local))
(switch_pattern (pattern (pattern bound_identifier: (simple_identifier) @local)))
(switch_pattern (pattern (pattern (pattern bound_identifier: (simple_identifier) @local))))
(switch_pattern (pattern (value_binding_pattern) (pattern . (simple_identifier) @local .)))
(catch_block (pattern bound_identifier: (simple_identifier) @local))
(catch_block (pattern (pattern bound_identifier: (simple_identifier) @local)))
(if_statement bound_identifier: (simple_identifier) @after . "=" . (_) @after)
(if_statement bound_identifier: (simple_identifier) @after . ["{" ","])
(guard_statement bound_identifier: (simple_identifier) @after . "=" . (_) @after)
(guard_statement bound_identifier: (simple_identifier) @after . [(else) ","])
(while_statement bound_identifier: (simple_identifier) @after . "=" . (_) @after)
(while_statement bound_identifier: (simple_identifier) @after . ["{" ","])
(property_declaration) @after
(for_statement item: (_) @after collection: (_) @after)
[(function_declaration) (init_declaration) (lambda_literal) (computed_property)] @scope
[(for_statement) (if_statement) (while_statement) (switch_entry) (catch_block)] @block
(guard_statement (statements) @block)
[(class_declaration) (typealias_declaration)] @region
(import_declaration) @import
[(comment) (multiline_comment) (line_str_text) (multi_line_str_text)] @quiet
`,
  imports(statement) {
    const module = /import\s+(?:(?:class|struct|enum|protocol|func|var|let|typealias)\s+)?([\w.]+)/.exec(
      statement,
    )?.[1];
    return module ? [{ module, wildcard: true }] : [];
  },
};

const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** `\#(name)` in a raw text is what `\(name)` is in others. */
const rawText = (text: string) =>
  text.replace(/\\#+\(((?:[^()]|\([^()]*\))*)\)|[^\n]/g, (part, value?: string) =>
    value === undefined ? " " : `\\(${value})`.padStart(part.length),
  );

const textOrComment = /\/\/.*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"/g;

/** The grammar takes `/*` for a comment at the beginning of a text and behind a value in it: `"/*"`, `"\(name)/*"`. */
function withoutCommentsInTexts(source: string): string {
  if (!/[")]\/\*/.test(source)) return source;
  return source.replace(textOrComment, (part) => (part[0] === '"' ? part.replaceAll("/*", "__") : part));
}

/**
 * What the grammar does not know. It misreads nearly everything that begins with `#`: directives go, `#available(…)` holds,
 * macros are functions, raw texts lose their content. `()` as a value or behind an attribute, `throws(E)`, `consume x` and
 * `sending T` are newer than the grammar.
 */
function withoutUnknownSyntax(source: string): string {
  return (
    withoutCommentsInTexts(source)
      .replace(
        /(#+)("""|")(.*?)\2\1/gs,
        (_, signs: string, quote: string, text: string) =>
          `${blank(signs)}${quote}${rawText(text)}${quote}${blank(signs)}`,
      )
      .replace(/^[ \t]*#(?:if|elseif|else|endif|error|warning|sourceLocation)\b.*$/gm, blank)
      .replace(/#(?:un)?available\s*\([^()]*\)/g, (text) => "true".padEnd(text.length))
      .replace(/#(?=[A-Za-z_])/g, "_")
      .replace(/(?<=@\w+)\(\)/g, blank)
      .replace(/(?<=(?:[(,:=]|\breturn)\s*)\(\)(?!\s*(?:async\b|throws\b|rethrows\b|->))/g, "Vo")
      .replace(/(?<=\bthrows)\s*\([\w.]+\)/g, blank)
      .replace(/(?<=\bnonisolated|\bunowned)\((?:un)?safe\)/g, blank)
      .replace(/(?<=[=(,]\s*|\breturn\s+)\b(?:consume|copy)(?=[ \t]+[A-Za-z_]\w*\b(?!\s*:))/g, blank)
      .replace(/(?<=:\s*)(?:sending|borrowing|consuming)(?=[ \t]+[@A-Z([])/g, blank)
      // An operator at the beginning of a line joins it to the one before.
      .replace(/\n([ \t]*)<(?=[ \t]+\w)/g, (_, indent: string) => ` ${indent}<`)
  );
}
