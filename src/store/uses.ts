/**
 * Which request led to which tool, for tool search. It is synchronous, because ranking must not wait: a remote store
 * reads the uses when it is opened and writes new ones in the background. A use that cannot be read or written is
 * dropped without failing a call.
 */
export interface Uses {
  record(query: string, tool: string): void;
  /** The newest requests by tool, at most so many each. */
  recent(perTool: number): Map<string, string[]>;
}
