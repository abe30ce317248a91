import type { Language } from "./language.ts";

export const bash: Language = {
  name: "Bash",
  extensions: ["sh", "bash", "zsh", "ksh"],
  filenames: [".bashrc", ".bash_profile", ".profile", ".zshrc"],
  grammar: "bash",
  hasHugeLexer: true,
  separator: ".",
  importStyle: "path",
  scoping: "sourced",
  bareCall: /^/,
  valueSign: "$",
  kindAfter: (before) => (isVariable(before) ? "variable" : "function or text"),
  typeHints: { after: [] },
  query: `
(function_definition name: (_) @name body: (_) @body) @func
(variable_assignment name: (variable_name) @name) @var
(declaration_command (variable_assignment name: (variable_name) @name)) @const
(for_statement variable: (variable_name) @bind)
(function_definition) @scope
(command name: (command_name (word) @_source) (#any-of? @_source "source" ".")) @import
[(comment) (raw_string) (string_content) (heredoc_body)] @quiet
(heredoc_body [(simple_expansion) (expansion) (command_substitution)] @live)
`,
  imports(statement) {
    const module = /^(?:source|\.)\s+["']?([^\s"';]+)/.exec(statement)?.[1];
    // What a variable expands to is unknown, but the file it names usually is not: `$dir/lib.sh`.
    return module ? [{ module: module.replace(/^\$\{?\w+\}?\//, "./"), wildcard: true }] : [];
  },
};

/** `$name`, `${name}`, `${#name}`, `(( name`, `export name`, `[[ -v name`. */
function isVariable(before: string): boolean {
  return (
    /\$\{?[#!]?$/.test(before) ||
    /\(\([^()\n]*$/.test(before) ||
    /(?:^|[\s;&|(])(?:export|read|unset|local|declare|typeset|readonly|let|getopts|printf\s+-v|-v)\s(?!\s*-\w*[fF])[^;&|\n]*$/.test(
      before,
    )
  );
}
