/** A place where a symbol is used. */
export interface Reference {
  file: string;
  line: number;
  column: number;
  offset: number;
  /** The name as it is written here: another one where an import renamed it. */
  length: number;
  /** The line it stands in, trimmed. */
  text: string;
  /** Of an import of several lines, what matters of them. */
  statement?: string;
  kind: "call" | "import" | "use";
  /** The function or type around it; none at the top of the file. */
  within?: string;
  /** Line of that declaration, for who wants to read it. */
  withinLine?: number;
  /** Scope, import or type prove it; without, nothing proves or excludes it. */
  certain: boolean;
  /** Why it is not certain. */
  why?: string;
  /** Of one that is not certain: the line of the same function that binds what stands before the dot. */
  binding?: { line: number; text: string };
  /** The import passes the name on; `users`: files that use it through this one, where all were looked at. */
  reexport?: { users?: number };
}
