// Which types implement an interface by having its methods, whether or not they mean to: in Go.
import { posix } from "node:path";
import type { Language } from "../languages/language.ts";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { lastPart } from "../syntax/declared-names.ts";
import { type Inheritance, qualifiedName } from "../syntax/syntax.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import { Bindings } from "./bindings.ts";
import { keyOf as definitionKey } from "./declared.ts";
import { type Definition, findExact, holdersOf } from "./definitions.ts";
import type { ModuleFiles } from "./module-files.ts";
import { childrenOf } from "./parents.ts";

/** A type of a package, which is a folder, or of one of its functions; of a package that is not here, the package's name. */
interface PlaceOfType {
  folder: string;
  name: string;
  language: string;
  isOutside?: boolean;
}

/** What a type has by itself. */
interface Own {
  /** With its signature, where that is known. */
  methods: [name: string, signature: string | undefined][];
  embedded: PlaceOfType[];
  /** It is of a package that is not here, and its methods are not known. */
  isOpen?: boolean;
}

/** What a type has, that of what it embeds included. */
interface Methods {
  signatures: ReadonlyMap<string, string | undefined>;
  /** Some of what it embeds may have more methods than are known. */
  isOpen: boolean;
}

/** A type that has the methods of an interface; possibly, where what it or the interface embeds is not known. */
export interface Implementer {
  definition: Definition;
  byName?: boolean;
}

/** Types are looked for by so many of an interface's methods: one may come from what a type embeds. */
const mostLookedFor = 2;

export class Shapes {
  readonly #project: Project;
  readonly #modules: () => Promise<ModuleFiles>;
  readonly #own = new Map<string, Promise<Own>>();
  #bindings: Bindings | undefined;

  constructor(project: Project, modules: () => Promise<ModuleFiles>) {
    this.#project = project;
    this.#modules = modules;
  }

  /** The types that have every method of an interface, or may get those that they lack from what they embed. */
  async implementers(wanted: Definition): Promise<Implementer[]> {
    const language = languageNamed(wanted.syntax.language);
    if (language?.packageIs !== "folder" || wanted.declaration.kind !== "interface") return [];
    const methods = await this.#methodsOf({
      folder: posix.dirname(wanted.file),
      name: qualifiedName(wanted.declaration),
      language: language.name,
    });
    // The rarest method leads to the fewest types.
    const rarest = [...methods.signatures.keys()]
      .toSorted((a, b) => this.#project.words.withWord(a).length - this.#project.words.withWord(b).length)
      .slice(0, mostLookedFor);
    const places = new Map<string, PlaceOfType>();
    for (const method of rarest)
      for (const place of await this.#typesWith(method, wanted.syntax.language))
        places.set(keyOf(place), place);
    const found: Implementer[] = [];
    for (const place of places.values()) {
      const owned = await this.#methodsOf(place);
      const lacking = [...methods.signatures.keys()].filter((name) => !owned.signatures.has(name)).length;
      const mayBeGiven = owned.isOpen && lacking <= methods.signatures.size / 2;
      const alike = signaturesAgree(methods, owned, language);
      if ((lacking > 0 && !mayBeGiven) || alike === "no") continue;
      const byName = lacking > 0 || methods.isOpen || alike === "maybe";
      // A package and its tests, which are another one in the same folder, may each have a type of the name.
      for (const definition of await this.#declared(place))
        if (definition.declaration.kind !== "interface")
          found.push({ definition, ...(byName && { byName }) });
    }
    return found;
  }

  /** Where an interface has no name, as in `node.(interface{ Close() })`: every method of that name. */
  async ofUnnamed(method: Definition): Promise<Definition[]> {
    const { declaration, syntax } = method;
    const all = await findExact(this.#project, declaration.name, "method");
    return all.filter((d) => !d.declaration.bodiless && d.syntax.language === syntax.language);
  }

  /** The names of the types that a type embeds, at any depth: what they have, it has. */
  async embeddedIn({ file, declaration, syntax }: Definition): Promise<string[]> {
    const type = { folder: posix.dirname(file), name: declaration.name, language: syntax.language };
    if (languageNamed(syntax.language)?.packageIs !== "folder") return [];
    return (await this.#withEmbedded(type)).map(({ name }) => name).slice(1);
  }

  /** The types that declare a method, and all that embed one of them. */
  async #typesWith(method: string, language: string): Promise<PlaceOfType[]> {
    const found = new Map<string, PlaceOfType>();
    const add = (place: PlaceOfType) => {
      if (!found.has(keyOf(place))) found.set(keyOf(place), place);
    };
    const family = familyOfLanguage(language);
    for (const { file, declaration, syntax } of await findExact(this.#project, method, "method"))
      if (declaration.owner && familyOfLanguage(syntax.language) === family)
        add({ folder: posix.dirname(file), name: declaration.owner, language });
    for (const [type, methods] of languageNamed(language)?.knownMethods ?? []) {
      const [folder = "", name = folder] = type.split(".");
      if (methods.includes(method))
        add({ folder: name === folder ? "" : folder, name, language, isOutside: true });
    }
    // What is added while this runs is looked at, too.
    for (const place of found.values()) for (const one of await this.#embedders(place)) add(one);
    return [...found.values()].filter(({ isOutside }) => !isOutside);
  }

  /** The types that embed a type. */
  async #embedders(place: PlaceOfType): Promise<PlaceOfType[]> {
    const { name, language, isOutside } = place;
    const found: PlaceOfType[] = [];
    if (!isOutside) for (const file of holdersOf(this.#project, name)) await this.#project.syntax(file);
    for (const child of await childrenOf(this.#project, name)) {
      for (const file of this.#project.declaring(child)) {
        if (file.language !== language) continue;
        for (const one of (await this.#project.syntax(file))?.inherits ?? []) {
          const isIt = one.parent === name && one.child === child;
          const embedded = isIt ? await this.#embedded(one, file) : [];
          if (embedded.some((type) => keyOf(type) === keyOf(place)))
            found.push({ folder: posix.dirname(file.path), name: child, language });
        }
      }
    }
    return found;
  }

  async #methodsOf(type: PlaceOfType): Promise<Methods> {
    const signatures = new Map<string, string | undefined>();
    let isOpen = false;
    // What a type has itself comes before what it embeds.
    for (const place of await this.#withEmbedded(type)) {
      const own = await this.#ownOf(place);
      for (const [name, signature] of own.methods) if (!signatures.has(name)) signatures.set(name, signature);
      isOpen ||= own.isOpen === true;
    }
    return { signatures, isOpen };
  }

  async #withEmbedded(type: PlaceOfType): Promise<PlaceOfType[]> {
    const places = new Map([[keyOf(type), type]]);
    // What is added while this runs is looked at, too.
    for (const place of places.values())
      for (const one of (await this.#ownOf(place)).embedded)
        if (!places.has(keyOf(one))) places.set(keyOf(one), one);
    return [...places.values()];
  }

  #ownOf(place: PlaceOfType): Promise<Own> {
    const key = keyOf(place);
    const own = this.#own.get(key) ?? (place.isOutside ? knownOf(place) : this.#findOwn(place));
    this.#own.set(key, own);
    return own;
  }

  async #findOwn(place: PlaceOfType): Promise<Own> {
    const own: Own = { methods: [], embedded: [] };
    const name = lastPart(place.name);
    for (const { file } of this.#project.words.withWord(name)) {
      if (posix.dirname(file.path) !== place.folder || !file.language) continue;
      const syntax = await this.#project.syntax(file);
      for (const d of syntax?.declarations ?? [])
        if (d.owner === place.name && d.kind === "method") own.methods.push([d.name, d.signature]);
      for (const one of syntax?.inherits ?? [])
        if (one.child === name) own.embedded.push(...(await this.#embedded(one, file)));
    }
    return own;
  }

  /** What a name means where a type embeds it: a type of the same package, or that of one that is imported. */
  async #embedded({ parent: name, space }: Inheritance, file: IndexedFile): Promise<PlaceOfType[]> {
    const { path, language } = file;
    const here = { folder: posix.dirname(path), name, language };
    const outside = { folder: space ?? "", name, language, isOutside: true };
    if (space === undefined) return [(await this.#declared(here)).length > 0 ? here : outside];
    const syntax = await this.#project.syntax(file);
    this.#bindings ??= new Bindings(this.#project, await this.#modules());
    const led = syntax ? await this.#bindings.memberTargets({ path, syntax }, space, name) : [];
    const folders = new Set(led.map((target) => posix.dirname(target.file)));
    return folders.size > 0 ? [...folders].map((folder) => ({ ...here, folder })) : [outside];
  }

  async #declared({ folder, name }: PlaceOfType): Promise<Definition[]> {
    const all = await findExact(this.#project, name, "type");
    return all.filter((d) => posix.dirname(d.file) === folder && d.declaration.name === name);
  }
}

async function knownOf({ folder, name, language }: PlaceOfType): Promise<Own> {
  const known = languageNamed(language)?.knownMethods?.get(folder === "" ? name : `${folder}.${name}`);
  return {
    methods: (known ?? []).map((method) => [method, undefined]),
    embedded: [],
    ...(!known && { isOpen: true }),
  };
}

/** Whether all methods that two types both have take and return the same. */
function signaturesAgree(
  wanted: Methods,
  owned: Methods,
  { sameSignature }: Language,
): "yes" | "no" | "maybe" {
  let isSure = true;
  for (const [name, signature] of wanted.signatures) {
    const own = owned.signatures.get(name);
    if (signature === undefined || own === undefined || !sameSignature) continue;
    const answer = sameSignature(signature, own);
    if (answer === "no") return "no";
    if (answer === "maybe") isSure = false;
  }
  return isSure ? "yes" : "maybe";
}

const keyOf = ({ folder, name, isOutside }: PlaceOfType) => `${isOutside ? "outside " : ""}${folder} ${name}`;

/** Which of the found types implement another found one. */
export async function implementing(
  shapes: Shapes,
  found: readonly Definition[],
): Promise<Map<Definition, string>> {
  const marks = new Map<Definition, string>();
  const others = found.filter((d) => d.declaration.kind !== "interface");
  const interfaces = others.length > 0 ? found.filter((d) => !others.includes(d)) : [];
  for (const one of interfaces) {
    const shaped = new Set(
      (await shapes.implementers(one))
        .filter(({ byName }) => !byName)
        .map(({ definition }) => definitionKey(definition)),
    );
    for (const other of others) {
      const declared = other.syntax.inherits.some(
        ({ child, parent }) => child === other.declaration.name && parent === one.declaration.name,
      );
      if (declared || shaped.has(definitionKey(other))) marks.set(other, one.declaration.name);
    }
  }
  return marks;
}
