import type { ImportClause, Language } from "./language.ts";

/** Words that are names behind `r#`. */
const rawWords =
  /^(?:as|async|await|become|box|break|const|continue|do|dyn|else|enum|extern|final|fn|for|if|impl|in|let|loop|macro|match|mod|move|mut|override|priv|pub|ref|return|static|struct|trait|try|type|typeof|unsafe|unsized|use|virtual|where|while|yield)$/;
/** The module behind an attribute: `#[path = "other.rs"] mod name;`. */
const attributed = /^(?:\s*#\[[^\]]*\])*\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/;
const pathRoots = new Set(["crate", "self", "super"]);

export const rust: Language = {
  name: "Rust",
  typesBeforePath: true,
  extensions: ["rs"],
  grammar: "rust",
  separator: "::",
  importStyle: "rust",
  scoping: "imported",
  shorthandKeys: true,
  widthSign: "$",
  membersBehindDot: true,
  methodsStandIn: "any file",
  // `Type { name: value }`; `Trait<Name = Type>`, `format!("{name}", name = value)`.
  isKey: (before, after) =>
    (/[{,]\s*$/.test(before) && /^\s*:(?!:)/.test(after)) ||
    (/[<,]\s*$/.test(before) && /^\s*=(?![=>])/.test(after)),
  isKeyword: (name, line) => rawWords.test(name) && !line.endsWith("r#"),
  rawSign: "r#",
  memberOperators: ["::"],
  prelude: new Set(
    "Option Some None Result Ok Err Vec String Box Iterator IntoIterator DoubleEndedIterator ExactSizeIterator Extend FromIterator Default Clone Copy Send Sync Sized Drop Fn FnMut FnOnce From Into TryFrom TryInto AsRef AsMut ToOwned ToString PartialEq Eq PartialOrd Ord Debug Hash Self".split(
      " ",
    ),
  ),
  modules: { roots: pathRoots, isFileOf: isModuleFile },
  callsWithoutName: [
    {
      names:
        /^(?:(?:add|sub|mul|div|rem|bitand|bitor|bitxor|shl|shr)(?:_assign)?|neg|not|index(?:_mut)?|deref(?:_mut)?|eq|ne|lt|le|gt|ge|partial_cmp)$/,
      signed: /\(\s*(?:&\s*)?(?:mut\s+)?self\b/,
      as: "a + b, a[b], *a",
    },
    { names: /^drop$/, signed: /\(\s*&mut self\s*\)/, as: "the end of a scope" },
  ],
  typeHints: {
    after: [
      /^\s*:\s*&?\s*(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+|impl\s+)?(?:\w+::)*(\w+)/,
      /^\s*=\s*(?:(?:Arc|Rc|Box|Mutex|RwLock|RefCell|Cell|Pin)::new\()*(?:\w+::)*([A-Z]\w*)(?:::<[^()]*>)?\s*(?:\{|::(?:new|default|from|with_\w+)\b)/,
    ],
    // Behind the parameters: a closure among them has a result of its own, `fn map<F: Fn() -> A>(f: F) -> B`.
    returns:
      /\bfn\s+\w+\s*(?:<(?:[^<>]|->|<(?:[^<>]|->|<[^<>]*>)*>)*>)?\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*->\s*(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)?(?:impl\s+|dyn\s+)?(?:\w+::)*(\w+)/,
  },
  wrappers: new Set(["Arc", "Rc", "Box", "Pin", "Ref", "RefMut", "MutexGuard", "Cow"]),
  implHead: /^[ \t]*(?:default\s+|unsafe\s+)*impl\b([^{;]*)\{/gm,
  tried: new Set(["Result", "Option"]),
  query: `
(function_item name: (_) @name body: (_) @body) @func
(function_signature_item name: (_) @name) @func
(struct_item name: (_) @name body: (_)? @body) @struct
(union_item name: (_) @name body: (_) @body) @struct
(enum_item name: (_) @name body: (_) @body) @enum
(enum_variant name: (_) @name) @const
(trait_item name: (_) @name body: (_) @body) @trait
(trait_item bounds: (trait_bounds (_) @super))
(type_item name: (_) @name) @type
(associated_type name: (_) @name) @type
(const_item name: (_) @name) @const
(static_item name: (_) @name) @var
(mod_item name: (_) @name body: (_)? @body) @module
(macro_definition name: (_) @name) @macro
(field_declaration name: (_) @name) @field
(impl_item type: (_) @name body: (_) @body) @impl
(impl_item trait: (_) @super)
(let_declaration pattern: (identifier) @local)
(let_declaration pattern: (tuple_pattern (identifier) @local))
(parameter pattern: (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local (#match? @local "^[a-z_]"))
(tuple_pattern (identifier) @local (#match? @local "^[a-z_]"))
(match_pattern . (identifier) @local (#match? @local "^[a-z_]"))
[(ref_pattern (identifier) @local) (mut_pattern (identifier) @local) (captured_pattern . (identifier) @local)]
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local (#match? @local "^[a-z_]"))
(closure_parameters (identifier) @local)
(for_expression pattern: (identifier) @local)
(type_parameter name: (_) @local)
[(let_declaration) (let_condition) (parameter)] @after
(for_expression pattern: (_) @after value: (_) @after)
[(function_item) (closure_expression) (block) (match_arm) (for_expression) (if_expression) (while_expression)] @scope
[(impl_item) (struct_item) (enum_item) (trait_item) (type_item)] @region
(use_declaration) @import
(mod_item !body) @import
((attribute_item (attribute) @attribute) @import (#match? @attribute "path *="))
(extern_crate_declaration) @import
(source_file (macro_invocation (token_tree) @again))
(declaration_list (macro_invocation (token_tree) @again))
(token_tree [(string_literal (string_content) @format) (raw_string_literal (string_content) @format)])
[(line_comment) (block_comment) (string_content) (escape_sequence) (char_literal)] @quiet
`,
  imports(statement, _, after) {
    const path = /^#\[.*\bpath\s*=\s*"([^"]+)"/s.exec(statement)?.[1];
    const placed = path === undefined ? undefined : attributed.exec(after)?.[1];
    if (path !== undefined) return placed === undefined ? [] : [{ module: path, whole: placed }];
    const module = /^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)/.exec(statement)?.[1];
    if (module) return [{ module: `self::${module}`, whole: module }];
    const crate = /extern\s+crate\s+(\w+)(?:\s+as\s+(\w+))?/.exec(statement);
    if (crate?.[1]) return [{ module: crate[1], whole: crate[2] ?? crate[1] }];
    const reexport = /^pub\b/.test(statement);
    const tree = statement.replace(/^(?:pub(?:\([^)]*\))?\s+)?use\s+/, "").replace(/;\s*$/, "");
    return unfold(tree, "").map((clause) => (reexport ? { ...clause, reexport } : clause));
  },
};

/** `a::{b, c::{d as e, *}}` as one clause for each leaf. */
function unfold(tree: string, prefix: string): ImportClause[] {
  const text = tree.trim();
  const brace = text.indexOf("{");
  if (brace >= 0) {
    const base = join(prefix, text.slice(0, brace).replace(/::\s*$/, ""));
    const inside = text.slice(brace + 1, text.lastIndexOf("}"));
    return splitTop(inside).flatMap((part) => unfold(part, base));
  }
  const [path = "", alias] = text.split(/\s+as\s+/);
  if (!path) return [];
  if (path === "self") return [{ module: prefix, whole: alias ?? lastOf(prefix) }];
  const full = join(prefix, path);
  if (full.endsWith("::*")) return [{ module: full.slice(0, -3), wildcard: true }];
  const name = lastOf(full);
  // `use store as db;`: a crate, or a module or type of this file.
  if (full === name && alias)
    return [
      { module: name, whole: alias },
      { module: "", names: [[name, alias]] },
    ];
  return [{ module: full.slice(0, -name.length - 2), names: [[name, alias ?? name]] }];
}

function splitTop(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= list.length; i++) {
    const c = list[i];
    if (c === "{") depth++;
    else if (c === "}") depth--;
    else if ((c === "," && depth === 0) || c === undefined) {
      if (list.slice(start, i).trim()) parts.push(list.slice(start, i));
      start = i + 1;
    }
  }
  return parts;
}

const join = (prefix: string, path: string) =>
  (prefix && path ? `${prefix}::${path}` : prefix || path).replaceAll(/\s/g, "");
const lastOf = (path: string) => path.slice(path.lastIndexOf(":") + 1);

function isModuleFile(module: string, file: string): boolean {
  if (pathRoots.has(module)) return /(?:^|\/)(?:lib|main|mod)\.rs$/.test(file);
  const stem = file.replace(/\/mod\.rs$|\.rs$/, "");
  return stem === module || stem.endsWith(`/${module}`);
}
