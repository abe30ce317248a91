import { PassThrough, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate as afterInput, setTimeout as wait } from "node:timers/promises";
import { draftLine, queueLines } from "./draft-line.ts";
import { Footer } from "./footer.ts";
import { bracketedPaste, editMessages, type MessageEditor } from "./message-editor.ts";
import type { RunningCalls } from "./running-calls.ts";
import { menuLines, type Suggest } from "./suggestions.ts";
import { type Io, painter } from "./terminal.ts";

interface LiveInputParts {
  suggest: Suggest;
  /** Esc or Ctrl+C. */
  onInterrupt(): void;
  /** Shown before the input; Shift+Tab changes to the next mode. */
  permissions: { readonly label: string; next(): void };
  /** Shown above the input. */
  running: RunningCalls;
  io: Io;
}

/**
 * The keyboard while the agent works: Esc stops it, and messages written at the bottom of the screen are queued. No input
 * is lost: what could not be sent is in the next prompt.
 */
export class LiveInput {
  readonly #parts: LiveInputParts;
  readonly #footer = new Footer(process.stdout);
  readonly #queue: string[] = [];
  #editor: { input: PassThrough; messages: MessageEditor } | undefined;
  /** Unsent input, while there is no editor. */
  #text = "";
  #working = false;
  /** What Esc stops, in words. */
  #stops = "";
  #clock: NodeJS.Timeout | undefined;
  #reading = false;
  #decoder = new StringDecoder();
  #lastKey = Number.NEGATIVE_INFINITY;
  #drawing = false;
  /** What Tab would complete. */
  #menu: readonly string[] = [];
  #question: Promise<unknown> = Promise.resolve();
  /** A prompt waits until the message that is being written is sent or dropped. */
  #asked = false;

  constructor(parts: LiveInputParts) {
    this.#parts = parts;
  }

  /** `stops`: what Esc stops, in words. */
  begin(stops = "the agent"): void {
    this.#working = true;
    this.#stops = stops;
    this.#lastKey = performance.now();
    this.#open();
  }

  /** With `held`, queued messages go back to the person. */
  end(held: boolean): void {
    this.#working = false;
    this.#close();
    if (held) this.giveBack(...this.#queue.splice(0));
  }

  /** Takes the next queued message, if it is one that is wanted now. */
  next(isWanted: (text: string) => boolean = () => true): string | undefined {
    const [first] = this.#queue;
    if (first === undefined || !isWanted(first)) return undefined;
    this.#queue.shift();
    this.#show();
    return first;
  }

  /** Hands the unsent input to the caller. */
  takeText(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** Queued messages, and the one being written. */
  goOn(messages: readonly string[], begun: string): void {
    this.#queue.push(...messages.filter((message) => message !== ""));
    this.#text = begun;
  }

  giveBack(...messages: string[]): void {
    this.#text = [...messages, ...(this.#text === "" ? [] : [this.#text])].join("\n");
  }

  /**
   * Gives a prompt the keyboard: one prompt at a time, and never while a message is being written, because its Enter would
   * answer the prompt. A prompt that was aborted before its turn is not shown.
   */
  async withKeyboard<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const answer = this.#question.then(async () => {
      await this.#sentOrDropped(signal);
      signal.throwIfAborted();
      this.#close();
      return ask();
    });
    this.#question = answer.then(
      () => undefined,
      () => undefined,
    );
    return answer.finally(() => {
      if (this.#working) this.#open();
    });
  }

  #open(): void {
    if (this.#reading) return;
    this.#reading = true;
    const { stdin } = process;
    stdin.setRawMode(true);
    stdin.on("data", this.#onData);
    stdin.resume();
    if (!Footer.possible(process.stdout, this.#parts.io.env["TERM"])) return;
    bracketedPaste.on();
    this.#clock = setInterval(() => this.#show(), redrawMs);
    this.#edit();
  }

  #edit(): void {
    const input = new PassThrough();
    const messages = editMessages({
      input,
      output: new Writable({ write: (_chunk, _encoding, done) => done() }),
      prompt: "",
      begun: this.takeText(),
      history: [],
      suggest: this.#parts.suggest,
      onSuggestions: (found) => {
        this.#menu = menuLines(found, 6);
        if (found.length === 0) this.#menu = [];
        this.#show();
      },
      onMessage: (text) => {
        if (text !== "") this.#queue.push(text);
      },
      // Ctrl+D on an empty line does nothing while the agent works.
      onLeave: () => {
        this.#text = this.#editor?.messages.text ?? "";
        this.#edit();
      },
      onBackTab: () => this.#parts.permissions.next(),
      onKey: (name) => {
        if (name === "up") this.#withdraw();
        this.#show();
      },
    });
    this.#editor = { input, messages };
    this.#show();
  }

  #close(): void {
    if (!this.#reading) return;
    this.#reading = false;
    const { stdin } = process;
    stdin.off("data", this.#onData);
    stdin.setRawMode(false);
    stdin.pause();
    if (!this.#editor) return;
    this.#text = this.#editor.messages.text;
    this.#editor.messages.close();
    this.#editor = undefined;
    clearInterval(this.#clock);
    bracketedPaste.off();
    this.#footer.hide();
  }

  readonly #onData = (key: Buffer) => {
    // Long input arrives in pieces, which may end inside a character or inside a paste marker.
    const text = this.#decoder.write(key);
    this.#lastKey = performance.now();
    // Arrow keys begin with Esc too, but more characters follow.
    const typed = this.#editor?.messages.pasting ? text : text.replace(/[\u001b\u0003]+$/, "");
    if (typed !== "" && typed !== ctrlZ) this.#editor?.input.write(typed);
    if (typed !== text) this.#parts.onInterrupt();
  };

  #withdraw(): void {
    const last = this.#queue.pop();
    if (last === undefined || !this.#editor) return;
    const { text, replace } = this.#editor.messages;
    replace(text === "" ? last : `${last}\n${text}`);
  }

  async #sentOrDropped(signal: AbortSignal): Promise<void> {
    const isWriting = () =>
      this.#editor?.messages.text ||
      // A second press of the same key right after sending is an accident.
      performance.now() - this.#lastKey < stillMs;
    this.#asked = true;
    this.#show();
    try {
      for (;;) {
        // Keys that were pressed while the process was busy count too.
        await afterInput();
        if (!this.#reading || !isWriting()) return;
        await wait(lookMs, undefined, { signal });
      }
    } finally {
      this.#asked = false;
    }
  }

  /** Once for all keys that arrived together: a paste has thousands. */
  #show(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    setImmediate(() => {
      this.#drawing = false;
      this.#draw();
    });
  }

  #draw(): void {
    if (!this.#editor) return;
    const { text, line, cursor } = this.#editor.messages;
    const { io, running, permissions } = this.#parts;
    const paint = painter(io);
    const rows = Math.min(mostRunningRows, process.stdout.rows - fewestTextRows - this.#menu.length);
    const hint = this.#queue.length > 0 ? "↑ withdraws it" : "type a message to send next";
    this.#footer.show([
      ...running.lines(Math.max(1, rows), io),
      ...(this.#asked && text !== ""
        ? [paint("yellow", "An approval is waiting: Enter sends this message first, Ctrl+U deletes it")]
        : []),
      ...queueLines(this.#queue, io),
      ...this.#menu.map((each) => paint("dim", each)),
      draftLine(
        {
          ...{ text, line, cursor, prompt: `${permissions.label}› ` },
          hint: `${hint}, Esc stops ${this.#stops}`,
        },
        io,
      ),
    ]);
  }
}

/** Restores the terminal before the process stops. */
const ctrlZ = "\u001a";
/** Without a key for this long, nobody is typing. */
const stillMs = 500;
const lookMs = 50;
/** Times go on while nothing else happens. */
const redrawMs = 500;
/** The most rows for calls that run, and the fewest for everything else. */
const mostRunningRows = 8;
const fewestTextRows = 14;
