import type { ImportClause, Language, TypeHints } from "./language.ts";

const key = "[(property_identifier) (string)] @name";
const keys = `[(pair key: ${key}) @field (pair value: (object (pair key: ${key}) @field))]`;

/** The keys of an object that a constant of the file holds, and of the objects in it; `value` is the object as it is written. */
export const objectKeys = (value: (keys: string) => string) => `
(program (lexical_declaration kind: "const" (variable_declarator value: ${value(keys)})))
(program (export_statement (lexical_declaration kind: "const" (variable_declarator value: ${value(keys)}))))
`;

/** What JavaScript and TypeScript share. */
export const ecmaQuery = `
(function_declaration name: (_) @name body: (_) @body) @func
(generator_function_declaration name: (_) @name body: (_) @body) @func
(method_definition name: (_) @name body: (_) @body) @method
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @const)
(lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @var)
(variable_declaration (variable_declarator name: (identifier) @name @hoist) @var)
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @func
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(pair key: [(property_identifier) (string) (private_property_identifier)] @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @method
(assignment_expression left: (member_expression object: (_) @owner property: (_) @name) right: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @func
(assignment_expression left: (member_expression object: (_) @owner property: (_) @name) right: (class !name body: (_) @body)) @class
(assignment_expression left: (member_expression) right: (class name: (_) @name body: (_) @body)) @class
(assignment_expression left: (member_expression object: (identifier) @_module property: (_) @_exports)
  right: (function_expression name: (_) @name body: (_) @body) (#eq? @_module "module") (#eq? @_exports "exports")) @func
(program (expression_statement (assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)) @var)
  (#match? @owner "^(module\\.exports|exports|[A-Z][A-Za-z0-9_$]*)$") (#not-eq? @name "prototype"))
(assignment_expression left: (member_expression object: (_) @name property: (_) @_prototype)
  right: (new_expression constructor: (_) @super) (#eq? @_prototype "prototype")) @impl
(assignment_expression left: (member_expression object: (_) @name property: (_) @_prototype)
  right: (call_expression function: (member_expression property: (_) @_create)
    arguments: (arguments . (member_expression object: (_) @super)))
  (#eq? @_prototype "prototype") (#eq? @_create "create")) @impl
(call_expression function: [(identifier) @_inherits (member_expression property: (_) @_inherits)]
  arguments: (arguments . (_) @name . (_) @super) (#eq? @_inherits "inherits")) @impl
(call_expression function: (member_expression property: (_) @_set) arguments: (arguments
  . (member_expression object: (_) @name) . (member_expression object: (_) @super)) (#eq? @_set "setPrototypeOf")) @impl
[(parenthesized_expression (class !name) @anonymous) (return_statement (class !name) @anonymous)
 (arguments (class !name) @anonymous) (arrow_function body: (class !name) @anonymous)]
(object_pattern (shorthand_property_identifier_pattern) @bind)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind)
(pair_pattern value: (identifier) @bind)
(array_pattern (identifier) @bind)
(assignment_pattern left: (identifier) @bind)
(rest_pattern (identifier) @bind)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement kind: _ left: (identifier) @local)
(function_expression name: (identifier) @local)
[(function_declaration) (generator_function_declaration) (function_expression) (generator_function) (arrow_function)
 (method_definition) (class_static_block)] @scope
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body)] @block
(export_statement "default" value: (identifier) @default)
(export_statement "default" declaration: (_ name: (_) @default))
(assignment_expression left: (member_expression object: (identifier) @_module property: (_) @_exports)
  right: [(identifier) @default (class name: (_) @default) (function_expression name: (_) @default)] (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression left: (member_expression object: (identifier) @_module property: (_) @default)
  right: (class !name) (#eq? @_module "module") (#eq? @default "exports"))
(import_statement) @import
(export_statement source: (_)) @import
(export_statement !source (export_clause (export_specifier alias: (_)))) @import
(call_expression function: (identifier) @_require arguments: (arguments . (string)) (#eq? @_require "require")) @import
(call_expression function: (import) arguments: (arguments . (string))) @import
(call_expression function: (import) arguments: (arguments . (comment) . (string))) @import
(call_expression function: (import) arguments: (arguments . (template_string))) @import
(call_expression function: (identifier) @_require arguments: (arguments . (template_string)) (#eq? @_require "require")) @import
(call_expression function: (member_expression object: (identifier) @_of property: (_) @_load) arguments: (arguments . (string) @import)
  (#match? @_of "^(require|jest|vi|rstest|rewiremock|proxyquire)$")
  (#match? @_load "^(resolve|mock|doMock|unmock|doUnmock|dontMock|setMock|deepUnmock|unstable_mockModule|(require|import)(Actual|Mock)|createMockFromModule)$"))
(call_expression function: (member_expression object: (meta_property) property: (_) @_load) arguments: (arguments . (string) @import)
  (#eq? @_load "resolve"))
(new_expression constructor: (identifier) @_url arguments: (arguments . (string) @import . (member_expression object: (meta_property)))
  (#eq? @_url "URL"))
${objectKeys((inner) => `(object ${inner})`)}
[(comment) (string) (regex)] @quiet
(template_string [(string_fragment) (escape_sequence)] @quiet)
(hash_bang_line) @quiet
`;

export const ecmaTypeHints: TypeHints = {
  after: [
    /^\s*[?!]?\s*:\s*(?:readonly\s+|["'])?(?:import\(\s*["'][^"'\n]*["']\s*\)\.)?(?:[\w$]+\.)*([\p{L}_$][\p{L}\p{N}_$]*)/u,
    /^\s*=\s*(?:await\s+)?new\s+(?:[\w$]+\.)*([\p{L}_$][\p{L}\p{N}_$]*)/u,
  ],
  computed: new Set(
    "InstanceType ReturnType Parameters ConstructorParameters Extract Exclude Omit Pick Record".split(" "),
  ),
  returns: /\)\s*:\s*(?:[\w$]+\.)*([\p{L}_$][\p{L}\p{N}_$]*)/u,
};

/** `const { name } = await load()` */
export const ecmaAwaitedPart = (after: string) => /^[^{}]*\}\s*=\s*await\b/.test(after);

export const javascript: Language = {
  name: "JavaScript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  interpreters: ["node", "nodejs"],
  grammar: "javascript",
  separator: ".",
  importStyle: "path",
  family: "script",
  scoping: "imported",
  shorthandKeys: true,
  dynamic: true,
  structural: true,
  privateSign: "#",
  objectMethods: true,
  hasTags: true,
  isKey: ecmaKey,
  isKeyword: ecmaKeyword,
  isAwaitedPart: ecmaAwaitedPart,
  typeHints: ecmaTypeHints,
  imports: ecmaImports,
  query: `${ecmaQuery}
(class_declaration name: (_) @name body: (_) @body) @class
(class_heritage (_) @super)
(class_heritage (call_expression arguments: (arguments (identifier) @super)))
(class_heritage (call_expression arguments: (arguments (call_expression arguments: (arguments (identifier) @super)))))
(field_definition value: (class !name) @anonymous)
(field_definition property: (_) @name) @field
(formal_parameters (identifier) @local)
(jsx_text) @quiet
`,
};

/** A key of an object, a type or a pattern. */
export function ecmaKey(before: string, after: string): boolean {
  // Members of a type need no sign between them where each has a line.
  return /[{,;]\s*$|[\w>\])}'"`][ \t]*\r?\n\s*$/.test(before) && /^\s*\??:/.test(after);
}

/** `get size() {}`, `static async run() {}`: the word before a member's name. */
export function ecmaKeyword(name: string, line: string, after: string): boolean {
  return (
    /^(?:get|set|static|async)$/.test(name) &&
    /^[\s{,]*(?:(?:static|async|public|private|protected|export|override)\s+)*$/.test(line) &&
    /^[ \t]+(?:\*\s*)?(?:[\w$#]+\s*[(<]|\[|["'])/.test(after)
  );
}

/** Static imports, re-exports, `require("m")` and `import("m")`. */
export function ecmaImports(statement: string, before: string, after = ""): ImportClause[] {
  const module =
    /(["'`])((?:\\.|(?!\1)[^\\\n])*)\1\s*(?:\)|;|with\b|assert\b|$|(?<=^(?:require|import)\s*\([^{}]*),)/.exec(
      statement,
    )?.[2];
  if (module === undefined) return exportedNames(statement);
  // Only running the program tells what stands for a value in the path.
  if (module.includes("${")) return [];
  const clause: ImportClause = { module };
  if (/^(?:require|import)\s*\(/.test(statement)) {
    const bound = /(?:const|let|var)\s+(?:\{([^}]*)\}|([\w$]+))\s*(?::[^=;]*)?=\s*(?:await\s*)?$/.exec(
      before,
    );
    if (bound?.[1]) clause.names = bindings(bound[1], /\s*:\s*/);
    if (bound?.[2]) clause.whole = bound[2];
    const isCall = /^\s*[.([]/.test(after);
    if (/\bmodule\.exports\s*=\s*$/.test(before) && !isCall)
      return [{ module, names: [["default", "default"]], wildcard: true, reexport: true }];
    // `module.exports = { ...require("./a"), ...require("./b") }`
    if (/(?:\bexports\b.*|^\s*)\.\.\.\s*$/.test(before) && !isCall)
      return [{ module, wildcard: true, reexport: true }];
    return [clause];
  }
  const head = statement.slice(0, statement.lastIndexOf(module));
  if (/^export\b/.test(head)) clause.reexport = true;
  const equals = /^import\s+(?:type\s+)?([\w$]+)\s*=\s*require/.exec(head);
  if (equals?.[1]) return [{ module, whole: equals[1] }];
  const names = bindings(/\{([^}]*)\}/.exec(head)?.[1] ?? "", /\s+as\s+/);
  const outside = head.replace(/\{[^}]*\}/, "").replace(/^(?:import|export)\s+(?:type\s+(?!from|,))?/, "");
  const whole = /\*\s*as\s+([\w$]+)/.exec(outside)?.[1];
  if (whole) clause.whole = whole;
  else if (/\*/.test(outside)) clause.wildcard = true;
  const standard = /^\s*([\w$]+)\s*(?:,|from\b)/.exec(outside)?.[1];
  if (standard && standard !== "from") names.push(["default", standard]);
  if (names.length > 0) clause.names = names;
  return [clause];
}

/** `export { a as b }`: what the file itself declares, under another name. */
function exportedNames(statement: string): ImportClause[] {
  const list = /^export\s*(?:type\s*)?\{([^}]*)\}/.exec(statement)?.[1];
  const names = bindings(list ?? "", /\s+as\s+/).filter(([name, alias]) => name !== alias);
  return names.length > 0 ? [{ module: "", names, reexport: true }] : [];
}

/** The names between the braces of an import or a destructuring, comments and `type` left out. */
function bindings(list: string, renames: RegExp): [string, string][] {
  return list
    .replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "")
    .split(",")
    .map((item) =>
      item
        .trim()
        .replace(/^type\s+(?!as\b)/, "")
        .split(renames),
    )
    .flatMap(([name, alias]): [string, string][] => (name ? [[name, alias ?? name]] : []));
}
