import { enableCompileCache } from "node:module";
import { placesFrom } from "../app/places.ts";
import { ensureDirectory } from "../workspace/state-files.ts";

// Compiling takes half of a short command's time. The cache is in the user's state folder, because anyone who can
// write to it can run code.
const { compileCache, stateDir } = placesFrom(process.env);
try {
  // Node would create the folders with the umask; the state folder must be private from the start.
  for (const folder of [stateDir, compileCache]) ensureDirectory(folder);
  enableCompileCache(compileCache);
} catch {
  // A state folder that cannot be written to costs time here; the commands that need it say so.
}
