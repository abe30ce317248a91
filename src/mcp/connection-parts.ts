import type { Elicit } from "./elicitation.ts";

export interface ConnectionParts {
  /** Where its program is started. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined: nobody is there, and the server is told so. */
  elicit(): Elicit | undefined;
}
