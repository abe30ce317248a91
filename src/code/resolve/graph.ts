import { posix } from "node:path";
import { typeKinds } from "../languages/language.ts";
import type { Project } from "../project/project.ts";
import { qualifiedName } from "../syntax/syntax.ts";
import { Bindings } from "./bindings.ts";
import { findCallees } from "./callees.ts";
import { type Definition, findDefinitions, findExact, withoutHeads } from "./definitions.ts";
import { filesCalled } from "./files-called.ts";
import type { Operation } from "./graph-operations.ts";
import { importersOf, importsOf } from "./importers.ts";
import type { ModuleFiles } from "./module-files.ts";
import { findReferences } from "./references.ts";
import { implementersByShape, inheritorsOf } from "./relations.ts";
import { Visibility } from "./visibility.ts";

/** One end of a relation. */
export interface GraphNode {
  name: string;
  kind: string;
  signature: string;
  file: string;
  line: number;
  /** How many steps from the target. */
  depth: number;
  /** Only the name agrees. */
  byName?: boolean;
}

export type GraphAnswer =
  | { target: Definition | undefined; nodes: GraphNode[] }
  /** The name means several things: one of these must be asked for. */
  | { candidates: Definition[] };

/** Answers one question about how a symbol (or, for imports, a file) relates to the rest, as far as it may be read. */
export async function askGraph(
  project: Project,
  modules: ModuleFiles,
  { operation, target, depth }: { operation: Operation; target: string; depth: number },
  mayRead: (path: string) => boolean,
): Promise<GraphAnswer | undefined> {
  const graph = new Graph(project, modules, mayRead);
  if (operation === "importers" || operation === "imports") {
    const files = (await graph.filesNamed(target)).filter(mayRead);
    if (files.length === 0) return undefined;
    return {
      target: undefined,
      nodes: await graph.walk(
        files,
        depth,
        (file, at) => (operation === "imports" ? graph.imports(file, at) : graph.importers(file, at)),
        (node) => [node.file],
      ),
    };
  }
  const chosen = await chooseTarget(project, target, operation, mayRead);
  if (!chosen || "candidates" in chosen) return chosen;
  const expand = (definition: Definition, at: number) => graph.expand(operation, definition, at);
  const nodes = await graph.walk([chosen.target], depth, expand, (node) => graph.definitionsAt(node));
  return { target: chosen.target, nodes };
}

/** The one definition a name means here, or those it could mean. */
async function chooseTarget(
  project: Project,
  symbol: string,
  operation: Operation,
  mayRead: (path: string) => boolean,
): Promise<{ target: Definition } | { candidates: Definition[] } | undefined> {
  const all = (await findExact(project, symbol)).filter(({ file }) => mayRead(file));
  const fitting = all.filter(({ declaration: { kind } }) =>
    fits(operation, typeKinds.has(kind), kind === "func" || kind === "method" || kind === "macro"),
  );
  const usable = fitting.length > 0 ? fitting : all;
  const [first] = usable;
  if (!first) {
    const similar = await findDefinitions(project, symbol);
    const near = similar.filter(({ file }) => mayRead(file)).slice(0, 10);
    return near.length > 0 ? { candidates: near } : undefined;
  }
  // Overloads, prototypes and reopened types are one thing.
  const others = withoutHeads(usable);
  const distinct = new Map(others.map((d) => [`${sameThing(d)}`, d]));
  return distinct.size > 1 ? { candidates: [...distinct.values()] } : { target: others[0] ?? first };
}

const sameThing = ({ file, declaration }: Definition) =>
  `${posix.dirname(file)} ${qualifiedName(declaration)}`;

function fits(operation: Operation, isType: boolean, isFunction: boolean): boolean {
  if (operation === "callees") return isFunction;
  if (operation === "methods" || operation === "inheritors") return isType;
  return operation === "implementations" ? isType || isFunction : true;
}

class Graph {
  readonly #project: Project;
  readonly #modules: ModuleFiles;
  readonly #bindings: Bindings;
  readonly #visibility: Visibility;
  readonly #mayRead: (path: string) => boolean;

  constructor(project: Project, modules: ModuleFiles, mayRead: (path: string) => boolean) {
    this.#mayRead = mayRead;
    this.#project = project;
    this.#modules = modules;
    this.#bindings = new Bindings(project, modules);
    this.#visibility = new Visibility(project, modules);
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
          const key = `${node.file}:${node.line}:${node.name}`;
          if (found.has(key) || !this.#mayRead(node.file)) continue;
          found.set(key, node);
          if (step < depth) next.push(...(await onwards(node)));
        }
      }
      front = next;
    }
    return [...found.values()];
  }

  async expand(operation: Operation, definition: Definition, depth: number): Promise<GraphNode[]> {
    switch (operation) {
      case "callers":
        return this.#users(definition, depth, true);
      case "usages":
        return this.#users(definition, depth, false);
      case "callees":
        return this.#callees(definition, depth);
      case "methods":
        return this.#methods(definition, depth);
      case "inheritors":
        return (await inheritorsOf(this.#project, definition)).map((d) => nodeOf(d, depth));
      default:
        return this.#implementations(definition, depth);
    }
  }

  async definitionsAt({ file, line, name }: GraphNode): Promise<Definition[]> {
    const indexed = this.#project.words.file(file);
    const syntax = indexed && (await this.#project.syntax(indexed));
    const declaration = syntax?.declarations.find((d) => d.line === line && qualifiedName(d) === name);
    return syntax && declaration ? [{ file, declaration, syntax, distance: 0 }] : [];
  }

  async #users(definition: Definition, depth: number, callsOnly: boolean): Promise<GraphNode[]> {
    const nodes = new Map<string, GraphNode>();
    for (const { file, kind, line, text, within, withinLine, certain } of await findReferences(
      this.#project,
      this.#modules,
      definition,
    )) {
      if (kind === "import" || (callsOnly && kind !== "call")) continue;
      const key = `${file}:${within ?? line}`;
      if (nodes.has(key) && nodes.get(key)?.byName !== true) continue;
      const around =
        within && withinLine
          ? (
              await this.definitionsAt({
                name: within,
                file,
                line: withinLine,
                kind: "",
                signature: "",
                depth,
              })
            )[0]
          : undefined;
      const node = around
        ? nodeOf(around, depth)
        : { name: "(top level)", kind: "module", signature: text.slice(0, 120), file, line, depth };
      nodes.set(key, certain ? node : { ...node, byName: true });
    }
    return [...nodes.values()];
  }

  async #callees(definition: Definition, depth: number): Promise<GraphNode[]> {
    const resolver = { project: this.#project, bindings: this.#bindings, visibility: this.#visibility };
    const found = await findCallees(resolver, definition);
    return found.map(({ callee, certain }) =>
      certain ? nodeOf(callee, depth) : { ...nodeOf(callee, depth), byName: true },
    );
  }

  async #methods({ file, declaration, syntax }: Definition, depth: number): Promise<GraphNode[]> {
    const owner = qualifiedName(declaration);
    const last = declaration.name;
    const folder = posix.dirname(file);
    const found: Definition[] = [];
    for (const { file: other } of this.#project.words.withWord(last)) {
      if (
        other.language !== syntax.language ||
        (other.path !== file &&
          posix.dirname(other.path) !== folder &&
          syntax.language !== "Rust" &&
          syntax.language !== "C++")
      )
        continue;
      const theirs = await this.#project.syntax(other);
      for (const d of theirs?.declarations ?? []) {
        const isOwn = d.owner === owner || d.owner?.endsWith(`.${last}`) || d.owner === last;
        if (theirs && isOwn && (d.kind === "method" || d.kind === "func"))
          found.push({ file: other.path, declaration: d, syntax: theirs, distance: 0 });
      }
    }
    return found.map((d) => nodeOf(d, depth));
  }

  async #implementations(definition: Definition, depth: number): Promise<GraphNode[]> {
    const { declaration, syntax } = definition;
    if (typeKinds.has(declaration.kind)) {
      const declared = await inheritorsOf(this.#project, definition);
      const shaped = syntax.language === "Go" ? await implementersByShape(this.#project, definition) : [];
      return [...declared, ...shaped]
        .filter((d) => d.declaration.kind !== "interface" || declaration.kind !== "interface")
        .map((d) => nodeOf(d, depth));
    }
    // A method: the methods of that name in the types below its own.
    const owner = declaration.owner?.split(".").at(-1);
    const types = owner ? await findExact(this.#project, owner) : [];
    const below = new Set<string>();
    for (const type of types) {
      for (const d of [
        ...(await inheritorsOf(this.#project, type)),
        ...(syntax.language === "Go" ? await implementersByShape(this.#project, type) : []),
      ])
        below.add(d.declaration.name);
    }
    const same = await findExact(this.#project, declaration.name);
    return same
      .filter((d) => below.has(d.declaration.owner?.split(".").at(-1) ?? ""))
      .map((d) => nodeOf(d, depth));
  }

  async importers(file: string, depth: number): Promise<GraphNode[]> {
    const found = await importersOf(this.#project, this.#modules, [file]);
    return found.map(({ file: path, line, statement }) => ({
      name: path,
      kind: "file",
      signature: statement,
      file: path,
      line,
      depth,
    }));
  }

  async imports(file: string, depth: number): Promise<GraphNode[]> {
    const indexed = this.#project.words.file(file);
    const syntax = indexed && (await this.#project.syntax(indexed));
    if (!syntax) return [];
    return importsOf(this.#bindings, file, syntax).flatMap(({ clause, files }) =>
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
    const files = filesCalled(this.#project, target);
    return files.length > 0 ? files : (await findExact(this.#project, target)).slice(0, 1).map((d) => d.file);
  }
}

export function nodeOf({ file, declaration }: Definition, depth: number): GraphNode {
  const { kind, signature, line } = declaration;
  return { name: qualifiedName(declaration), kind, signature, file, line, depth };
}
