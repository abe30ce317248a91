/**
 * Macros in the place of an attribute (`static int PURE f(void)`, `class API Store {`, `NAMESPACE_BEGIN`) are unknown to a
 * grammar that does not expand them, and hide the declaration they decorate. They become spaces.
 */
export function withoutAttributeMacros(source: string, constructors = false): string {
  const beforeDeclaration = constructors ? beforeMember : beforeFunction;
  return (
    withoutMacroParameters(source)
      .replace(/^[ \t]*#[ \t]*if.*__cplusplus.*\n\s*(?:extern\s+"C"\s*\{|\}).*\n[ \t]*#[ \t]*endif/gm, blank)
      .replace(/^([ \t]*_*[A-Z][A-Z0-9_]{2,}\()([\w \t*]+)(\))(?=[ \t]+[*&]*[A-Za-z_]\w*\()/gm, keepType)
      // `typedef key (*callback)(void);` reads as a variable called key, `typedef int (*callback)(void);` does not.
      .replace(
        /(?<=\btypedef[ \t]+)(?!void\b|char\b|int\b)[A-Za-z_]\w{2,}(?=\s*\(\s*\*\s*\w+\s*\)\s*\()/g,
        (type) => "int".padEnd(type.length),
      )
      .replace(behindTemplate, intOfLength)
      .replace(beforeDeclaration, blank)
      // The first of two such macros stands before a declaration only now.
      .replace(beforeDeclaration, blank)
      .replace(behindDeclaration, blank)
      .replace(behindParameters, blank)
      .replace(statement, (call) => call.replace(/\b(?:struct|union|enum|const)\s|\*(?=\s*[,)])/g, blank))
      .replace(withoutEnd, blank)
      .replace(/(?<=\(\s*)_*[A-Z][A-Z0-9_]{2,}(?=\s*\*\s*\w+\s*\)\s*\()/g, blank)
      .replace(
        /(?<=\b(?:class|struct|union|enum)[ \t]+)_*[A-Z][A-Z0-9_]{2,}\b(?:\([^()\n]*\))?(?=[ \t]+\w+[^;()]*\{)/g,
        blank,
      )
      // `class Store FINAL : public Base {`
      .replace(
        /(?<=\b(?:class|struct)[ \t]+\w+[ \t]+)[A-Z][A-Z0-9_]{2,}(?=\s*(?:\{|:[ \t]*(?:public|private|protected|virtual)\b))/g,
        blank,
      )
      .replace(/^[ \t]*[A-Z][A-Z0-9_]*_(?:BEGIN|END)[ \t]*;?[ \t]*$/gm, blank)
      .replace(aloneOnLine, blank)
      .replace(lastInBody, blank)
      .replace(withTextAndBody, (_, head: string, args: string) => head + blank(args))
      .replace(
        /^([ \t]*#[ \t]*(?:el)?if\b)(.*)$/gm,
        (_, head: string, condition: string) => `${head}${withoutHeaderNames(condition)}`,
      )
  );
}

/** `PUBLIC(char *) name(`: the type stays. */
const keepType = (_: string, head: string, type: string, end: string) =>
  /[*\w]\s*$/.test(type) ? `${blank(head)}${type}${blank(end)}` : blank(head + type + end);

/** `template <typename T> RESULT_IF((is_small<T>), (Store&)) operator[](T key) {`: a macro in the place of the type is one. */
const behindTemplate =
  /(?<=\btemplate\s*<[^;{}()]{0,400}>\s*)_*[A-Z][A-Z0-9_]{2,}\s*\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\)(?=\s*(?:operator\b|[A-Za-z_]\w*\s*\())/g;

/** Before something that can only begin a declaration: `API void f()`, `FORCE_INLINE Pair<int> g(`, `EXPORT template`. */
const beforeDeclaration = (mayConstruct: boolean) => {
  const notIn = String.raw`(?<=^(?!\s*(?:#|return\b|else\b|case\b)).*)`;
  const macro = String.raw`\b_*[A-Z][A-Z0-9_]{2,}\b(?:[ \t]*\([^()\n]*\))?`;
  const keywords =
    "static|inline|constexpr|typename|template|void|bool|int|char|auto|unsigned|signed|long|short|float|double|class|struct|enum|explicit|virtual|friend|extern|using|typedef|operator";
  // `FILE *open(` names a type, `int API *open(` does not; `API Store(` is a constructor where there are any.
  const afterType = String.raw`(?<=[\w>*&][ \t]+\w+\s+)[*&]*[A-Za-z_]\w*`;
  const named = String.raw`(?:${mayConstruct ? String.raw`[A-Za-z_]\w*|` : ""}${afterType})\s*\([^\n]*$`;
  const typed = String.raw`(?:const\s+)?[A-Za-z_]\w*(?:::\w+)*(?:<[^;{}()\n]*>)?(?:\s+|\s*[*&]+\s*)(?!(?:and|or|in)\b)(?:operator\b|[A-Za-z_]\w*(?:::[~\w]+)*(?:<[^;{}()\n]*>)?\s*[(;={[])`;
  const cast = String.raw`const\s+\w+\s*[*&]`;
  // `API state *(open) (void);`: the brackets keep a macro of that name from being expanded.
  const bracketed = String.raw`(?:const\s+)?[A-Za-z_]\w*[ \t*]*\(\w+\)[ \t]*\(`;
  const next = String.raw`${named}|~\w|(?:${keywords})\b|${cast}|${typed}|${bracketed}`;
  return new RegExp(String.raw`${notIn}${macro}(?=\s+(?:${next}))`, "gm");
};
const beforeFunction = beforeDeclaration(false);
const beforeMember = beforeDeclaration(true);

/** `int count GUARDED_BY(lock);`, `void f() REQUIRES(lock) {`. */
const behindDeclaration =
  /(?<=(?:(?!\b(?:return|else|do|throw|case|new|static|inline|const|extern)\b)\b\w+|[)\]])\s+)[A-Z][A-Z0-9]*_[A-Z0-9_]+\((?!void\))[\w.&]+(?:(?:,\s*|->)[\w.&]+)*\)(?=\s*(?:;|=[^=]))|(?<=\)\s*(?:const\s+|override\s+)?)[A-Z][A-Z0-9]*_[A-Z0-9_]+\((?!void\))[\w.&]+(?:(?:,\s*|->)[\w.&]+)*\)(?=\s*\{)/g;

/** `void paint() OVERRIDE`, then the body. */
const behindParameters =
  /(?<=\)\s*(?:const\s+|noexcept\s+|override\s+|final\s+)*)\b[A-Z][A-Z0-9_]{3,}(?=\s*(?:\{|(?:override|final)\b|=\s*0\s*;))/g;

/** `ADD_FIELD(struct store *, name, 1);` as a statement: with a type in it, it would read as a declaration. */
const statement = /(?<=[;{}]\s*\n[ \t]+)[A-Z][A-Z0-9_]{2,}[ \t]*\((?:[^(){};]|\([^(){};]*\))*\)(?=\s*;)/g;

/** `LOG(store)` without a sign behind it would read as the type of what the next line begins with. */
const withoutEnd =
  /(?<=[;{}][ \t]*\n(?:[ \t]*\n)*[ \t]+)(?:(?!(?:if|while|for|switch|return|else|case|sizeof|defined)\b)[A-Za-z_]\w*[ \t]*\((?:[^(){};\n]|\([^(){};\n]*\))*\)[ \t]*\n[ \t]+)+(?!(?:const|noexcept|override|final|throw|requires|volatile|and|or|try|__attribute__)\b)(?=[A-Za-z_])/g;

/** Between declarations or statements: `LIB_BEGIN_NAMESPACE` would read as the type of what follows. */
const aloneOnLine =
  /(?<=(?:^|[;{}/]|\/\/.*|^[ \t]*#.*)\s*\n[ \t]*)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]*\))?(?=[ \t]*\n\s*[A-Za-z_#[~/])/gm;

/** The last line of a class: `NON_COPYABLE (Store)`. */
const lastInBody = /(?<=[;{}]\s*\n[ \t]*)[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*\([^()\n]*\)(?=[ \t]*\n\s*\})/g;

/** `ENDPOINT("GET", "/", root) {`: without its arguments it reads as a function. */
const withTextAndBody =
  /^([ \t]*[A-Z][A-Z0-9_]{2,}[ \t]*\()([^;{}()"]*"(?:[^;{}()]|\((?:[^;{}()]|\([^;{}()]*\))*\))*)(?=\)\s*\{)/gm;

/** `template <typename T, ENABLE_IF(!is_small<T>())>`: a macro in the place of a parameter is one. */
function withoutMacroParameters(source: string): string {
  let text = source;
  for (const { index, 0: head } of source.matchAll(/\btemplate\s*</g)) {
    const start = index + head.length;
    const end = closing(source, start);
    const inside = source.slice(start, end);
    if (!/[A-Z]\s*\(/.test(inside)) continue;
    text = text.slice(0, start) + withoutCalls(inside) + text.slice(end);
  }
  return text;
}

function withoutCalls(parameters: string): string {
  return parameters.replace(
    /(?<=^\s*|,\s*)[A-Z][A-Z0-9_]{3,}\s*\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)(?=\s*(?:,|$))/g,
    intOfLength,
  );
}

/** Where the angle brackets that are open at an offset end. */
function closing(source: string, from: number): number {
  let angles = 1;
  let round = 0;
  const last = Math.min(source.length, from + 2_000);
  for (let i = from; i < last; i++) {
    const c = source[i];
    if (c === "(") round++;
    else if (c === ")") round--;
    else if (round === 0 && c === "<") angles++;
    else if (round === 0 && c === ">" && --angles === 0) return i;
    else if (c === ";" || c === "{") break;
  }
  return from;
}

/** `HAS_INCLUDE(<version>)` in a condition. */
const withoutHeaderNames = (condition: string) =>
  condition.replace(/\(\s*(?:<[^<>()]*>|"[^"()]*")\s*\)/g, (name) => `(1${" ".repeat(name.length - 3)})`);

/** A type in the place of a text. */
const intOfLength = (text: string) => `int${blank(text.slice(3))}`;

const blank = (text: string) => text.replace(/[^\n]/g, " ");
