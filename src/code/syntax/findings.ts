import type { Node, QueryMatch } from "web-tree-sitter";
import { type Kind, kindOfCapture } from "../languages/language.ts";
import { Scopes } from "./scopes.ts";

/** A declaration as one pattern matched it. */
export interface Raw {
  kind: Kind | "impl";
  /** Another name for what is declared inside it: holds nothing itself. */
  alias: boolean;
  name: Node;
  node: Node;
  body?: Node;
  owner?: string;
  hoisted: boolean;
}

/** A name that is bound. */
interface Bound {
  node: Node;
  always: boolean;
  /** Where it ends, if that is not with the scope around. */
  until?: number;
}

/** Everything one query found, sorted by what it is. */
export interface Findings {
  declared: Raw[];
  bound: Bound[];
  scopes: Scopes;
  /** Stretches behind whose end the names hold that are bound in them. */
  declaring: Scopes;
  /** Names that a function says are not its own. */
  outer: Node[];
  supers: Node[];
  /** Classes without a name: `new Base() {…}`, `object : Base {…}`. */
  anonymous: Node[];
  imports: Node[];
  packages: string[];
  default?: string;
  quiet: Node[];
  /** Code inside of a text. */
  live: Node[];
  /** Texts in which names may stand in braces. */
  formats: Node[];
  /** What the grammar does not look into, with texts and comments among its code. */
  unread: Node[];
}

/** Sorts a query's matches by what their captures say they are. */
export function sortOut(matches: QueryMatch[]): Findings {
  const found: Findings = {
    declared: [],
    bound: [],
    scopes: new Scopes(),
    declaring: new Scopes(),
    outer: [],
    supers: [],
    anonymous: [],
    imports: [],
    packages: [],
    quiet: [],
    live: [],
    formats: [],
    unread: [],
  };
  for (const { captures } of matches) {
    let kind: Kind | "impl" | undefined;
    let node: Node | undefined;
    let name: Node | undefined;
    let body: Node | undefined;
    let owner: string | undefined;
    let hoisted = false;
    let alias = false;
    let declaring: [start: number, end: number] | undefined;
    let local: Bound | undefined;
    for (const capture of captures) {
      switch (capture.name) {
        case "name":
          name = capture.node;
          break;
        case "body":
          body = capture.node;
          break;
        case "owner":
          owner = capture.node.text;
          break;
        case "member":
          owner = "this";
          break;
        case "hoist":
          hoisted = true;
          break;
        case "quiet":
          found.quiet.push(capture.node);
          break;
        case "live":
          found.live.push(capture.node);
          break;
        case "format":
          found.formats.push(capture.node);
          break;
        case "unread":
          found.unread.push(capture.node);
          break;
        case "local":
        case "bind":
          local = { node: capture.node, always: capture.name === "local" };
          found.bound.push(local);
          break;
        case "until":
          if (local) local.until = capture.node.endIndex;
          break;
        case "scope":
        case "block":
        case "region":
          found.scopes.add(capture.node.startIndex, capture.node.endIndex, capture.name);
          break;
        case "after":
          declaring = [declaring?.[0] ?? capture.node.startIndex, capture.node.endIndex];
          break;
        case "outer":
          found.outer.push(capture.node);
          break;
        case "super":
          found.supers.push(capture.node);
          break;
        case "anonymous":
          found.anonymous.push(capture.node);
          break;
        case "import":
          found.imports.push(capture.node);
          break;
        case "package":
          found.packages.push(capture.node.text);
          break;
        case "default":
          found.default ??= capture.node.text;
          break;
        default: {
          const known = kindOfCapture.get(capture.name);
          if (known) {
            kind = known;
            node = capture.node;
            alias = capture.name === "alias";
          }
        }
      }
    }
    if (declaring) found.declaring.add(...declaring, "block");
    if (kind && node && name) {
      found.declared.push({
        kind,
        node,
        name,
        hoisted,
        alias,
        ...(body && { body }),
        ...(owner && { owner }),
      });
    }
  }
  found.bound = endingFirst(found.bound);
  return found;
}

/** Of what is bound at one place with several ends, the one that ends first. */
function endingFirst(bound: readonly Bound[]): Bound[] {
  const first = new Map<number, Bound>();
  for (const one of bound) {
    const other = first.get(one.node.startIndex);
    if (!other?.until || (one.until ?? Number.POSITIVE_INFINITY) < other.until)
      first.set(one.node.startIndex, one);
  }
  return bound.filter((one) => one.until === undefined || first.get(one.node.startIndex) === one);
}

/** The same name may be matched by several patterns: the one that says most stays. Sorted by place, outer first. */
export function oncePerName(declared: Raw[]): Raw[] {
  const best = new Map<string, Raw>();
  for (const raw of declared) {
    // What is said of a type beside its declaration does not replace that.
    const key = `${raw.name.startIndex} ${raw.kind === "impl"}`;
    const other = best.get(key);
    if (!other || weight(raw) > weight(other)) {
      best.set(key, other?.hoisted ? { ...raw, hoisted: true } : raw);
    }
  }
  const once = [...best.values()].sort(
    (a, b) => a.node.startIndex - b.node.startIndex || b.node.endIndex - a.node.endIndex,
  );
  return once.filter((raw, i) => !raw.alias || !isRepeated(raw, once[i + 1]));
}

/** `typedef struct name { … } name;` is one type. */
function isRepeated(alias: Raw, next: Raw | undefined): boolean {
  return (
    next !== undefined && next.node.endIndex <= alias.node.endIndex && next.name.text === alias.name.text
  );
}

function weight({ kind, body }: Raw): number {
  const vague = kind === "var" || kind === "const" || kind === "field" || kind === "type" ? 0 : 2;
  return vague + (body ? 1 : 0) + (kind === "enum" || kind === "method" ? 0.5 : 0);
}
