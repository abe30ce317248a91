// Imported first by the entry points of the library, and built as a separate file: an older Node shows this sentence
// instead of the bundled code that it could not run.
import { nodeProblem } from "./node-version.ts";

if (nodeProblem !== undefined) throw new Error(nodeProblem);
