import { methodsOfProperties } from "./jvm-names.ts";
import type { Language } from "./language.ts";

/** An override of an operator is one without saying so. */
const operator = /\b(?:operator|override)\b/;

export const kotlin: Language = {
  name: "Kotlin",
  extensions: ["kt", "kts"],
  grammar: "kotlin",
  hasHugeLexer: true,
  separator: ".",
  importStyle: "java",
  family: "jvm",
  elsewhere: methodsOfProperties,
  scoping: "imported",
  importsStayInFile: true,
  privateIsOfFile: true,
  valueSign: "$",
  packageIs: "declared",
  classOfFile: (path) =>
    (/([^/]*)\.\w+$/.exec(path)?.[1] ?? "").replace(/^./, (first) => first.toUpperCase()).concat("Kt"),
  classInFile: /^\s*@file\s*:\s*(?:\[[^\]]*)?JvmName\s*\(\s*"(\w+)"/m,
  implicitReceiver: true,
  implementsByParents: true,
  lambdasImplement: /\bfun\s+interface\s+$/,
  callsWithoutName: [
    { names: /^(?:plus|minus|times|div|rem|mod)(?:Assign)?$/, signed: operator, as: "a + b" },
    { names: /^(?:unaryPlus|unaryMinus|not|inc|dec)$/, signed: operator, as: "!a, a++" },
    { names: /^(?:get|set)$/, signed: operator, as: "a[b]" },
    { names: /^invoke$/, signed: operator, as: "a(b)" },
    { names: /^component\d+$/, signed: operator, as: "val (a, b) = c" },
    { names: /^contains$/, signed: operator, as: "a in b" },
    { names: /^(?:iterator|next|hasNext)$/, signed: operator, as: "for (a in b)" },
    { names: /^(?:compareTo|equals)$/, signed: operator, as: "a < b, a == b" },
    { names: /^range(?:To|Until)$/, signed: operator, as: "a..b" },
    { names: /^(?:getValue|setValue|provideDelegate)$/, signed: operator, as: "val a by b" },
  ],
  callsMakeValues: true,
  blocksHaveReceivers: true,
  methodsStandIn: "any file",
  infixCalls: true,
  bareCall: /^\s*[{]/,
  isKey: (before, after) => /[(,]\s*$/.test(before) && /^\s*=(?!=)/.test(after),
  memberOperators: ["::"],
  capitalPaths: true,
  typeHints: {
    after: [/^\s*:\s*(?:\w+\.)*([A-Z]\w*)/, /^\s*=\s*([A-Z]\w*)\s*(?:<[^()]*>)?\(/],
    returns: /\)\s*:\s*(?:\w+\.)*(\w+)/,
  },
  prepare: withoutUnknownSyntax,
  query: `
(function_declaration (user_type) @owner . (simple_identifier) @name (function_body)? @body) @func
(function_declaration (nullable_type (user_type) @owner) . (simple_identifier) @name (function_body)? @body) @func
(property_declaration (user_type) @owner . (variable_declaration (simple_identifier) @name)) @var
(property_declaration (nullable_type (user_type) @owner) . (variable_declaration (simple_identifier) @name)) @var
(class_declaration "class" (type_identifier) @name [(class_body) (enum_class_body)]? @body) @class
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @interface
(class_declaration "enum" "class" (type_identifier) @name (enum_class_body)? @body) @enum
(object_declaration (type_identifier) @name (class_body)? @body) @class
(companion_object (type_identifier) @name (class_body)? @body) @class
(function_declaration (simple_identifier) @name (function_body)? @body) @func
(property_declaration (variable_declaration (simple_identifier) @name)) @var
(class_parameter (binding_pattern_kind) . (simple_identifier) @name) @field
(enum_entry (simple_identifier) @name) @const
(type_alias (type_identifier) @name) @type
(object_literal) @anonymous
(delegation_specifier [(user_type) (constructor_invocation)] @super)
(explicit_delegation (user_type) @super)
(parameter (simple_identifier) @local)
(lambda_parameters (variable_declaration (simple_identifier) @local))
(for_statement (variable_declaration (simple_identifier) @local))
(multi_variable_declaration (variable_declaration (simple_identifier) @local))
(catch_block (simple_identifier) @local)
(type_parameter (type_identifier) @local)
(property_declaration) @after
(parameter (simple_identifier) @after)
(for_statement [(variable_declaration) (multi_variable_declaration)] @after . "in" . (_) @after)
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

const blank = (text: string) => " ".repeat(text.length);
const onOneLine = (text: string) => text.replaceAll(/[\r\n]/g, " ");

/** Words that are modifiers before a declaration, and names anywhere else. */
const modifier =
  /(?<!\b(?:val|var|fun|class|object)\s+|[@`.\w])(?!suspend[ \t]+\()(?:annotation|open|enum|sealed|abstract|final|const|external|infix|inline|internal|lateinit|operator|override|private|public|protected|suspend|tailrec)(?=[ \t]*(?:=(?!=)|\??\.(?!\.)|[,)(]))/g;

/**
 * What the grammar does not know: `fun interface`, binary numbers, a modifier's word as a name, a constructor on a line of its
 * own behind the class's name, `in` at the beginning of a line of `when`, a name such as `in1` and `as` at the beginning of a line, `f(x).y = z`, and
 * functions with a nested type as their receiver.
 */
function withoutUnknownSyntax(source: string): string {
  return source
    .replace(/\bfun(?=\s+interface\b)/g, blank)
    .replace(/\b0[bB][01_]+/g, (digits) => "1".repeat(digits.length))
    .replace(modifier, (word) => "_".repeat(word.length))
    .replace(
      /(\bclass\s+\w+(?:\s*<[^(){}]*>)?)((?:\s+(?:@[\w.:]+(?:\([^()]*\))?|private|internal|protected|public))*\s+)(?=constructor\b)/g,
      (_, head: string, modifiers: string) => onOneLine(head) + onOneLine(modifiers),
    )
    .replace(/(?<=^[ \t]*)!?in(?=[ \t]+[^\n]*->)/gm, blank)
    .replace(/(?<=^[ \t]*)i(?=n\d)/gm, "_")
    .replace(/\r?\n(?=[ \t]*as\??[ \t]+[A-Z(])/g, onOneLine)
    .replace(/(?<=\)(?:\s*\??\.\w+)+[ \t]*)=(?!=)/g, "+")
    .replace(/(?<=[:,(<]\s*)(?:[A-Z]\w*\.)+(?=[A-Z]\w*(?:<[^<>]*>)?\.\()/g, blank);
}
