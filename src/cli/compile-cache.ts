import { enableCompileCache } from "node:module";
import { placesFrom } from "../app/places.ts";

// Compiling takes half of a short command's time. The cache is in the user's state folder: whoever can write to it can run code.
enableCompileCache(placesFrom(process.env).compileCache);
