/**
 * Which request led to which tool: what a search for tools learns from. It answers at once, because ranking tools must not
 * wait: a store that is elsewhere reads the uses when it is opened and writes new ones behind. A use that cannot be read or
 * written is no reason for a call to fail; it is forgotten.
 */
export interface Uses {
  record(query: string, tool: string): void;
  /** The newest requests by tool, at most so many each. */
  recent(perTool: number): Map<string, string[]>;
}
