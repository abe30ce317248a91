import { sourcedModule } from "./bash-source.ts";
import type { Language } from "./language.ts";

export const bash: Language = {
  name: "Bash",
  extensions: ["sh", "bash", "zsh", "ksh", "bats"],
  filenames: [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".bash_functions",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    "PKGBUILD",
    "APKBUILD",
  ],
  interpreters: ["sh", "bash", "zsh", "ksh", "mksh", "dash", "ash", "bats"],
  grammar: "bash",
  hasHugeLexer: true,
  // The grammar gives up a text with `${name:~0}`, or `${name//&/$'&'amp;}` with signs that mean something in a command.
  prepare: (source) =>
    source
      .replace(/(\$\{\w+:)~(?=\d)/g, "$10")
      .replace(/\$\{\w+\/[^{}\n]*\}/g, (expansion) =>
        expansion.replace(/\$?'[^'\n]*'|\\.|[&<>;|]/g, (sign) => ".".repeat(sign.length)),
      ),
  separator: ".",
  importStyle: "load path",
  scoping: "sourced",
  hasUnknownImports: true,
  bareCall: /^/,
  valueSign: "$",
  assignsOuter: true,
  kindBetween(before, after) {
    if (isUnset(before)) return undefined;
    return isVariable(before) || isAssigned(before, after) ? "variable" : "function or text";
  },
  whyDoubtful(before, after) {
    if (isUnset(before) || isVariable(before) || isAssigned(before, after)) return undefined;
    if (isInRunText.test(before)) return "in a text that is run";
    return isCommand(before, after) ? undefined : "a bare word";
  },
  typeHints: { after: [] },
  query: `
(function_definition name: (_) @name body: (_) @body) @func
(variable_assignment name: (variable_name) @name) @var
(declaration_command ["export" "readonly"] (variable_assignment name: (variable_name) @name)) @const
(declaration_command ["declare" "typeset"] (variable_assignment name: (variable_name) @name @bind)) @const
(declaration_command "local" [(variable_name) @bind (variable_assignment name: (variable_name) @bind)])
(for_statement variable: (variable_name) @bind)
(declaration_command "local") @after
(function_definition) @scope
(command name: (command_name (word) @_source) (#any-of? @_source "source" ".")) @import
(command_name (string . (string_content) @live .))
(command_name (raw_string) @live)
(command name: (command_name (word) @_run) argument: [(raw_string) @live (string (string_content) @live)] (#any-of? @_run "trap" "eval"))
(command name: (command_name (word) @_run) argument: (concatenation [(raw_string) @live (string (string_content) @live)]) (#eq? @_run "alias"))
[(comment) (raw_string) (ansi_c_string) (string_content) (heredoc_body)] @quiet
(heredoc_body [(simple_expansion) (expansion) (command_substitution)] @live)
`,
  imports(statement) {
    const module = sourcedModule(statement);
    return module === undefined ? [] : [{ module, wildcard: true }];
  },
};

/** `name=value`, `name+=value`, `name[1]=value` at the beginning of a command. */
function isAssigned(before: string, after: string): boolean {
  return /(?:^|[\n;&|({])\s*(?:[A-Za-z_]\w*=\S*\s+)*$/.test(before) && /^(?:\[[^\]\n]*\])?\+?=/.test(after);
}

/** `$name`, `${name}`, `${#name}`, `(( name`, `export name`, `[[ -v name`. */
function isVariable(before: string): boolean {
  return (
    /\$\{?[#!]?$/.test(before) ||
    /\(\([^()\n]*$/.test(before) ||
    /(?:^|[\s;&|(])(?:for|select)[ \t]+$/.test(before) ||
    /(?:^|[\s;&|(])(?:export|read|mapfile|readarray|local|declare|typeset|readonly|let|getopts|printf[ \t]+-v|\[\[[ \t](?:[^;\n]*[ \t])?-v|(?:\[|test)[ \t](?:[^;&|\n]*[ \t])?-v)[ \t](?![ \t]*-\w*[fF])[^;&|\n]*$/.test(
      commandBefore(before),
    )
  );
}

/** `unset name` is about a variable or a function. */
const isUnset = (before: string) => /(?:^|[\s;&|(])unset[ \t](?:[^;&|\n]*[ \t])?$/.test(before);

/** Where a command begins, or behind a command that runs another one. */
function isCommand(before: string, after: string): boolean {
  // `name)` is what a case is compared with.
  const isPattern = /^\s*\)/.test(after) && /(?:^|\n|;;|\bin\s)\s*$/.test(before);
  return !isPattern && (commandStart.test(before) || behindRunner.test(before));
}

const commandStart =
  /(?:^|(?<!\\)\n|[;&|{`!]|(?<!=)\(|(?:^|[\s;&|({])(?:then|do|else|elif|if|while|until|time|coproc))\s*(?:[A-Za-z_]\w*\+?=\S*\s+)*["'\\]?$/;
const behindRunner =
  /(?:^|[\s;&|({])(?:alias[ \t]+\S+=["']?|(?:command|builtin|exec|sudo|doas|env|nohup|xargs|trap|type|hash|eval|nice|setsid|run|function|unset[ \t]+-f|(?:export|declare|typeset|readonly)[ \t]+-\w*[fF]\w*|(?:complete|compgen)[ \t][^;&|\n]*-F|-exec)[ \t]+(?:-\S+[ \t]+)*["'\\]?)$/;
const isInRunText = /(?:^|[\s;&|({])(?:trap|eval|alias)[ \t]+[^"'\n]*(?:'[^'\n]*|"[^"\n]*)$/;

/** What stands before a name in its own command: nothing in `local x="$(name`. */
function commandBefore(before: string): string {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    if (before[at] === ")") depth++;
    else if (before[at] === "(" && depth > 0) depth--;
    else if (before[at] === "(" && /[$<>]/.test(before[at - 1] ?? "")) return before.slice(at + 1);
  }
  const ticks = before.slice(before.lastIndexOf("\n") + 1).split("`");
  return ticks.length % 2 === 0 ? (ticks.at(-1) ?? "") : before;
}
