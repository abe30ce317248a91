import { type Command, helpOption, type Option, type Words } from "./command.ts";

/** One script for each shell, from the same table. */
export const completionScripts = { bash, zsh, fish } as const;

export function isShell(name: string): name is keyof typeof completionScripts {
  return Object.hasOwn(completionScripts, name);
}

interface Flag extends Option {
  name: string;
}

function flagsOf({ options }: Command): Flag[] {
  return Object.entries({ ...options, help: helpOption }).map(([name, option]) => ({ name, ...option }));
}

/** `--resume`, and `-c` where it has a short name. */
function spellings({ name, short }: Flag): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

function withValue(command: Command): Flag[] {
  return flagsOf(command).filter(({ value }) => value !== undefined);
}

/** Quoted for any of the three shells: none of them expands anything in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’").replaceAll("\\", "")}'`;
}

/** Options before any command are those of `serve`. */
function patternOf({ name }: Command): string {
  return name === "serve" ? "serve|-*" : name;
}

function bash(commands: readonly Command[]): string {
  const offer = ({ known = [], lookup }: Words) => [
    ...(known.length > 0 ? [`_wield_offer "$cur" ${known.join(" ")}`] : []),
    ...(lookup === undefined ? [] : [`_wield_look_up ${lookup} "$cur"`]),
  ];
  const cases = commands.map((command) =>
    caseOf(command, offer, `_wield_offer "$cur" ${flagsOf(command).flatMap(spellings).join(" ")}`),
  );
  return `# Completion for wield in bash. Load it with: source <(wield completion bash)
_wield_offer() {
  local cur=$1 word
  shift
  for word in "$@"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
  done
}

# Always run the wield in PATH, never the path that is being typed.
_wield_look_up() {
  local name about
  if [[ $1 == folder ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$2")
    return
  fi
  while IFS=$'\\t' read -r name about; do
    [[ $name == "$2"* ]] && COMPREPLY+=("$name")
  done < <(command wield completion names "$1" 2>/dev/null </dev/null)
}

_wield() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} valued= position=0 i
  COMPREPLY=()
  # bash makes three words of --option=value.
  if [[ $cur == "=" ]]; then cur=; elif [[ $before == "=" ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then
    _wield_offer "$cur" ${[...commands.map(({ name }) => name), "help"].join(" ")}
    return
  fi
  case $command in
${commands.map((command) => `    ${patternOf(command)}) valued=' ${withValue(command).flatMap(spellings).join(" ")} ' ;;`).join("\n")}
  esac
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [[ $valued == *" \${COMP_WORDS[i]} "* ]]; then ((i++)); elif [[ \${COMP_WORDS[i]} != -* ]]; then ((position++)); fi
  done
  case $command in
    help) _wield_offer "$cur" ${commands.map(({ name }) => name).join(" ")} ;;
${cases.join("\n")}
  esac
}
complete -F _wield wield`;
}

function zsh(commands: readonly Command[]): string {
  const offer = ({ known = [], lookup }: Words) => [
    ...(known.length > 0 ? [`compadd -- ${known.join(" ")}`] : []),
    ...(lookup === undefined ? [] : [`_wield_look_up ${lookup}`]),
  ];
  const described = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([word, about]) => quoted(`${word}:${about}`)).join(" ");
  const cases = commands.map((command) => {
    const rows = flagsOf(command).flatMap((flag) =>
      spellings(flag).map((word) => [word, flag.help] as const),
    );
    return caseOf(command, offer, `list=(${described(rows)}); _describe -o option list`);
  });
  return `#compdef wield
# Completion for wield in zsh. Load it with: source <(wield completion zsh)
# Always run the wield in PATH, never the path that is being typed.
_wield_look_up() {
  local name about
  local -a names lines
  if [[ $1 == folder ]]; then _path_files -/; return; fi
  while IFS=$'\\t' read -r name about; do
    names+=("$name")
    lines+=("$name  $about")
  done < <(command wield completion names "$1" 2>/dev/null </dev/null)
  compadd -l -d lines -a names
}

_wield() {
  local cur=\${words[CURRENT]} before=\${words[CURRENT-1]} command=\${words[2]} valued= position=0 i
  local -a list
  if ((CURRENT == 2)) && [[ $cur != -* ]]; then
    list=(${described([...commands.map(({ name, summary }) => [name, summary] as const), ["help", "Show the help of a command"]])})
    _describe command list
    return
  fi
  if [[ $cur == --*=* ]]; then before=\${cur%%=*}; cur=\${cur#*=}; compset -P '*='; fi
  case $command in
${commands.map((command) => `    ${patternOf(command)}) valued=' ${withValue(command).flatMap(spellings).join(" ")} ' ;;`).join("\n")}
  esac
  for ((i = 3; i < CURRENT; i++)); do
    if [[ $valued == *" \${words[i]} "* ]]; then ((i++)); elif [[ \${words[i]} != -* ]]; then ((position++)); fi
  done
  case $command in
    help) compadd -- ${commands.map(({ name }) => name).join(" ")} ;;
${cases.join("\n")}
  esac
}
if [[ \${funcstack[1]} == _wield ]]; then _wield "$@"; else compdef _wield wield; fi`;
}

/** The part for one command, in the syntax that bash and zsh share. */
function caseOf(command: Command, offer: (words: Words) => string[], offerFlags: string): string {
  const doesWith = ({ completes }: Flag) => [...(completes ? offer(completes) : []), "return"].join("; ");
  const values = [...Map.groupBy(withValue(command), doesWith)].map(
    ([does, flags]) => `        ${flags.flatMap(spellings).join("|")}) ${does} ;;`,
  );
  const positions = (command.completes ?? []).map(
    (words, at) => `        ${at}) ${offer(words).join("; ")} ;;`,
  );
  return [
    `    ${patternOf(command)})`,
    ...(values.length > 0 ? ["      case $before in", ...values, "      esac"] : []),
    `      if [[ $cur == -* ]]; then ${offerFlags}; return; fi`,
    ...(positions.length > 0 ? ["      case $position in", ...positions, "      esac"] : []),
    "      ;;",
  ].join("\n");
}

function fish(commands: readonly Command[]): string {
  const offer = ({ known = [], lookup }: Words) => {
    const found =
      lookup === "folder"
        ? "__fish_complete_directories"
        : `command wield completion names ${lookup} 2>/dev/null`;
    return [...known, ...(lookup === undefined ? [] : [`(${found})`])].join(" ");
  };
  const line = (name: string, rest: string) =>
    `complete -c wield -n '__fish_seen_subcommand_from ${name}' ${rest}`;
  const ofCommand = (command: Command) => [
    `complete -c wield -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
    ...flagsOf(command).map((flag) => {
      const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
      const value =
        flag.value === undefined ? "" : ` -x${flag.completes ? ` -a ${quoted(offer(flag.completes))}` : ""}`;
      return line(command.name, `-l ${flag.name}${short}${value} -d ${quoted(flag.help)}`);
    }),
    ...(command.completes ?? []).map((words) => line(command.name, `-a ${quoted(offer(words))}`)),
  ];
  return [
    "# Completion for wield in fish. Save it with: wield completion fish > ~/.config/fish/completions/wield.fish",
    "# Always run the wield in PATH, never the path that is being typed.",
    "complete -c wield -f",
    "complete -c wield -n __fish_use_subcommand -a help -d 'Show the help of a command'",
    line("help", `-a ${quoted(commands.map(({ name }) => name).join(" "))}`),
    ...commands.flatMap(ofCommand),
  ].join("\n");
}
