import { wrap } from "../text/wrap.ts";
import { type Command, columns, commonOptions, exit } from "./command.ts";
import { openWield } from "./open.ts";

export const prices: Command = {
  name: "prices",
  summary: "Show or refresh the prices of models",
  usage: "[model...]",
  details:
    "Prices are in US dollars for a million tokens. They are shipped with Wield; --refresh fetches a public list, and nothing else does. Your own prices in the settings (`prices`) come first.",
  options: {
    refresh: { help: "Fetch a new list; another address: the setting pricesFrom" },
    ...commonOptions,
  },
  examples: [
    { command: "wield prices", note: "prices of the models that you can use" },
    { command: "wield prices --refresh", note: "fetch new prices" },
  ],
  async run(given, io) {
    const wield = await openWield(given, io, []);
    try {
      if (given.flag("refresh")) io.out(`Fetched ${await wield.cost.refreshPrices(io.signal)} prices.`);
      const names = given.args.length > 0 ? given.args : (await wield.models()).names.slice(0, mostModels);
      const rows = names.map((name) => {
        const price = wield.cost.priceOf(name);
        return [name, price ? `$${price.input} in, $${price.output} out` : "not known"];
      });
      io.out(wrap(columns(rows), io.columns));
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

const mostModels = 40;
