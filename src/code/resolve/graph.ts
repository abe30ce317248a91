import { posix } from "node:path";
import { type Kind, typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { qualifiedName } from "../syntax/syntax.ts";
import { type Account, accountFor } from "./account.ts";
import { Bindings } from "./bindings.ts";
import { findCallees } from "./callees.ts";
import { caveatOnCalls, lambdasMayImplement } from "./caveats.ts";
import { enumAround, isTypeOrTable, lastOwner, overridesUnseen, parentOf } from "./declared.ts";
import { type Definition, findExact } from "./definitions.ts";
import { modulesCalled } from "./files-called.ts";
import type { Operation } from "./graph-operations.ts";
import { candidatesFor, importersOf, importsOf, unknownImports, unknownImportsText } from "./importers.ts";
import type { ModuleFiles } from "./module-files.ts";
import { type FoundReferences, findReferences } from "./references.ts";
import { type Inheritor, inheritorsOf, isMemberOf, placeKey } from "./relations.ts";
import { Shapes } from "./shapes.ts";
import { chooseTarget } from "./target.ts";
import { mayBeOfTrait } from "./trait-impls.ts";
import { literalsOf } from "./typed-literals.ts";
import { TypesBetween } from "./types-between.ts";
import { Visibility } from "./visibility.ts";

/** One end of a relation. */
export interface GraphNode {
  name: string;
  kind: string;
  signature: string;
  file: string;
  line: number;
  /** Where its name stands in the file, for several on one line. */
  offset?: number;
  /** How many steps from the target. */
  depth: number;
  /** Nothing proves that this one is meant. */
  byName?: boolean;
  /** Why it is not proved. */
  why?: string;
  /** The type through which it is related, where it is not so directly. */
  via?: string;
  /** Of callers and usages: the lines in it that use the target. */
  uses?: { line: number; text: string }[];
  /** Of importers: the function that the import stands in. */
  within?: string;
  /** Of an object literal: how it is tied to the type. */
  tie?: string;
  /** Of importers without an import: the lines that name the file by a whole path. */
  inline?: number[];
}

export interface GraphQuestion {
  operation: Operation;
  target: string;
  depth: number;
  kind?: Kind | undefined;
}

export type GraphAnswer =
  | {
      target: Definition | undefined;
      nodes: GraphNode[];
      /** Of callers and usages: how the occurrences of the name were sorted. */
      sorted?: FoundReferences;
      /** Of implementations, inheritors and importers: files that hold one of the names and could not be looked into. */
      unread?: string[];
      /** Of implementations and inheritors: all places of the target's name. */
      account?: Account | undefined;
      /** What cannot be found by the name. */
      caveat?: string | undefined;
      /** Of callers: where a function is used without a call. */
      valueUses?: string[];
      /** Of importers: how many files write some part of the target's path. */
      looked?: number;
      /** Why there may be more than was found. */
      gap?: string;
    }
  /** The name means several things: one of these must be asked for. */
  | { candidates: Definition[] };

/** Answers one question about how a symbol (or, for imports, a file) relates to the rest, as far as it may be read. */
export async function askGraph(
  project: Project,
  modules: ModuleFiles,
  { operation, target, depth, kind }: GraphQuestion,
  mayRead: (path: string) => boolean,
): Promise<GraphAnswer | undefined> {
  const graph = new Graph(project, modules, mayRead);
  if (operation === "importers" || operation === "imports") {
    const files = (await graph.filesNamed(target)).filter(mayRead);
    if (files.length === 0) return undefined;
    const nodes = await graph.walk(
      files,
      depth,
      (file, at) => (operation === "imports" ? graph.imports(file, at) : graph.importers(file, at)),
      (node) => [node.file],
    );
    if (operation === "imports") return { target: undefined, nodes };
    const gap = unknownImportsText(
      (await unknownImports(project, files)).filter(({ file }) => mayRead(file)),
    );
    return { target: undefined, nodes, ...(await graph.mayImport(files)), ...(gap && { gap }) };
  }
  const chosen = await chooseTarget(project, target, { operation, kind }, mayRead);
  if (!chosen || "candidates" in chosen) return chosen;
  const expand = (definitions: Definition[], at: number) => graph.expand(operation, definitions, at);
  const isBelow = operation === "inheritors" || operation === "implementations";
  // Types below are followed to the end in one step.
  const steps = isBelow ? 1 : depth;
  const nodes = await graph.walk([chosen.all], steps, expand, async (node) => [
    await graph.definitionsAt(node),
  ]);
  const { sorted, valueUses } = graph;
  const isOfUsers = operation === "callers" || operation === "usages";
  const caveat = isOfUsers
    ? await caveatOnCalls(project, chosen.all, mayRead)
    : operation === "implementations" && (await lambdasMayImplement(project, chosen.all));
  return {
    target: chosen.target,
    nodes,
    ...(caveat && { caveat }),
    ...(valueUses.length > 0 && { valueUses }),
    ...(sorted && { sorted }),
    ...(isBelow && {
      unread: await graph.unread([chosen.target, ...nodes]),
      account: await graph.account(chosen.all, nodes),
      ...(languageNamed(chosen.target.syntax.language)?.typesAreTables && { gap: unseenParents }),
    }),
  };
}

const severalFiles = "several files fit what is written";
const unseenParents = "A table may be given its parent in ways that are not known here.";

class Graph {
  readonly #project: Project;
  readonly #modules: ModuleFiles;
  readonly #bindings: Bindings;
  readonly #visibility: Visibility;
  readonly #shapes: Shapes;
  readonly #mayRead: (path: string) => boolean;
  /** Where a function is used without a call: it is given to something that may call it. */
  readonly valueUses: string[] = [];
  /** How the occurrences of the target's own name were sorted. */
  sorted: FoundReferences | undefined;

  constructor(project: Project, modules: ModuleFiles, mayRead: (path: string) => boolean) {
    this.#mayRead = mayRead;
    this.#project = project;
    this.#modules = modules;
    this.#bindings = new Bindings(project, modules);
    this.#visibility = new Visibility(project, modules);
    this.#shapes = new Shapes(project, async () => modules);
  }

  /** Breadth first, every node once. */
  async walk<T>(
    starts: T[],
    depth: number,
    expand: (from: T, depth: number) => Promise<GraphNode[]>,
    onwards: (node: GraphNode) => Promise<T[]> | T[],
  ): Promise<GraphNode[]> {
    const found = new Map<string, GraphNode>();
    let front = starts;
    for (let step = 1; step <= depth && found.size < 500; step++) {
      const next: T[] = [];
      for (const from of front) {
        for (const node of await expand(from, step)) {
          const key = `${node.file}:${node.line}:${node.name}:${node.offset ?? ""}`;
          if (found.has(key) || !this.#mayRead(node.file)) continue;
          found.set(key, node);
          if (step < depth) next.push(...(await onwards(node)));
        }
      }
      front = next;
    }
    return [...found.values()];
  }

  async expand(operation: Operation, definitions: Definition[], depth: number): Promise<GraphNode[]> {
    const [first] = definitions;
    if (!first) return [];
    switch (operation) {
      case "callers":
        return this.#users(definitions, depth, true);
      case "usages":
        return this.#users(definitions, depth, false);
      case "callees":
        return this.#callees(definitions, depth);
      case "methods":
        return this.#methods(definitions, depth);
      case "inheritors":
        return (await this.#below(definitions)).map(nodeOfInheritor);
      default:
        return this.#implementations(definitions);
    }
  }

  async definitionsAt({
    file,
    line,
    name,
  }: Pick<GraphNode, "file" | "line" | "name">): Promise<Definition[]> {
    const indexed = this.#project.words.file(file);
    const syntax = indexed && (await this.#project.syntax(indexed));
    const declaration = syntax?.declarations.find((d) => d.line === line && qualifiedName(d) === name);
    return syntax && declaration ? [{ file, declaration, syntax, distance: 0 }] : [];
  }

  async #users(definitions: Definition[], depth: number, callsOnly: boolean): Promise<GraphNode[]> {
    const nodes = new Map<string, GraphNode>();
    const isFunction = ({ declaration: { kind } }: Definition) => kind === "func" || kind === "method";
    const isCalledBare = definitions.some(
      (d) => isFunction(d) && languageNamed(d.syntax.language)?.callsNeedNoBrackets,
    );
    const found = await findReferences(this.#project, this.#modules, definitions, { mayRead: this.#mayRead });
    this.sorted ??= found;
    for (const { file, kind, line, text, within, withinLine, certain, why } of found.references) {
      if (kind === "import") continue;
      if (callsOnly && kind !== "call" && why !== "file not parsed" && !isCalledBare) {
        if (depth === 1 && definitions.every(isFunction)) this.valueUses.push(`${file}:${line}`);
        continue;
      }
      const key = `${file}:${within ?? line}`;
      const use = { line, text: text.slice(0, 300) };
      const known = nodes.get(key);
      const uses = known?.uses?.some((one) => one.line === line) ? known.uses : [...(known?.uses ?? []), use];
      if (known && (known.byName !== true || !certain)) {
        nodes.set(key, { ...known, uses });
        continue;
      }
      const [around] =
        within && withinLine ? await this.definitionsAt({ name: within, file, line: withinLine }) : [];
      const node = around
        ? nodeOf(around, depth)
        : { name: "(top level)", kind: "module", signature: text.slice(0, 120), file, line, depth };
      nodes.set(key, { ...node, uses, ...(!certain && { byName: true, ...(why && { why }) }) });
    }
    return [...nodes.values()];
  }

  async #callees(definitions: Definition[], depth: number): Promise<GraphNode[]> {
    const resolver = { project: this.#project, bindings: this.#bindings, visibility: this.#visibility };
    const nodes: GraphNode[] = [];
    for (const { file, declaration } of definitions)
      for (const { callee, certain } of await findCallees(resolver, file, declaration))
        nodes.push(certain ? nodeOf(callee, depth) : { ...nodeOf(callee, depth), byName: true });
    return nodes;
  }

  async #methods(definitions: Definition[], depth: number): Promise<GraphNode[]> {
    const found = new Map<string, Definition>();
    for (const { file, declaration, syntax } of definitions) {
      const owner = qualifiedName(declaration);
      const last = declaration.name;
      const reach = languageNamed(syntax.language)?.methodsStandIn;
      for (const { file: other } of this.#project.words.withWord(last)) {
        const isNear =
          other.path === file ||
          reach === "any file" ||
          (reach === "folder" && posix.dirname(other.path) === posix.dirname(file));
        if (other.language !== syntax.language || !isNear) continue;
        const theirs = await this.#project.syntax(other);
        for (const d of theirs?.declarations ?? []) {
          const isOwn = d.owner === owner || d.owner?.endsWith(`.${last}`) || d.owner === last;
          if (theirs && isOwn && (d.kind === "method" || d.kind === "func"))
            found.set(`${other.path}:${d.nameStart}`, {
              file: other.path,
              declaration: d,
              syntax: theirs,
              distance: 0,
            });
        }
      }
    }
    return [...found.values()].map((d) => nodeOf(d, depth));
  }

  /** All types below, by what they declare and, where interfaces are implemented so, by shape. */
  async #below(definitions: Definition[]): Promise<Inheritor[]> {
    const found = new Map<string, Inheritor>();
    for (const definition of definitions) {
      for (const one of await inheritorsOf(this.#project, this.#bindings, definition)) {
        const key = placeKey(one.definition);
        if (!found.has(key)) found.set(key, one);
      }
    }
    return [...found.values()];
  }

  async #shaped(definitions: Definition[]): Promise<Inheritor[]> {
    const found: Inheritor[] = [];
    for (const definition of definitions)
      for (const one of await this.#shapes.implementers(definition)) found.push({ ...one, depth: 1 });
    return found;
  }

  async #implementations(definitions: Definition[]): Promise<GraphNode[]> {
    const [first] = definitions;
    if (!first) return [];
    if (typeKinds.has(first.declaration.kind)) {
      const all = [...(await this.#below(definitions)), ...(await this.#shaped(definitions))];
      const declared = all
        .filter(
          ({ definition }) =>
            definition.declaration.kind !== "interface" || first.declaration.kind !== "interface",
        )
        .map(nodeOfInheritor);
      return [...declared, ...(await this.#literals(definitions))];
    }
    return this.#overrides(definitions);
  }

  /** The methods of a method's name in the types below its own. */
  async #overrides(methods: Definition[]): Promise<GraphNode[]> {
    const [first] = methods;
    const owner = first?.declaration.owner?.split(".").at(-1);
    if (!first || !owner) return [];
    const near = (d: Definition) =>
      methods.some((m) => m.file === d.file || posix.dirname(m.file) === posix.dirname(d.file));
    const types = (await findExact(this.#project, owner)).filter((d) =>
      isTypeOrTable(d.declaration, d.syntax.language),
    );
    const { packageIs } = languageNamed(first.syntax.language) ?? {};
    const isInFunction = /^(?:func|method)$/.test(parentOf(first)?.kind ?? "");
    if (packageIs === "folder" && (types.length === 0 || isInFunction))
      return (await this.#shapes.ofUnnamed(first)).map((d) => ({ ...nodeOf(d, 1), byName: true }));
    const own = types.filter(near);
    const roots = own.length > 0 ? own : types;
    const below = new Map<string, Inheritor>();
    const nameless: Inheritor[] = [];
    for (const one of [...(await this.#below(roots)), ...(await this.#shaped(roots))]) {
      const { name: via, start, end } = one.definition.declaration;
      const isNameless = one.definition.syntax.inherits.some(
        ({ anonymous }) => anonymous?.[0] === start && anonymous[1] === end,
      );
      if (isNameless) nameless.push(one);
      below.set(via, one);
      for (const name of await this.#shapes.embeddedIn(one.definition))
        if (!below.has(name)) below.set(name, { ...one, via });
    }
    const nodes: GraphNode[] = [];
    const families = new TypesBetween(this.#project, roots, below);
    const sameName = await findExact(this.#project, first.declaration.name);
    for (const d of sameName) {
      const enumeration = enumAround(d)?.declaration;
      const isOfRoot = roots.some((one) => one.declaration === enumeration);
      const type =
        nameless.find((one) => isMemberOf(d, one.definition)) ??
        (isOfRoot ? { depth: 1, via: undefined, byName: undefined } : undefined) ??
        below.get(enumeration?.name ?? lastOwner(d)) ??
        (await families.through(d, sameName));
      const isMember = d.declaration.kind !== "var" && !typeKinds.has(d.declaration.kind);
      if (!type && overridesUnseen(d)) nodes.push({ ...nodeOf(d, 1), byName: true });
      if (!type || !isMember || methods.some((m) => m.declaration === d.declaration)) continue;
      const isOfThese = (trait: string) =>
        below.has(trait) || roots.some(({ declaration }) => declaration.name === trait);
      if (!(await mayBeOfTrait(this.#project, d, isOfThese))) continue;
      const { depth, via, byName } = type;
      nodes.push({ ...nodeOf(d, depth), ...(via && { via }), ...(byName && { byName }) });
    }
    nodes.sort((a, b) => a.depth - b.depth);
    return [...nodes, ...(await this.#literals(roots, first.declaration.name))];
  }

  /** Object literals that are checked against the types, or their member of this name. */
  async #literals(types: readonly Definition[], member?: string): Promise<GraphNode[]> {
    const literals = await literalsOf(this.#project, this.#modules, types, {
      member,
      mayRead: this.#mayRead,
    });
    return literals.map(({ file, name, line, text, tie }) => ({
      name: member === undefined ? name : `${name}.${member}`,
      kind: "object literal",
      signature: text,
      file,
      line,
      depth: 1,
      tie,
    }));
  }

  /** Files that hold the name of one of these symbols or of its type, and that no parser can look into. */
  async unread(symbols: readonly (Definition | GraphNode)[]): Promise<string[]> {
    const declared = symbols.filter((one) => "declaration" in one || one.kind !== "object literal");
    const names = new Set(
      declared.flatMap((one) =>
        ("declaration" in one ? qualifiedName(one.declaration) : one.name).split("."),
      ),
    );
    const found = new Set<string>();
    for (const name of names) {
      for (const path of await this.#project.notUnderstood(name)) found.add(path);
      for (const { file } of this.#project.words.withWord(name))
        if (this.#project.isPending(file) && !(await this.#project.syntax(file))) found.add(file.path);
    }
    return [...found].filter(this.#mayRead).sort();
  }

  account(targets: readonly Definition[], nodes: readonly GraphNode[]): Promise<Account | undefined> {
    const [first] = targets;
    const own = targets.map(({ file, declaration: { line } }) => ({ file, line }));
    return accountFor(this.#project, first?.declaration.name ?? "", [...own, ...nodes], this.#mayRead);
  }

  /** How many files write some part of these paths, and which of them are not parsed. */
  async mayImport(files: readonly string[]): Promise<{ looked: number; unread: string[] }> {
    const all = [...(await candidatesFor(this.#project, this.#modules, files))].filter(this.#mayRead);
    const pending = this.#project.pending();
    return { looked: all.length, unread: all.filter((path) => pending.has(path)).sort() };
  }

  async importers(file: string, depth: number): Promise<GraphNode[]> {
    const found = await importersOf(this.#project, this.#modules, [file]);
    return found.map(({ file: path, line, statement, within, inline, isPossible }) => ({
      name: path,
      kind: "file",
      signature: statement,
      file: path,
      line,
      depth,
      ...(within && { within }),
      ...(inline && { inline }),
      ...(isPossible && { byName: true, why: severalFiles }),
    }));
  }

  async imports(file: string, depth: number): Promise<GraphNode[]> {
    const indexed = this.#project.words.file(file);
    const syntax = indexed && (await this.#project.syntax(indexed));
    if (!syntax) return [];
    return (await importsOf(this.#project, this.#bindings, file, syntax)).flatMap(({ clause, files }) =>
      (files.length > 0 ? files : [clause.module]).map((path) => ({
        name: path,
        kind: files.length > 0 ? "file" : "external",
        signature: clause.module,
        file: files.length > 0 ? path : file,
        line: files.length > 0 ? 1 : clause.line,
        depth,
      })),
    );
  }

  /** A file by path (with or without extension), or the file of a symbol. */
  async filesNamed(target: string): Promise<string[]> {
    const files = await modulesCalled(this.#project, this.#modules, target);
    return files.length > 0 ? files : (await findExact(this.#project, target)).slice(0, 1).map((d) => d.file);
  }
}

function nodeOf({ file, declaration }: Definition, depth: number): GraphNode {
  const { kind, signature, line, nameStart: offset } = declaration;
  return { name: qualifiedName(declaration), kind, signature, file, line, offset, depth };
}

function nodeOfInheritor({ definition, depth, via, byName }: Inheritor): GraphNode {
  return { ...nodeOf(definition, depth), ...(via && { via }), ...(byName && { byName }) };
}
