import { expect, test } from "vitest";
import { testWield } from "../testing/testing.ts";

test("a file is meant by its name, its path or its letters in order; what may not be read is not offered", async () => {
  const files = {
    "src/cart.ts": "",
    "src/shopping-cart.ts": "",
    "cart/README.md": "",
    "docs/chart.md": "",
    "keys/cart.pem": "",
    "node_modules/cart/cart.js": "",
    ".gitignore": "node_modules\n",
  };
  const rules = [{ decision: "deny" as const, path: "**/*.pem" }];
  const { wield, close } = await testWield(files, { settings: { rules } });
  try {
    expect(await wield.findPaths("cart")).toEqual([
      "src/cart.ts",
      "src/shopping-cart.ts",
      "cart/README.md",
      "docs/chart.md",
    ]);
    expect(await wield.findPaths("CART.TS", { limit: 1 })).toEqual(["src/cart.ts"]);
    expect(await wield.findPaths("nothing like it")).toEqual([]);
  } finally {
    await close();
  }
});
