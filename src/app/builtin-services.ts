import type { CodeIntelligence } from "../code/code.ts";
import { Failure } from "../failure/failure.ts";
import { currentSession } from "../runtime/current-call.ts";
import type { Store } from "../store/store.ts";
import type { SyntaxCheck } from "../tools/files/edit-notes.ts";
import type { GitWorktree } from "../tools/git/run-git.ts";
import type { Execution } from "../tools/run/execution.ts";
import type { ToolServices } from "../toolsets/toolsets.ts";
import type { WholeWorkspace } from "../workspace/workspace.ts";
import type { ConversationModels } from "./conversation-models.ts";
import { forgeVariables, gitVariables, variablesOf } from "./environment.ts";
import type { Keys } from "./keys.ts";
import { plannedIn } from "./planned-in.ts";
import type { Preferences } from "./preferences.ts";
import { sessionFiles } from "./session-files.ts";
import type { ToolCollection } from "./tool-collection.ts";
import type { WebServices } from "./web.ts";
import type { WieldOptions } from "./wield-types.ts";
import { type MayShow, withheldText } from "./withheld.ts";

interface BuiltinParts {
  env: Readonly<Record<string, string | undefined>>;
  /** Where documents belong: the folder, or the one that it is a worktree of. */
  project: string;
  workspace: WholeWorkspace;
  worktree: GitWorktree | undefined;
  store: Store;
  preferences: Preferences;
  keys: Keys;
  web: WebServices;
  collection: Pick<ToolCollection, "skills" | "discovery">;
  suggest: WieldOptions["suggest"];
  models: ConversationModels;
  mayShow: MayShow;
  syntax: SyntaxCheck;
  openCode(): Promise<CodeIntelligence>;
  openExecution(): Promise<Execution>;
}

/** What the built-in tools work with. */
export function builtinServices(parts: BuiltinParts): ToolServices {
  const {
    env,
    project,
    workspace,
    worktree,
    store,
    preferences,
    keys,
    web,
    collection,
    openCode,
    openExecution,
  } = parts;
  return {
    results: async (id, session) => {
      const result = await store.result(id);
      if (!result || (await parts.mayShow(result.tool, result.reach, session))) return result;
      throw new Failure("APPROVAL_DENIED", withheldText);
    },
    readLines: () => preferences.limits.readLines,
    syntax: parts.syntax,
    web: web.open,
    git: {
      env: () => variablesOf(env, gitVariables),
      trusted: () => preferences.trusted,
      runConfined: async (...given) =>
        (await import("../tools/run/confined-script.ts")).confinedScript(openExecution)(...given),
      forge: () => variablesOf(keys.env, forgeVariables),
      ...(worktree && { worktree }),
    },
    documents: () => store.documents(project),
    handedOver: sessionFiles(store),
    plans: () => store.plans(workspace.root),
    plannedIn: plannedIn(store),
    suggest:
      parts.suggest ??
      (async (document, signal) => {
        const { suggestWith } = await import("./suggest.ts");
        return suggestWith(await parts.models.of(currentSession(), "Suggestions need"))(document, signal);
      }),
    skills: collection.skills,
    discovery: collection.discovery,
    code: openCode,
    execution: openExecution,
  };
}
