import type { Elicit } from "./elicitation.ts";

export interface ConnectionParts {
  /** The working directory of its program. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined: nobody can be asked, and the server is told so. */
  elicit(): Elicit | undefined;
}
