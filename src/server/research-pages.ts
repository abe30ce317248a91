import { PageBudget } from "../app/page-budget.ts";
import type { Wield } from "../app/wield.ts";
import type { Asker } from "../approval/approval.ts";

/** Sessions whose budgets are kept; the oldest is forgotten first and would begin anew. */
const mostSessions = 100;

/**
 * Reads pages for the research sessions of the page without asking for each, within the budget that the person set once.
 * What it does not cover is asked on the page.
 */
export class ResearchPages {
  readonly #wield: Wield;
  readonly #person: Asker;
  readonly #budgets = new Map<string, PageBudget>();
  readonly #stopListening: () => void;

  constructor(wield: Wield, person: Asker) {
    this.#wield = wield;
    this.#person = person;
    this.#stopListening = wield.on((event) => {
      if (event.type === "call-result") this.#budgets.get(event.session)?.noteFound(event.text);
      if (event.type === "search-add")
        this.#budgets.get(event.session)?.noteFound(event.results.map(({ url }) => url).join(" "));
    });
  }

  askerFor(session: string): Asker {
    return this.#budgetOf(session).asker;
  }

  close(): void {
    this.#stopListening();
  }

  #budgetOf(session: string): PageBudget {
    const known = this.#budgets.get(session);
    if (known) return known;
    const { sites, megabytes } = this.#wield.settings.user().research;
    const budget = new PageBudget({
      limits: { sites, megabytes },
      received: this.#wield.webBytes,
      person: this.#person,
      // Its tools can read the workspace, too.
      onlyFound: true,
    });
    this.#budgets.set(session, budget);
    const [oldest] = this.#budgets.keys();
    if (this.#budgets.size > mostSessions && oldest !== undefined) this.#budgets.delete(oldest);
    return budget;
  }
}
