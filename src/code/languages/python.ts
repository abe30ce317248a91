import { assignsSeveral } from "./assigned-names.ts";
import type { ImportClause, Language } from "./language.ts";

/** A text that is read as a type: `"list[Store]"`. */
const typeInText = "(string (string_content) @live)";
const holdsTypes = '(#not-any-of? @_generic "Literal" "Annotated")';

export const python: Language = {
  name: "Python",
  extensions: ["py", "pyi", "pyw"],
  filenames: ["SConstruct", "SConscript", "wscript"],
  interpreters: ["python", "pypy", "uv"],
  grammar: "python",
  separator: ".",
  importStyle: "python",
  scoping: "imported",
  dynamic: true,
  structural: true,
  headsAreOutside: true,
  importsArePassedOn: true,
  isKey: (before, after) => /[(,]\s*$/.test(before) && /^\s*=(?!=)/.test(after) && !assignsSeveral(before),
  fieldPrefix: "(?:self|cls)\\.",
  callsWithoutName: [{ names: /^__\w+__$/, as: "a + b, a[b], A(b), with a" }],
  typeHints: {
    notAfter: /\blambda\b[^:]*$/,
    after: [
      /^[ \t]*:[ \t]*["']?(?:\w+\.)*([A-Za-z_]\w*)/,
      /^\s*:?=\s*(?:await\s+)?(?:\w+\.)*([A-Z]\w*)\s*\(/,
    ],
    isOneOfSeveral: assignsSeveral,
    returns: /->\s*["']?(?:\w+\.)*([A-Za-z_]\w*)/,
  },
  wrappers: new Set(["type", "Type", "Optional", "Annotated", "Final", "ClassVar"]),
  query: `
(function_definition name: (_) @name body: (_) @body) @func
(class_definition name: (_) @name body: (_) @body) @class
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @super))
(assignment left: (attribute object: (_) @name attribute: (identifier) @_bases)
  right: (tuple [(identifier) (attribute)] @super) (#eq? @_bases "__bases__")) @impl
(assignment left: (identifier) @name @hoist) @var
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name) @field @member (#any-of? @_self "self" "cls"))
(type_alias_statement left: (type) @name) @type
(pattern_list [(identifier) @bind (list_splat_pattern (identifier) @bind)])
(tuple_pattern [(identifier) @bind (list_splat_pattern (identifier) @bind)])
(list_pattern [(identifier) @bind (list_splat_pattern (identifier) @bind)])
(named_expression name: (identifier) @bind)
(as_pattern_target (tuple (identifier) @bind))
(case_pattern [(dotted_name . (identifier) @bind .) (splat_pattern (identifier) @bind)])
(as_pattern (case_pattern) (identifier) @bind)
(keyword_pattern (identifier) (dotted_name . (identifier) @bind .))
(dict_pattern (splat_pattern (identifier) @bind))
(parameters [(identifier) @local (default_parameter name: (identifier) @local) (typed_parameter . (identifier) @local)
  (typed_default_parameter name: (identifier) @local) (list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(typed_parameter [(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(lambda_parameters [(identifier) @local (default_parameter name: (identifier) @local) (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)])
(for_statement left: (identifier) @bind)
(for_in_clause left: (identifier) @local)
[(global_statement (identifier) @outer) (nonlocal_statement (identifier) @outer)]
(as_pattern alias: (as_pattern_target (identifier) @local))
[(parameters) (lambda_parameters)] @after
[(function_definition) (lambda) (list_comprehension) (generator_expression) (dictionary_comprehension) (set_comprehension)] @scope
[(import_statement) (import_from_statement) (future_import_statement)] @import
(call function: [(identifier) @_load (attribute attribute: (identifier) @_load)] arguments: (argument_list . (string))
  (#match? @_load "^(import_module|__import__)$")) @import
[(comment) (string_content)] @quiet
[(typed_parameter type: (type ${typeInText})) (typed_default_parameter type: (type ${typeInText}))
  (function_definition return_type: (type ${typeInText})) (assignment type: (type ${typeInText})) (union_type (type ${typeInText}))]
(generic_type (identifier) @_generic (type_parameter (type ${typeInText})) ${holdsTypes})
(type (subscript value: (attribute attribute: (identifier) @_generic) subscript: ${typeInText}) ${holdsTypes})
(call function: [(identifier) @_cast (attribute attribute: (identifier) @_cast)] arguments: (argument_list . ${typeInText}) (#eq? @_cast "cast"))
(keyword_argument name: (identifier) @_bound value: ${typeInText} (#eq? @_bound "bound"))
`,
  imports(statement, before) {
    if (/^[\w.]+\s*\(/.test(statement)) return loadedModule(statement, before);
    const text = statement.replace(/#[^\n]*/g, "").replace(/[()\\\n]/g, " ");
    const from = /^from\s+(\S+)\s+import\s+(.*)$/s.exec(text);
    if (from?.[1] !== undefined) {
      if (from[2]?.trim() === "*") return [{ module: from[1], wildcard: true }];
      return [{ module: from[1], names: aliases(from[2] ?? "") }];
    }
    return aliases(text.replace(/^import\s+/, "")).map(
      ([module, alias]): ImportClause => ({ module, whole: alias }),
    );
  },
};

/** `x = importlib.import_module("a.b")`, `x = __import__("a")`: a module by a name that is written out. */
function loadedModule(statement: string, before: string): ImportClause[] {
  const call =
    /^([\w.]+)\s*\(\s*(["'])([\w.]+)\2\s*(?:,\s*(?:package\s*=\s*)?(?:(["'])([\w.]+)\4)?[^)]*)?\)$/.exec(
      statement,
    );
  if (!call?.[3]) return [];
  // With a package that is written out, a relative name is relative to that.
  const isRelative = call[3].startsWith(".") && call[5] !== undefined;
  const module = isRelative ? `${call[5]}${call[3]}` : call[3];
  const bound = /(?:^|[\s;(])([A-Za-z_]\w*)\s*(?::[^=]*)?:?=\s*$/.exec(before)?.[1];
  // `__import__("a.b")` gives `a`, unless it is told which names are wanted.
  const isTop = /__import__$/.test(call[1] ?? "") && module.includes(".") && !/,/.test(statement);
  return [{ module, ...(bound !== undefined && !isTop && { whole: bound }) }];
}

/** `a, b as c` */
function aliases(list: string): [string, string][] {
  return list
    .split(",")
    .map((item) => item.trim().split(/\s+as\s+/))
    .flatMap(([name, alias]): [string, string][] => (name ? [[name, alias ?? name]] : []));
}
