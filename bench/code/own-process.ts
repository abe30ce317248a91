// One piece of work in a process of its own, for its time, its processor time and its peak memory: `words` or `fill`, a tree, a state folder,
// threads. Prints them as JSON.
import { join, resolve } from "node:path";
import type * as Library from "../../src/app/library.ts";
import { time } from "./measuring.ts";

const [work, tree = "", state = "", threads = "1"] = process.argv.slice(2);
const built = join(resolve(import.meta.dirname, "../.."), "dist/wield.js");
const { createWield } = (await import(built)) as typeof Library;
const wield = await createWield({
  workspace: tree,
  env: { ...process.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(state, "config") },
});
const code = await wield.code();
const before = process.cpuUsage();
const ms = await time(() => (work === "words" ? code.status() : code.build({ threads: Number(threads) })));
const { user, system } = process.cpuUsage(before);
const megabytes = process.resourceUsage().maxRSS / 1000;
console.log(JSON.stringify({ ms, cpu: (user + system) / 1000, megabytes }));
wield.close();
