import { type Answer, type Ask, type Asker, automaticApproval } from "../approval/approval.ts";

/** How much of the web a research may read without asking. */
export interface PageBudgetLimits {
  /** Sites; `www.` and the bare name are one. */
  sites: number;
  megabytes: number;
}

interface StepContext {
  limits: PageBudgetLimits;
  /** Bytes that came from the web so far, for any caller. */
  received(): number;
  /** Answers requests that the budget does not cover; undefined: nobody can be asked. */
  person: Asker | undefined;
  /** Only addresses that were found are read, and every other request is asked about: the run may know private files. */
  onlyFound: boolean;
}

const megabyte = 1_000_000;

/**
 * Answers in the person's place, within limits that they set once, when a research wants to read a page. It says yes only to
 * plain reading: a GET without headers of its own, by a tool that reads pages.
 */
export class PageBudget {
  readonly #given: StepContext;
  readonly #receivedBefore: number;
  readonly #sites = new Set<string>();
  readonly #found = new Set<string>();
  /** Requests that the limits refused, and the reasons of all others. */
  #overLimits = 0;
  readonly #otherRefusals = new Set<string>();

  constructor(given: StepContext) {
    this.#given = given;
    this.#receivedBefore = given.received();
  }

  /** Addresses in a result: they were not made up from what the model knows. */
  noteFound(text: string): void {
    for (const [url] of text.matchAll(/https?:\/\/[^\s<>"')\]]+/g)) this.#found.add(url);
  }

  readonly asker: Asker = async (asks, signal) => {
    const answers = asks.map((ask) => this.#answer(ask));
    const { person } = this.#given;
    const open = asks.filter((_, at) => answers[at]?.approved !== true);
    if (!person || open.length === 0) {
      for (const [at, ask] of asks.entries()) this.#note(ask, answers[at]);
      return answers;
    }
    const given = await person(open, signal);
    return asks.map((ask, at) => given[open.indexOf(ask)] ?? answers[at] ?? no("Nobody answered."));
  };

  /** What the person should know at the end about requests that were refused, a sentence each. */
  refused(): string[] {
    const count = this.#overLimits;
    const pages = count === 1 ? "One request was" : `${count} requests were`;
    const { sites, megabytes } = this.#given.limits;
    return [
      ...(count === 0
        ? []
        : [
            `${pages} refused: a research reads up to ${sites} sites and ${megabytes} MB without asking. Change it with --max-sites and --max-megabytes, or with "research" in the settings.`,
          ]),
      ...this.#otherRefusals,
    ];
  }

  #answer(ask: Ask): LimitedAnswer {
    const { limits, onlyFound } = this.#given;
    if (ask.tool === "web_search" && !onlyFound) return { approved: true, automatic: true };
    const url = pageOf(ask);
    if (!url) return no(`${ask.tool} needs a person's approval, and a research goes on without one.`);
    if (onlyFound && !this.#found.has(url.href) && !this.#found.has(url.href.replace(/\/$/, "")))
      return no(
        `${url.href} was in no result. With files of the workspace at hand, only addresses that were found are read.`,
      );
    const used = (this.#given.received() - this.#receivedBefore) / megabyte;
    if (used >= limits.megabytes)
      return overLimit(
        `The ${limits.megabytes} MB that this research may read are used up. Answer from what you have.`,
      );
    const site = url.hostname.replace(/^www\./, "");
    if (!this.#sites.has(site) && this.#sites.size >= limits.sites)
      return overLimit(
        `This research may read ${limits.sites === 1 ? "one site" : `${limits.sites} sites`}, and has; ${site} is none of them. Read on there, or answer from what you have.`,
      );
    this.#sites.add(site);
    return automaticApproval(ask);
  }

  #note({ tool }: Ask, answer: LimitedAnswer | undefined): void {
    if (!answer || answer.approved) return;
    if (answer.isOverLimit) this.#overLimits++;
    else this.#otherRefusals.add(`A call of ${tool} was refused: ${answer.reason}`);
  }
}

interface LimitedAnswer extends Answer {
  /** The person's limits on sites and bytes are the reason. */
  isOverLimit?: true;
}

function no(reason: string): LimitedAnswer {
  return { approved: false, reason, byLimit: true };
}

function overLimit(reason: string): LimitedAnswer {
  return { ...no(reason), isOverLimit: true };
}

/** The page that a call would read, if reading is all it does. */
function pageOf({ tool, effects, args }: Ask): URL | undefined {
  const [effect, ...more] = effects;
  const isReader = tool === "browseWeb" || tool === "web_fetch";
  if (!isReader || more.length > 0 || effect?.kind !== "fetch" || effect.method !== "GET") return undefined;
  return args["headers"] === undefined && args["body"] === undefined
    ? (URL.parse(effect.url) ?? undefined)
    : undefined;
}
