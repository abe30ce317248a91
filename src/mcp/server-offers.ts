/** A text that a server offers a person as a beginning. */
export interface RemotePrompt {
  name: string;
  description: string;
  arguments: { name: string; required: boolean; description: string }[];
}

/** A document that a server offers for reading. */
export interface RemoteResource {
  uri: string;
  name: string;
  description: string;
}

/** What a server offers a person besides tools. */
export interface Offers {
  /** What the server offers to start from; nothing where it has no prompts. */
  prompts(): Promise<RemotePrompt[]>;
  /** The text of a prompt, with its arguments filled in by the server. */
  prompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>;
  resources(): Promise<RemoteResource[]>;
  resource(uri: string, signal: AbortSignal): Promise<string>;
}
