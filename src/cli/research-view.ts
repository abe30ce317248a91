import type { ResearchNews } from "../app/research.ts";
import type { Wield } from "../app/wield.ts";
import { visibleLine } from "../text/visible.ts";
import { failureLine } from "./outcome.ts";
import { briefly } from "./run-view.ts";
import { type Io, painter } from "./terminal.ts";

/**
 * The course of a research on standard error: the plan, then each call with the number of its question, since questions
 * are looked into at the same time. Standard output is for the report.
 */
export class ResearchView {
  readonly #io: Io;
  readonly #paint: ReturnType<typeof painter>;
  /** The number of the question that a session is about. */
  readonly #numbers = new Map<string, number>();

  constructor(io: Io) {
    this.#io = io;
    this.#paint = painter(io);
  }

  tell(news: ResearchNews): void {
    const { err } = this.#io;
    if (news.phase === "plan") err(this.#paint("dim", "Planning the questions …"));
    if (news.phase === "finished")
      err(this.#paint("dim", "This research is finished: no model is asked, and nothing is read."));
    if (news.phase === "report") err(this.#paint("dim", "Writing the report …"));
    if (news.phase === "questions") {
      err(news.questions.map((question, at) => `${at + 1}. ${visibleLine(question)}`).join("\n"));
      for (const [at, session] of news.sessions.entries()) this.#numbers.set(session, at + 1);
    }
    if (news.phase === "question") {
      const isAnswered = news.failure === undefined;
      const how = isAnswered ? "✓ answered" : `✗ not answered: ${visibleLine(news.failure ?? "")}`;
      err(this.#paint(isAnswered ? "green" : "yellow", `${news.index + 1}  ${how}`));
    }
  }

  watch(wield: Pick<Wield, "on">): () => void {
    return wield.on((event) => {
      switch (event.type) {
        case "call-start":
          if (event.tool !== "write_file")
            this.#line(event.session, "dim", `→ ${visibleLine(event.tool)} ${briefly(event.input)}`);
          break;
        case "search-add":
          this.#line(event.session, "dim", `→ ${visibleLine(event.tool)} ${briefly({ query: event.query })}`);
          break;
        case "call-result":
          if (!event.ok)
            this.#line(event.session, "red", `✗ ${visibleLine(`${event.tool}: ${failureLine(event.text)}`)}`);
          break;
        case "model-retry": {
          const wait = Math.ceil(event.waitMs / 1000);
          this.#line(event.session, "yellow", `${visibleLine(event.reason)}; retrying in ${wait} s`);
          break;
        }
      }
    });
  }

  #line(session: string, colour: Parameters<ReturnType<typeof painter>>[0], text: string): void {
    const number = this.#numbers.get(session);
    this.#io.err(this.#paint(colour, number === undefined ? text : `${number}  ${text}`));
  }
}
