import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { bash } from "../languages/bash.ts";
import { c } from "../languages/c.ts";
import { cSharp } from "../languages/c-sharp.ts";
import { cpp } from "../languages/cpp.ts";
import { kotlin } from "../languages/kotlin.ts";
import { languageOf, languages } from "../languages/languages.ts";
import { lua } from "../languages/lua.ts";
import { rust } from "../languages/rust.ts";
import { swift } from "../languages/swift.ts";
import { typescript } from "../languages/typescript.ts";
import { extract } from "./extract.ts";
import { grammarOf } from "./grammar.ts";
import { lookAgain } from "./second-look.ts";
import { type FileSyntax, isDoubtful, isQuiet, qualifiedName } from "./syntax.ts";
import { decodeSyntax, encodeSyntax } from "./syntax-code.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const samples = readdirSync(fixtures).filter((name) => languageOf(name));

test("every language has a sample", () => {
  const covered = new Set(samples.map((name) => languageOf(name)?.name));
  expect([...covered].sort()).toEqual(languages.map((language) => language.name).sort());
});

test.each(samples)("%s: every declaration, import and parent it has", async (name) => {
  const language = languageOf(name);
  if (!language) return;
  const syntax = await extract(readFileSync(join(fixtures, name), "utf8"), language);
  expect(syntax.broken).toBe(false);
  await expect(summary(syntax)).toMatchFileSnapshot(join(fixtures, `${name}.syntax`));
  expect(decodeSyntax(encodeSyntax(syntax).data)).toEqual(syntax);
});

test("what is in comments, strings and templates is quiet; what is interpolated is not", async () => {
  const source = `const a = 1; // a\nconst b = 'a'; const c = \`a \${a} a\`; const d = /a/;`;
  const syntax = await extract(source, typescript);
  const loud = [...source.matchAll(/\ba\b/g)].map((m) => m.index).filter((at) => !isQuiet(syntax, at));
  expect(loud).toEqual([6, source.indexOf("{a}") + 1]);
});

test("texts and comments in the value of a macro or pragma are quiet", async () => {
  const source = '#define A "a" b(a, \'a\') // a\n#pragma warning "a"\nint a;\n';
  const syntax = await extract(source, c);
  const loud = [...source.matchAll(/\ba\b/g)].map((m) => m.index).filter((at) => !isQuiet(syntax, at));
  expect(loud).toEqual([source.indexOf("(a") + 1, source.indexOf("int a") + 4]);
});

const names = ({ declarations }: FileSyntax) => declarations.map(qualifiedName);

test("Kotlin that the grammar does not know is understood", async () => {
  const source = [
    "class Store<T>",
    "  @JvmOverloads",
    "  constructor(private val open: Boolean = false) : Base {",
    "  fun read(build: Response.Builder.() -> Unit, mask: Int = 0b0000_1111) = when (mask) {",
    '    in 100..199 -> "one"',
    '    in 200..299 -> "two"',
    '    else -> "three"',
    "  }",
    "  fun write() {",
    "    open = true",
    "    find(1).text = name",
    "    val one = find(2)",
    "      as String",
    "    in1.skip(1)",
    "  }",
    "}",
    "fun <T> Store<T>.first() = 1",
    "fun Store<Int>?.last() = 2",
  ].join("\n");
  const syntax = await extract(source, kotlin);
  expect(syntax.broken).toBe(false);
  expect(names(syntax)).toEqual([
    "Store",
    "Store.open",
    "Store.read",
    "Store.write",
    "Store.first",
    "Store.last",
  ]);
});

test("macros behind the name of a class and at the end of its body, conditions inside a C++ enum's head", async () => {
  const source = [
    "class Store FINAL : public Base {",
    "  int size;",
    "  NON_COPYABLE (Store)",
    "};",
    "enum",
    "#if WIDE",
    "  : fd_t",
    "#endif",
    "{ retired };",
  ].join("\n");
  const syntax = await extract(source, cpp);
  expect(syntax.broken).toBe(false);
  expect(names(syntax)).toEqual(["Store", "Store.size", "retired"]);
});

test("a macro with a text and a body in a C++ class, and texts in macros that are left out", async () => {
  const source = [
    "class Store : public Base {",
    "public:",
    '  ENDPOINT("GET", "/", root, BODY(String, name)) {',
    "    int a = 1;",
    '    LIB_ASSERT(a == "name")',
    "    return a;",
    "  }",
    "};",
  ].join("\n");
  const syntax = await extract(source, cpp);
  expect(syntax.broken).toBe(false);
  expect(names(syntax)).toEqual(["Store", "Store.ENDPOINT"]);
  expect(isQuiet(syntax, source.lastIndexOf("name"))).toBe(true);
});

test("C# with conditions inside of a declaration", async () => {
  const source = [
    "class Store : Base",
    "#if ASYNC",
    "  , IAsyncDisposable",
    "#endif",
    "{",
    "#region of Save",
    "  void Save(",
    "#if WIDE",
    "    long size) {",
    "#else",
    "    int size) {",
    "#endif",
    "  }",
    "}",
  ].join("\n");
  const syntax = await extract(source, cSharp);
  expect(names(syntax)).toEqual(["Store", "Store.Save"]);
  expect(isQuiet(syntax, source.indexOf("Save"))).toBe(true);
  expect(syntax.inherits.map(({ parent }) => parent)).toEqual(["Base", "IAsyncDisposable"]);
});

test("a long text is one, even in a file with an error behind it", async () => {
  const source = 'val text = """\n  some name\n"""\nval name = 1\nval a = 1 2 3\n';
  const syntax = await extract(source, kotlin);
  expect(syntax.broken).toBe(true);
  expect(isQuiet(syntax, source.indexOf("name"))).toBe(true);
  expect(isQuiet(syntax, source.lastIndexOf("name"))).toBe(false);
});

test("behind a syntax error a long text may be code, and says so", async () => {
  const source = 'val a = 1 2 3\nval text = """\n  some name\n"""\n';
  const syntax = await extract(source, kotlin);
  expect(isQuiet(syntax, source.indexOf("name"))).toBe(false);
  expect(isDoubtful(syntax, source.indexOf("name"))).toBe(true);
  expect(isDoubtful(decodeSyntax(encodeSyntax(syntax).data), source.indexOf("name"))).toBe(true);
  expect(isDoubtful(syntax, source.indexOf("val text"))).toBe(false);
});

test("a conversion that is defined out of line has the name of an operator", async () => {
  const source = "template <typename T> constexpr Point<T>::operator Point<int>() const { return {}; }\n";
  expect(names(await extract(source, cpp))).toEqual(["Point.operator Point<int>"]);
});

test("a syntax error costs only what is broken", async () => {
  const syntax = await extract(
    "export function good() {}\nfunction bad( {\nexport class Also { run() {} }\n",
    typescript,
  );
  expect(syntax.broken).toBe(true);
  expect(syntax.declarations.map((d) => d.name)).toContain("good");
});

test("what is parsed again after a syntax error says nothing about the text before it", async () => {
  const source = [
    "local function first(source)",
    "   repeat",
    '   until kind == "end"',
    "   return kinds",
    "end",
    "local function second(source)",
    "   return used(made(source))",
    "end",
    "local function third(source)",
    "   repeat",
    "   until kind",
    '      same({line = 1, message = "unfinished comment"}, found("--[=[]]"))',
    "]=]",
    'print "1\\g',
    '       3\\n"',
    "]]))",
    "end)",
    "",
  ].join("\n");
  const syntax = await extract(source, lua);
  expect(syntax.broken).toBe(true);
  expect(isQuiet(syntax, source.indexOf("used"))).toBe(false);
});

test.each([
  `quoted() { text="\${1//&/$'&'amp;}"; }`,
  `unclosed() { case $kind in\n  [[ "\${groups:0:4}" != "000a" ]] && return 1`,
])("quotes that the grammar of Bash misreads make no text of the code behind them: %s", async (misread) => {
  const source = `${misread}\n  [[ -z "$shares" ]] && called "" && { "$p" && [[ "$1" == s ]]; } || called "$2"; echo "not used"\n`;
  const syntax = await extract(source, bash);
  for (const { index } of source.matchAll(/called/g)) expect(isQuiet(syntax, index)).toBe(false);
  expect(isQuiet(syntax, source.indexOf("used"))).toBe(true);
});

test("an empty text has nothing", async () => {
  expect((await extract("", typescript)).declarations).toEqual([]);
});

test("a text that takes the parser too long is refused, and the parser is good for the next one", async () => {
  const endless = `x = ${"f(a,".repeat(2_000_000)}`;
  await expect(extract(endless, typescript, 250)).rejects.toMatchObject({ code: "TOO_LARGE" });
  expect((await extract("const ok = 1", typescript)).declarations.map((d) => d.name)).toEqual(["ok"]);
});

test("a machine that is too busy is no reason to give a file up: another try may succeed", async () => {
  const source = "export const value = 1;\n".repeat(20_000);
  vi.spyOn(process, "threadCpuUsage").mockReturnValue({ user: 0, system: 0 });
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 10_000));
  await expect(extract(source, typescript, 50)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  vi.restoreAllMocks();
  expect((await extract(source, typescript)).declarations).toHaveLength(20_000);
});

function summary(syntax: FileSyntax): string {
  const depth = (index: number): number => {
    const parent = syntax.declarations[index]?.parent ?? -1;
    return parent < 0 ? 0 : 1 + depth(parent);
  };
  return [
    ...(syntax.package ? [`package ${syntax.package}`] : []),
    ...syntax.declarations.map(
      (d, i) =>
        `${"  ".repeat(depth(i))}${d.kind} ${qualifiedName(d)}${d.bodiless ? " (head)" : ""} | ${d.signature} | ${d.line}-${d.endLine}`,
    ),
    ...syntax.imports.map(
      ({ line, start: _start, end: _end, ...clause }) => `import ${line} ${JSON.stringify(clause)}`,
    ),
    ...syntax.inherits.map(({ child, parent, line }) => `${child} < ${parent} ${line}`),
    `locals ${syntax.locals.map(([name]) => name).join(" ")}`,
    "",
  ].join("\n");
}

test("Swift: directives, availability and macros with a number sign, in any text of the process", async () => {
  const source = [
    "import Foundation",
    "#if canImport(Security)",
    "import Security",
    "#endif",
    "func first() {",
    "  guard #available(macOS 10.15, *) else { return }",
    "  log(#function, #selector(View.tap))",
    "  #expect(value == 1)",
    "}",
    "func second() {}",
    "",
  ].join("\n");
  for (let time = 0; time < 2; time++) {
    const syntax = await extract(source, swift);
    expect(syntax.broken).toBe(false);
    expect(syntax.declarations.map(({ name, line }) => `${name} ${line}`)).toEqual(["first 5", "second 10"]);
  }
});

test("Swift: empty tuples, typed throws and ownership words, which the grammar does not know", async () => {
  const source = [
    "struct Command {",
    "  @Flag() var verbose: Bool",
    "  nonisolated(unsafe) var count = 0",
    '  let pattern = #"a "quoted" \\. text"#',
    "  func run(_ event: sending Event, done: () -> Void) throws(CommandError) {",
    "    finish(.success(()))",
    "    _ = consume event",
    "    return lhs",
    "      < rhs",
    "  }",
    "  func late(at place: SourceLocation = #_sourceLocation) {}",
    "}",
    "",
  ].join("\n");
  const syntax = await extract(source, swift);
  expect(syntax.broken).toBe(false);
  expect(syntax.declarations.map(({ name, line }) => `${name} ${line}`)).toEqual([
    "Command 1",
    "verbose 2",
    "count 3",
    "pattern 4",
    "run 5",
    "late 11",
  ]);
});

test("Swift: a text that begins with the sign of a comment begins none", async () => {
  const source = [
    "func first() {",
    '  open("/*")',
    '  name("\\(first)/* and more")',
    '  second() // a "quote',
    '  close("*/")',
    "}",
    "func second() {} /* a comment: */",
    "",
  ].join("\n");
  const syntax = await extract(source, swift);
  expect(isQuiet(syntax, source.indexOf("second()"))).toBe(false);
  expect(syntax.declarations.map(({ name }) => name)).toEqual(["first", "second"]);
  expect(isQuiet(syntax, source.indexOf("a comment"))).toBe(true);
});

test("Rust: what stands between two texts in a macro is code, whatever it looks like", async () => {
  const source = [
    "case! {",
    "  name: missing_some,",
    '  args: ["a", "b", "c"],',
    "  error: Mismatch { found },",
    "  check: { same(found, 2); }",
    "}",
    "fn late() {}",
    "",
  ].join("\n");
  const syntax = await extract(source, rust);
  const isQuietAt = (text: string) => isQuiet(syntax, source.indexOf(text));
  expect(["error", "Mismatch", "same", 'b"'].map(isQuietAt)).toEqual([false, false, false, true]);
  expect(syntax.declarations.map(({ name }) => name)).toEqual(["late"]);
});

test("C++: macros before, behind and between declarations hide none of them", async () => {
  const source = [
    "#if LIB_HAS_INCLUDE(<version>)",
    "#  include <version>",
    "#endif",
    "LIB_BEGIN_NAMESPACE",
    "",
    "enum class color : unsigned { red };",
    "LIB_EXPORT template <typename Char, LIB_ENABLE_IF(!is_small<Char>())>",
    "LIB_NORETURN LIB_API void print(const Char* text);",
    "class LIB_API store {",
    " public:",
    "  LIB_CONSTEXPR store(int size = 0) : size_(size) {}",
    "  LIB_API ~store();",
    "  LIB_CONSTEXPR store& operator|=(const store& other) { return *this; }",
    "  void lock() EXCLUSIVE_LOCKS_REQUIRED(mutex_) {}",
    " private:",
    "  int size_ GUARDED_BY(mutex_);",
    "};",
    "template <> LIB_INLINE store merge<store>(const store& a, const store& b) { return a; }",
    "",
  ].join("\n");
  const syntax = await extract(source, cpp);
  expect(syntax.broken).toBe(false);
  expect(syntax.declarations.map(qualifiedName)).toEqual([
    "color",
    "color.red",
    "print",
    "store",
    "store.store",
    "store.~store",
    "store.operator|=",
    "store.lock",
    "store.size_",
    "merge",
  ]);
});

test("C++: a macro with arguments in brackets is the type of a function template", async () => {
  const source = [
    "template <typename Key>",
    "class store {",
    "  template <typename T>",
    "  LIB_RESULT_IF((detail::is_same<typename detail::bare<T>::type, Key>), (store&)) operator[](T* key) {",
    "    return *this;",
    "  }",
    "  template <typename T>",
    "  LIB_RESULT_IF((detail::is_same<T, Key>), (const store&)) find(T* key) const { return *this; }",
    "  int size();",
    "};",
    "",
  ].join("\n");
  const syntax = await extract(source, cpp);
  expect(syntax.broken).toBe(false);
  expect(syntax.declarations.map(qualifiedName)).toEqual([
    "store",
    "store.operator[]",
    "store.find",
    "store.size",
  ]);
});

test("C: a macro that holds the type keeps it, and a type in capitals is one", async () => {
  const source = [
    "#ifdef __cplusplus",
    'extern "C" {',
    "#endif",
    "PUBLIC(char *) name_of(const struct item * const item);",
    "// opens a file",
    "FILE *open_it(const char *path, int flags);",
    "struct hooks { void *(CDECL *allocate)(int size); };",
    "",
  ].join("\n");
  const syntax = await extract(source, c);
  expect(syntax.broken).toBe(false);
  expect(syntax.declarations.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    "func name_of",
    "func open_it",
    "type hooks",
    "field allocate",
  ]);
});

test("C: branches of a condition that each open a brace are read one after the other", async () => {
  const source = [
    "int table[] = {",
    "#ifdef SMALL",
    "  1",
    "#else",
    "  1, 2",
    "#endif",
    "};",
    "#if WINDOWS",
    "int start(int a) {",
    "#else",
    "int begin(int a) {",
    "#endif",
    "  return a;",
    "}",
    "#ifdef NEVER",
    "static int first(void) { return 1; }",
    "#else",
    "static int second(void) { return 2; }",
    "#endif",
    "int after(void) { return 3; }",
    "",
  ].join("\n");
  const { declarations } = await extract(source, c);
  expect(declarations.map(({ name, line }) => `${name} ${line}`)).toEqual(
    expect.arrayContaining(["table 1", "start 9", "first 16", "second 18", "after 20"]),
  );
});

test("a table of numbers that is not understood is not parsed again: it declares nothing", async () => {
  const { parser, query } = await grammarOf(c);
  const again = (text: string) => {
    const { rootNode } = parser.parse(text) ?? {};
    expect(rootNode?.hasError).toBe(true);
    const look = { parser, text, matches: () => [], late: () => false };
    return rootNode && lookAgain(rootNode, query.matches(rootNode), look).trees.length;
  };
  const numbers = "{0x35800000}, {0x35880000},\n".repeat(9);
  expect(again(numbers)).toBe(0);
  expect(again(`${numbers}int late(void) {}\n`)).toBeGreaterThan(0);
});
