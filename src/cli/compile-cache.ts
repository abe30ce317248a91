import { enableCompileCache } from "node:module";
import { placesFrom } from "../app/places.ts";
import { ensureDirectory } from "../workspace/state-files.ts";

// Compiling takes half of a short command's time. The cache is in the user's state folder: whoever can write to it can run code.
const { compileCache, stateDir } = placesFrom(process.env);
try {
  // Node would make the folders as the umask says; what is in the state folder is the owner's alone from the first moment.
  for (const folder of [stateDir, compileCache]) ensureDirectory(folder);
  enableCompileCache(compileCache);
} catch {
  // A state folder that cannot be written to costs time here; the commands that need it say so.
}
