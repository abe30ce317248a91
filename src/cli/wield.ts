import { enableCompileCache } from "node:module";
import { placesFrom } from "../app/places.ts";

// Half of a short command's time is compiling. The cache lives in the user's own state folder: whoever can write it can run code.
enableCompileCache(placesFrom(process.env).compileCache);
await import("./short-lived.ts");
const [{ main }, { processIo }] = await Promise.all([import("./main.ts"), import("./terminal.ts")]);
process.exitCode = await main(process.argv.slice(2), processIo());
