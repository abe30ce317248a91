import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { languageOf, languages } from "../languages/languages.ts";
import { swift } from "../languages/swift.ts";
import { typescript } from "../languages/typescript.ts";
import { extract } from "./extract.ts";
import { type FileSyntax, isQuiet, qualifiedName } from "./syntax.ts";
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

test("a syntax error costs only what is broken", async () => {
  const syntax = await extract(
    "export function good() {}\nfunction bad( {\nexport class Also { run() {} }\n",
    typescript,
  );
  expect(syntax.broken).toBe(true);
  expect(syntax.declarations.map((d) => d.name)).toContain("good");
});

test("an empty text has nothing", async () => {
  expect((await extract("", typescript)).declarations).toEqual([]);
});

test("a text that takes the parser too long is refused, and the parser is good for the next one", async () => {
  const endless = `x = ${"f(a,".repeat(400_000)}`;
  await expect(extract(endless, typescript, 50)).rejects.toMatchObject({ code: "TOO_LARGE" });
  expect((await extract("const ok = 1", typescript)).declarations.map((d) => d.name)).toEqual(["ok"]);
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
