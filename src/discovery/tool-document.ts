/** The searchable text of one tool. */
export interface ToolDocument {
  name: string;
  title?: string;
  category?: string;
  description: string;
  /** Argument names with their descriptions. */
  parameters?: Readonly<Record<string, string>>;
  /** Titles of examples, the skill's name: more words for what it can do. */
  hints?: readonly string[];
  /** Requests that led to a call of it. */
  uses?: readonly string[];
}

/**
 * The server or family that a name belongs to, by its prefix (`github__create_issue`, `maps/route`); "" for none. A
 * dot does not count: the word before it often describes what the tool does (`weather.get`).
 */
export function providerOf(name: string): string {
  return /^(.+?)(?:__|\/)/.exec(name)?.[1] ?? "";
}
