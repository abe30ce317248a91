// What a question names in the code is looked up before the model is asked: the answer is then in front of it, and a step
// is saved. Only the words of the question decide; a name that means nothing here costs nothing, because the call fails.

/** A call that answers, or helps to answer, a question. */
export interface Lookup {
  tool: "references" | "graph";
  input: Record<string, string>;
}

/** Refs of these calls, which no model has made. */
export const lookupRef = "lookup";
export const isLookup = (ref: string) => ref.startsWith(`${lookupRef}_`);

/** The result as the model is shown it, with the person's message. */
export function lookupText(tool: string, input: unknown, text: string): string {
  const call = `${tool} ${Object.values(input as object).join(" ")}`;
  return `<result of="${call}">\n${text.replaceAll(/<\s*\/\s*(?=result)/gi, "< /")}\n</result>`;
}

/** A longer text is an issue or a log: what it names is not what it asks for. */
const longestQuestion = 1_200;
/** A question about more things than this is not about one of them. */
const mostTargets = 2;

/** The calls that look up what the question names, if it asks for uses, implementations, inheritors or importers. */
export function lookupsFor(question: string): Lookup[] {
  if (question.length > longestQuestion) return [];
  const paths = pathsIn(question);
  const modules = modulesIn(question, paths);
  const targets = targetsIn(question, paths, modules);
  const imported = importedModule(question, [...paths, ...modules], targets.length > 0);
  if (imported !== undefined) return [graph("importers", imported)];
  if (targets.length === 0) return [];
  if (targets.length > mostTargets) return [];
  return targets.flatMap((target): Lookup[] => {
    const uses: Lookup = { tool: "references", input: { symbol: target } };
    if (asksForCallsFirst(question) && !overridesToo.test(question)) return [uses];
    const [implementations, inheritors] = [
      asksFor.implementations.test(question),
      asksFor.inheritors.test(question),
    ];
    if (!implementations && !inheritors) return asksFor.uses.test(question) ? [uses] : [];
    // What implements or extends a type are its inheritors, interfaces among them.
    const isAboveTypes = inheritors && (!implementations || isTypeName(target));
    const below = graph(isAboveTypes ? "inheritors" : "implementations", target);
    return usesToo.test(question) ? [below, uses] : [below];
  });
}

/** The module whose importers are asked for: a question that names a symbol, too, must ask who imports the module. */
function importedModule(question: string, modules: readonly Named[], hasTargets: boolean) {
  const [module, another] = modules;
  if (module === undefined || !asksFor.importers.test(question)) return undefined;
  if (!hasTargets) return another === undefined ? module.text : undefined;
  const asked = asksWhoImports.exec(question);
  return modules.find(({ index }) => index === (asked?.index ?? 0) + (asked?.[0].length ?? -1))?.text;
}

/** `Which files import the module a.b`, up to the name of the module. */
const asksWhoImports =
  /\b(?:files?|modules?|packages?|crates?|scripts?|who|what)\s+(?:[a-z]+\s+){0,2}(?:imports?|depends? on|requires?|includes?)\s+(?:the\s+)?(?:module|package|crate|namespace)\s+[`"']?/i;

/** `Which functions call X, also in classes that implement Y?` is a question about calls. */
function asksForCallsFirst(question: string): boolean {
  const [calls, implementations, inheritors] = [
    question.search(/\bcall(?:s|ed|ers?|ing)?\b/i),
    question.search(asksFor.implementations),
    question.search(asksFor.inheritors),
  ] as const;
  const isFirst = (other: number) => other < 0 || calls < other;
  return calls >= 0 && isFirst(implementations) && isFirst(inheritors);
}

/** `… called, and which classes override it?` asks for both. */
const overridesToo = /\bcall(?:s|ed|ers?|ing)?\b[^.?!]*\band\b[^.?!]*\b(?:overrid|implement)/i;
/** Beside overrides or inheritors, the uses are asked for, too. */
const usesToo = /\b(?:call(?:s|ed|ers?)|callers|us(?:es?|ed|ages?))\b/i;

const graph = (operation: string, target: string): Lookup => ({
  tool: "graph",
  input: { operation, target },
});

const asksFor = {
  implementations: /\b(?:implement|overrid)/i,
  inheritors: /\b(?:sub-?class|sub-?type|inherit|deriv|extend)/i,
  // A `required` parameter and `tests included` ask for no importers.
  importers: /\b(?:import(?:s|ed|ers?|ing)?|depend(?:s|ents?|ing)?|requires?|includes?)\b/i,
  uses: /\b(?:us(?:e[sd]?|ages?)|refer\w*|call(?:s|ed|ers?|ing)?|import\w*|occur\w*|places?|mention\w*|names?|renam\w*|parameters?|signature)\b/i,
};

interface Named {
  text: string;
  index: number;
}

/** Paths with a slash, and names of source files. */
function pathsIn(question: string): Named[] {
  const pattern =
    /(?<![\w/.@-])(?:(?:[\w.@-]+\/)+[\w.@-]*\w|[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|[ch](?:pp|c)?|cs|rb|php|swift|scala|lua|sh))(?![\w/(])/g;
  return [...question.matchAll(pattern)].map(({ 0: text, index }) => ({ text, index }));
}

/** Names behind the word module, package or crate that are no paths: `app.store`, `goose::config`, `` `skills` ``. */
function modulesIn(question: string, paths: readonly Named[]): Named[] {
  const name = String.raw`[A-Za-z_][\w-]*(?:(?:\.|::)\w+)*`;
  const pattern = new RegExp(
    `(?<=\\b(?:module|package|crate|namespace)\\s+)([\`"']?)(${name})(?![\\w/])\\1`,
    "g",
  );
  return [...blanked(question, paths).matchAll(pattern)].flatMap(({ 1: quote = "", 2: text = "", index }) => {
    // A single word without quotes is one of everyday language: `the crate root`.
    const isName = (quote !== "" || /[.:]/.test(text)) && !notNames.test(text);
    return isName ? [{ text, index: index + quote.length }] : [];
  });
}

const kindWords =
  "method|function|func|fn|class|interface|trait|struct|type|enum|constant|const|macro|protocol|field|property|member|variant|enumerator|variable|attribute";
/** Words that follow or precede a kind without being the name of one. */
const notNames =
  /^(?:a|an|the|this|that|these|those|each|every|all|any|which|what|whose|of|in|on|to|is|are|has|have|and|or|for|from|with|by|as|it|its|must|may|can|called|named|declared|defined|declaration|definition|itself|there|here|name|names|value|values|call|calls|use|uses|used|import|imports|override|overrides|implement|implements|extend|extends|inherit|inherits|inside|outside|only|abstract|public|static|new|one|other|another|no|not|does|do|[a-z]+ly)$/i;

/** What is asked about, qualified by the type and the file that the question names with it. */
function targetsIn(question: string, paths: readonly Named[], modules: readonly Named[]): string[] {
  const names = namesIn(blanked(question, [...paths, ...modules]));
  const owners = new Map<Named, Named>();
  const [first, second, third] = names;
  for (const [at, name] of names.entries()) {
    const next = names[at + 1];
    if (next && belongsTo(question, name, next)) owners.set(name, next);
  }
  // A type and one thing that can only be its member, in any order.
  if (owners.size === 0 && first && second && !third) {
    if (isType(first) && !isType(second)) owners.set(second, first);
    if (isType(second) && !isType(first)) owners.set(first, second);
  }
  const targets = names.filter((name) => ![...owners.values()].includes(name));
  const homeOf = (name: Named) => pathOf(name, paths) || moduleOf(question, name, modules);
  const written = [...new Set(targets.map((name) => `${homeOf(name)}${qualified(name, owners.get(name))}`))];
  // `close`, said again of `Transport.close`, is the same.
  return written.filter((target) => !written.some((other) => isEndOf(target, other)));
}

const isEndOf = (name: string, whole: string) =>
  whole.length > name.length && whole.endsWith(name) && /[.#:]/.test(whole.at(-name.length - 1) ?? "");

const isTypeName = (target: string) => /(?:^|#)[A-Z]\w*[a-z]\w*$/.test(target);
const isType = ({ text }: Named) => isTypeName(text);

const qualified = ({ text }: Named, owner: Named | undefined) => (owner ? `${owner.text}.${text}` : text);

/** Words that can only be names of code, and words beside the kind of thing that they name. */
function namesIn(question: string): Named[] {
  const word = String.raw`[A-Za-z_$][\w$]*`;
  const patterns = [
    new RegExp(`(?<![\\w$.])${word}(?:(?:\\.|::|#)${word})+(?=\\(\\)|[^\\w(]|$)`, "g"),
    new RegExp(`(?<=\`)${word}(?=\`)|(?<![\\w$.])${word}(?=\\(\\))`, "g"),
    /(?<![\w$.])[A-Za-z]\w*(?:[a-z\d][A-Z]|[A-Za-z\d]_+[A-Za-z])\w*/g,
    new RegExp(`(?<=\\b(?:${kindWords})s?\\s+\`?)${word}`, "g"),
    new RegExp(`(?<![\\w$.])[A-Z]\\w*(?=\`?\\s+(?:${kindWords})\\b)`, "g"),
    // Words of everyday language: only a name in capitals is meant by them.
    /(?<=\b(?:value|case|entry|option|flag)s?\s+`?)[A-Z]\w*/g,
  ];
  const found = new Map<number, Named>();
  for (const pattern of patterns) {
    for (const { 0: text, index } of question.matchAll(pattern)) {
      const isInside = [...found.values()].some((one) => index >= one.index && index < end(one));
      if (!isInside && !notNames.test(text) && !new RegExp(`^(?:${kindWords})s?$`).test(text))
        found.set(index, { text, index });
    }
  }
  return [...found.values()].sort((a, b) => a.index - b.index);
}

/** `close of the abstract class ComputerTransport`: a member, then the type that it belongs to. */
function belongsTo(question: string, member: Named, type: Named): boolean {
  const between = question.slice(end(member), type.index);
  const joins =
    /^\W*\s(?:(?:of|in|on|from)|(?:that|which)\s+(?:satisf\w+|implements?|belongs?\sto))\s(?:[a-z]+\s+){0,4}\W?$/.test(
      between,
    );
  return joins && (/^[A-Z]/.test(type.text) || /^\W*\s(?:of|on)\s+an?\s/.test(between));
}

/** The one path of the question, or the one right behind the name. */
function pathOf(name: Named, paths: readonly Named[]): string {
  const near = paths.find(({ index }) => index > name.index && index - end(name) < nearName);
  const path = paths.length === 1 ? paths[0] : near;
  return path && !name.text.includes("#") ? `${path.text}#` : "";
}

/** `load of the module app.store`: the module right behind the name, as the start of a qualified name. */
function moduleOf(question: string, name: Named, modules: readonly Named[]): string {
  const module = modules.find(({ index }) => {
    const between = question.slice(end(name), index);
    return /^\W*\s(?:(?:declared|defined)\s)?(?:of|in|from|by)\s(?:[a-z]+\s+){1,3}\W?$/.test(between);
  });
  return module ? `${module.text}${module.text.includes("::") ? "::" : "."}` : "";
}

const nearName = 60;
const end = ({ text, index }: Named) => index + text.length;

/** The question with blanks in the place of its paths, so that nothing is found inside of them. */
function blanked(question: string, paths: readonly Named[]): string {
  return paths.reduce(
    (text, { index, text: path }) =>
      text.slice(0, index) + " ".repeat(path.length) + text.slice(index + path.length),
    question,
  );
}
