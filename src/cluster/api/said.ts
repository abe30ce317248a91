import { z } from "zod";
import { profileNames } from "../../agent/profiles.ts";
import { permissionModes } from "../../approval/modes.ts";
import { efforts } from "../../model/effort.ts";
import { saidFields, somethingSaid } from "../../server/said.ts";
import type { Said } from "../team.ts";

/** What a person may say in a request, and how it is to be done. */

const profile = z.enum(profileNames).optional();
const mode = z.enum(["quick", "medium", "thorough"]).optional();
/** By name only: to an address of their own choice a person could send the team's key. */
export const model = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((name) => !/:\/\//.test(name), "Name a model of a provider: provider/model.");
const how = { profile, mode, effort: z.enum(efforts).optional() };
export const startBody = z
  .strictObject({
    ...{ ...saidFields, ...how, model: model.optional() },
    project: z.string().max(100).optional(),
    shared: z.boolean().optional(),
    permissions: z.enum(permissionModes).optional(),
  })
  .refine(...somethingSaid);
export const sayBody = z.strictObject({ ...saidFields, ...how }).refine(...somethingSaid);

export function howIn({
  profile: chosen,
  mode: thoroughness,
  effort,
}: z.output<typeof sayBody>): Said["how"] {
  return {
    ...(chosen && { profile: chosen }),
    ...(thoroughness && { mode: thoroughness }),
    ...(effort && { effort }),
  };
}
