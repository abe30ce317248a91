import { z } from "zod";

// Compiling a parser pays after hundreds of calls; a command makes a few. Must come before the first schema is made.
z.config({ jitless: true });
