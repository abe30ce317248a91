import { expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { NameList, nameText } from "./name-list.ts";

const name = fc.string({
  unit: fc.constantFrom("a", "A", "b", "B", "_", "ä", "Ä", "K"),
  minLength: 1,
  maxLength: 6,
});

test("names are found by a part of them in any case, and come back as they were written", () => {
  fc.assert(
    fc.property(fc.array(fc.array(name, { maxLength: 6 }), { maxLength: 12 }), name, (parts, wanted) => {
      const list = new NameList();
      for (const part of parts) list.add(nameText(part));
      const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      const all = [...new Set(parts.flat())];
      const holding = all.filter((one) => lower(one).includes(lower(wanted)));
      expect(list.holding(wanted).sort()).toEqual(holding.sort());
      expect(list.matching(/^a/).sort()).toEqual(all.filter((one) => one.startsWith("a")).sort());
    }),
  );
});
