import type { Language } from "./language.ts";

/** `File.expand_path("../a", __FILE__)`, `File.join(__dir__, "a")`, `"#{__dir__}/a"`: a path from the folder of the file. */
function besideFile(statement: string): string | undefined {
  const [, expanded, from] =
    /File\.expand_path\(?\s*["']([^"'#]+)["']\s*,\s*(__dir__|__FILE__)/.exec(statement) ?? [];
  if (expanded !== undefined) return `./${from === "__FILE__" ? expanded.replace(/^\.\.\//, "") : expanded}`;
  const joined = /File\.join\(?\s*__dir__\s*,\s*["']([^"'#]+)["']\s*\)/.exec(statement)?.[1];
  const written = joined ?? /["']#\{__dir__\}\/([^"'#]+)["']/.exec(statement)?.[1];
  return written === undefined ? undefined : `./${written}`;
}

const isSymbol = /(?<![:\w]):["']?$|%[iI][[({<](?:[\w?!=]+\s+)*$/;

/** Calls on the object or class itself that take the name of a method as a symbol, and options that do. */
const namesOwnMethod =
  /(?:(?<![.\w])(?:self\.)?(?:(?:public_|__)?send_*|method|public_method|instance_method|respond_to\?|private|protected|public|(?:private|public)_class_method|private_constant|module_function|alias_method|(?:un|re)def_method|(?:remove|undef|define)_method|helper_method|validate|(?:before|after|around|skip)_\w+)|\b(?:if|unless):)[ (]+(?:(?:self, +)?:["']?[\w?!=]+["']?, *)*:["']?$/;

/** `&:name`, `:name`. */
function ofAnyReceiver(before: string): string | undefined {
  if (before.endsWith("&:")) return "unknown receiver";
  return isSymbol.test(before) && !namesOwnMethod.test(before) ? "a symbol" : undefined;
}

export const ruby: Language = {
  name: "Ruby",
  extensions: ["rb", "rake", "gemspec", "podspec", "ru", "jbuilder", "thor"],
  filenames: [
    "Rakefile",
    "Gemfile",
    "Guardfile",
    "Capfile",
    "Podfile",
    "Fastfile",
    "Brewfile",
    "Vagrantfile",
    "Thorfile",
    "Dangerfile",
    "Appraisals",
    ".irbrc",
    ".pryrc",
  ],
  interpreters: ["ruby", "jruby"],
  grammar: "ruby",
  separator: "::",
  importStyle: "load path",
  scoping: "everything",
  dynamic: true,
  callsNeedNoBrackets: true,
  implicitReceiver: true,
  innermostReceiver: true,
  mixins: true,
  bareSuper: true,
  kindBetween: (before) => (before.endsWith("@") ? "variable" : undefined),
  methodsStandIn: "any file",
  bareCall: /^\s*[{"'[]|^ [\w:@"']/,
  isKey: (_before, after) => /^:(?!:)(?![ \t]*[,)}\]])/.test(after),
  whyDoubtful(before, after) {
    if (/^:(?!:)/.test(after)) return "a key, too";
    return ofAnyReceiver(before);
  },
  ofAnyReceiver,
  newMakesValues: true,
  fieldPrefix: "@",
  memberOperators: ["::"],
  nameSigns: /^[?!](?!=)/,
  setters: true,
  capitalPaths: true,
  callsWithoutName: [
    {
      names: /^(?:\W+|initialize|call|coerce|method_missing|each|to_s|to_str)$/,
      as: "a + b, a[b], A.new, a.(b)",
    },
  ],
  typeHints: {
    after: [/^\s*(?:\|\|)?=\s*(?:[A-Z]\w*::)*(?!(?:Class|Module|Struct|Data)\b)([A-Z]\w*)\.new\b/],
  },
  query: `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(alias name: (_) @name) @method
(assignment left: (constant) @name) @const
(superclass (_) @super (#not-match? @super "\\.(new|define)\\b"))
(assignment left: (constant) @name right: (call receiver: (constant) @_class method: (identifier) @_new)
  (#match? @_class "^(Class|Struct|Data)$") (#any-of? @_new "new" "define")) @class
(assignment left: (constant) @name right: (call receiver: (constant) @_module method: (identifier) @_new) (#eq? @_module "Module") (#eq? @_new "new")) @module
(assignment left: (constant) right: (call receiver: (constant) @_class arguments: (argument_list . [(constant) (scope_resolution)] @super)) (#eq? @_class "Class"))
(call receiver: (constant) @_struct method: (identifier) @_new arguments: (argument_list (simple_symbol) @name @field)
  (#any-of? @_struct "Struct" "Data") (#any-of? @_new "new" "define"))
(call method: (identifier) @_define arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])
  (#any-of? @_define "define_method" "define_singleton_method" "alias_method")) @method
(call method: (identifier) @_mixin arguments: (argument_list [(constant) (scope_resolution)] @super) (#any-of? @_mixin "include" "extend" "prepend"))
(call method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name @field)
  (#any-of? @_attr "attr_reader" "attr_writer" "attr_accessor"))
(assignment left: (identifier) @local)
(method_parameters [(identifier) @local (optional_parameter name: (_) @local) (keyword_parameter name: (_) @local)
  (splat_parameter name: (_) @local) (hash_splat_parameter name: (_) @local) (block_parameter name: (_) @local)])
(block_parameters (identifier) @local)
(assignment) @after
[(method) (singleton_method) (block) (do_block) (lambda)] @scope
(call method: (identifier) @_require arguments: (argument_list (string)) (#any-of? @_require "require" "require_relative" "load" "autoload")) @import
(call method: (identifier) @_require arguments: (argument_list (call)) (#any-of? @_require "require" "load")) @import
["%w(" "%i("] @quiet
[(comment) (string_content) (heredoc_beginning) (heredoc_content) (heredoc_end) (escape_sequence) (uninterpreted)] @quiet
(symbol_array (bare_symbol) @live)
`,
  imports(statement) {
    const match = /^(require|require_relative|load|autoload)\b\s*\(?\s*(?::\w+\s*,\s*)?["']([^"']+)["']/.exec(
      statement,
    );
    const own = besideFile(statement);
    if (own !== undefined) return [{ module: own, wildcard: true }];
    if (!match?.[2]) return [];
    const module = match[1] === "require_relative" && !match[2].startsWith(".") ? `./${match[2]}` : match[2];
    return [{ module, wildcard: true }];
  },
};
