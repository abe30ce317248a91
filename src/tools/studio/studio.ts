import type { Skills } from "../../discovery/skills.ts";
import type { Documents } from "../../store/documents.ts";
import type { Plans } from "../../store/plans.ts";
import type { FindSessionFile } from "./create-document.ts";
import type { PlannedIn } from "./read-plan.ts";
import type { Suggest } from "./request-suggestions.ts";
import type { ToolFinder } from "./search-tools.ts";

export interface StudioServices {
  documents(): Documents;
  plans(): Plans;
  plannedIn: PlannedIn;
  skills: Skills;
  discovery: ToolFinder;
  suggest: Suggest;
  handedOver: FindSessionFile;
}

/** Documents, plans, skills and the search for tools. Each is loaded when it is wanted: a command needs one. */
export const studioTools = {
  createDocument: async (services: StudioServices) =>
    (await import("./create-document.ts")).createDocument(services.documents, services.handedOver),
  updateDocument: async (services: StudioServices) =>
    (await import("./update-document.ts")).updateDocument(services.documents),
  readDocument: async (services: StudioServices) =>
    (await import("./read-document.ts")).readDocument(services.documents),
  listDocuments: async (services: StudioServices) =>
    (await import("./list-documents.ts")).listDocuments(services.documents),
  searchDocuments: async (services: StudioServices) =>
    (await import("./search-documents.ts")).searchDocuments(services.documents),
  requestSuggestions: async (services: StudioServices) =>
    (await import("./request-suggestions.ts")).requestSuggestions(services.documents, services.suggest),
  createPlan: async (services: StudioServices) =>
    (await import("./create-plan.ts")).createPlan(services.plans),
  updatePlan: async (services: StudioServices) =>
    (await import("./update-plan.ts")).updatePlan(services.plans),
  readPlan: async (services: StudioServices) =>
    (await import("./read-plan.ts")).readPlan(services.plans, services.plannedIn),
  readSkill: async (services: StudioServices) => (await import("./read-skill.ts")).readSkill(services.skills),
  searchSkills: async (services: StudioServices) =>
    (await import("./search-skills.ts")).searchSkills(services.skills),
  searchTools: async (services: StudioServices) =>
    (await import("./search-tools.ts")).searchTools(services.discovery),
};
