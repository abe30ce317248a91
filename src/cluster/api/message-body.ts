import { z } from "zod";
import { profileNames } from "../../agent/profiles.ts";
import { permissionModes } from "../../approval/modes.ts";
import { efforts } from "../../model/effort.ts";
import { isProviderModel, providerModelOnly } from "../../model/model-name.ts";
import { messageFields, requireContent } from "../../server/message-body.ts";
import { resultKinds, type SentMessage } from "../team.ts";

/** The body of a request with a message: the text, and the agent options. */

const profile = z.enum(profileNames).optional();
const thoroughness = z.enum(["quick", "medium", "thorough"]).optional();
/** By name only: to an address of their own choice a person could send the team's key. */
export const model = z.string().trim().min(1).max(500).refine(isProviderModel, providerModelOnly);
const how = { profile, thoroughness, effort: z.enum(efforts).optional() };
export const startBody = z
  .strictObject({
    ...{ ...messageFields, ...how, model: model.optional() },
    project: z.string().max(100).optional(),
    shared: z.boolean().optional(),
    /** The permission mode. */
    mode: z.enum(permissionModes).optional(),
    /** Default: as the project says. */
    result: z.enum(resultKinds).optional(),
  })
  .refine(...requireContent);
export const messageBody = z.strictObject({ ...messageFields, ...how }).refine(...requireContent);

export function agentOptionsIn({
  profile: chosen,
  thoroughness: mode,
  effort,
}: z.output<typeof messageBody>): SentMessage["how"] {
  return {
    ...(chosen && { profile: chosen }),
    ...(mode && { mode }),
    ...(effort && { effort }),
  };
}
