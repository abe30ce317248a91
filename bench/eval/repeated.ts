import { type ModelRequest, messageText, systemText, toolText } from "./messages.ts";

/** The earlier requests of a run, for what a later one has in common with them. */
export class EarlierRequests {
  readonly #requests: ModelRequest[] = [];

  add(asked: ModelRequest): void {
    this.#requests.push(asked);
  }

  /** How many characters a request starts with that an earlier one has in the same place: what prompt caching reads again. */
  repeatedIn(asked: ModelRequest): number {
    const text = requestText(asked);
    return Math.max(0, ...this.#requests.map((earlier) => sharedStart(text, requestText(earlier))));
  }

  /** All of the first request of a conversation; of later ones, only what is new. */
  newIn(asked: ModelRequest): string {
    const messages = asked.messages.map(messageText);
    const shared = this.#requests.map(({ messages: earlier }) =>
      sharedStart(messages, earlier.map(messageText)),
    );
    const most = Math.max(0, ...shared);
    const before = most > 0 ? this.#requests[shared.lastIndexOf(most)] : undefined;
    const known = new Set(before?.tools?.map(toolText));
    const tools = (asked.tools ?? []).map(toolText).filter((tool) => !known.has(tool));
    const fresh = asked.messages.slice(most);
    // What the reader wrote, which comes back as a message, is not news.
    const first = before ? fresh.findIndex(({ role }) => role !== "assistant") : 0;
    return [
      ...(before && systemText(asked) === systemText(before) ? [] : [`=== system ===\n${systemText(asked)}`]),
      ...(before && tools.length === 0 ? [] : [`=== tools ===\n${tools.join("\n")}`]),
      `=== messages ===\n${fresh.slice(Math.max(0, first)).map(messageText).join("\n")}`,
      ...(asked.tool_choice?.type === "none" ? ["(no tool may be called now)"] : []),
    ].join("\n\n");
  }
}

/** In the order in which a provider caches it. */
const requestText = (asked: ModelRequest) =>
  [JSON.stringify(asked.tools ?? []), systemText(asked), ...asked.messages.map(messageText)].join("\n");

function sharedStart(one: ArrayLike<string>, other: ArrayLike<string>): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  return at;
}
