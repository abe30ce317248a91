import { cKeywords, cQuery, includes, isDeclarator, isGotoLabel } from "./c.ts";
import { oneBranch } from "./c-branches.ts";
import { withoutAttributeMacros } from "./c-macros.ts";
import type { Language } from "./language.ts";

export const cpp: Language = {
  name: "C++",
  extensions: ["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp"],
  grammar: "cpp",
  hasHugeLexer: true,
  separator: "::",
  importStyle: "include",
  family: "c",
  scoping: "included",
  bareEnumerators: true,
  typesStandOutOfLine: true,
  aliasesAreTypes: true,
  typesBeforePath: true,
  overloads: true,
  implicitReceiver: true,
  methodsStandIn: "any file",
  isLabel: isGotoLabel,
  isDeclarator,
  isTypeAfter: (before) => /\b(?:struct|union|enum|class)\s+$/.test(before),
  destructorSign: "~",
  memberOperators: ["->", "::"],
  resultArrow: true,
  callsWithoutName: [{ names: /^operator\b/, as: "a + b, a(b), a[b]" }],
  typeHints: {
    declarators: true,
    after: [
      /^\s*=\s*(?:new\s+|(?:\w+::)*make_(?:unique|shared)\s*<\s*)(?:\w+::)*(\w+)/,
      /^\s*=\s*(?:\w+_cast|(?:\w+::)*\w+_pointer_cast)\s*<\s*(?:const\s+)?(?:\w+::)*(\w+)[\s*&]*>\s*\(/,
    ],
    returns:
      /^(?:(?:static|inline|virtual|constexpr|explicit|friend|const)\s+)*(?:\w+::)*(\w+)(?:<[^()]*>)?[\s*&]+(?:\w+::)*~?\w+\s*\(/,
  },
  wrappers: new Set(
    "unique_ptr shared_ptr weak_ptr optional reference_wrapper atomic scoped_ptr intrusive_ptr QPointer QScopedPointer QSharedPointer QWeakPointer QSharedDataPointer QExplicitlySharedDataPointer".split(
      " ",
    ),
  ),
  pointerName: /^(\w+?)_?(?:Shared|Unique|Weak)?(?:[Pp]tr|Ref)$/,
  imports: includes,
  prepare: (source) => withoutAttributeMacros(withoutUnknownSyntax(source), true),
  oneBranch,
  keywords: cKeywords,
  query: `${cQuery}
(class_specifier name: (_) @name body: (_) @body) @class
(namespace_definition name: (_) @name body: (_) @body) @module
(namespace_alias_definition name: (_) @name) @module
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @type
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @super)
(function_definition declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)) @func
(function_definition declarator: (_ (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))) @func
(function_definition declarator: (_ (_ (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)))) @func
(function_definition declarator: [(operator_cast) (qualified_identifier)] @name) @func
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @name)) @func
(function_definition declarator: (_ (function_declarator declarator: (qualified_identifier) @name))) @func
(function_definition declarator: (_ (_ (function_declarator declarator: (qualified_identifier) @name)))) @func
(function_definition declarator: (_ (function_declarator declarator: (identifier) @name))) @func
(function_definition declarator: (function_declarator declarator: (template_function name: (_) @name))) @func
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @field
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)) @method
(field_declaration declarator: (_ (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))) @method
(declaration declarator: (function_declarator declarator: (destructor_name) @name)) @method
(declaration declarator: (_ (function_declarator declarator: [(identifier) (operator_name)] @name))) @func
(declaration declarator: (function_declarator declarator: (operator_name) @name)) @func
(optional_parameter_declaration declarator: (identifier) @local)
(optional_parameter_declaration declarator: (_ (identifier) @local))
(parameter_declaration declarator: (reference_declarator (identifier) @local))
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @name))) @var
(for_range_loop declarator: (reference_declarator (identifier) @local))
(for_range_loop declarator: (pointer_declarator declarator: (identifier) @local))
(structured_binding_declarator (identifier) @bind)
[(type_parameter_declaration (type_identifier) @local) (variadic_type_parameter_declaration (type_identifier) @local)]
(optional_type_parameter_declaration name: (type_identifier) @local)
(for_range_loop declarator: (identifier) @local)
(optional_parameter_declaration declarator: (_) @after)
(for_range_loop declarator: (_) @after right: (_) @after)
(lambda_expression) @scope
(template_declaration) @region
[(for_range_loop) (catch_clause)] @block
(raw_string_literal) @quiet
`,
};

/**
 * What the grammar takes for something else: `emit name();` for a declaration, `constexpr Point<T>::operator` for a type, and the type behind `enum` for its name
 * where a condition stands between them.
 */
function withoutUnknownSyntax(source: string): string {
  return source
    .replace(/\bMOCK_(?:CONST_)?METHOD\d*(?:_T)?\s*\([^;{}]*\)\s*(?=;)/g, asMethod)
    .replace(/(?<=^[ \t]*)(?:emit|Q_EMIT)(?=[ \t]+[A-Za-z_])/gm, blank)
    .replace(/\b(?:constexpr|inline)(?=\s+(?:\w+(?:<[^<>;{}()]*>)?::)+operator\s+\w)/g, blank)
    .replace(/(?<=\benum\s*\n)[ \t]*#[ \t]*if.*\n[ \t]*:.*\n[ \t]*#[ \t]*endif.*(?=\s*\{)/g, blank);
}

/** `MOCK_METHOD(int, step, (int), (override))`, `MOCK_METHOD0(step, int())`: a method of that name; what it takes is not told. */
function asMethod(call: string): string {
  const name =
    /^(?:MOCK_METHOD\s*\(\s*(?:\([^()]*\)|[^(),]*(?:<[^()]*>)?[^(),]*),\s*|MOCK_\w*METHOD\d\w*\s*\(\s*)([A-Za-z_]\w*)\s*,/s.exec(
      call,
    );
  if (!name?.[1]) return call;
  const at = name[0].lastIndexOf(name[1]);
  const end = at + name[1].length;
  return `void${blank(call.slice(4, at))}${name[1]}()${blank(call.slice(end + 2))}`;
}

const blank = (text: string) => text.replace(/[^\n]/g, " ");
