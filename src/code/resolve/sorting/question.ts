import type { Language } from "../../languages/language.ts";
import type { ParsedFile, Project } from "../../project/project.ts";
import type { Bindings } from "../bindings.ts";
import type { Visibility } from "../visibility.ts";
import type { Candidates } from "./candidates.ts";
import type { HeldFunctions } from "./held-functions.ts";
import type { Types } from "./types.ts";
import type { Verdict } from "./verdict.ts";

/** What leads a name to its declaration. */
export interface Resolver {
  project: Project;
  bindings: Bindings;
  visibility: Visibility;
}

/** What is asked about a name, and what helps to answer it. */
export interface Question {
  candidates: Candidates;
  resolver: Resolver;
  types: Types;
  held: HeldFunctions;
}

/** The file in which a name occurs. */
export interface FileContext {
  file: ParsedFile;
  language: Language;
  /** What names mean that stand alone outside of functions and types: the same everywhere in the file. */
  bareNames: Map<string, Promise<Verdict>>;
}
