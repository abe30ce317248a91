import { z } from "zod";

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables of the environment that a call sets for its run. */
export const variablesInput = z
  .record(z.string(), z.string())
  .refine((env) => Object.keys(env).every((name) => variableName.test(name)), {
    error: "the name of a variable has letters, digits and _ only",
  })
  .default({});
