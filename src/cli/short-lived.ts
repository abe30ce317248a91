import { z } from "zod";

// Compiling schemas pays off after hundreds of calls; a command makes a few. Must run before the first schema is created.
z.config({ jitless: true });
