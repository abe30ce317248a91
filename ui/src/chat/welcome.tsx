import type { TeamStatusView } from "../../../src/api/team.ts";
import { visible } from "../parts/visible.ts";
import { hrefOf } from "../server/route.ts";

interface Idea {
  title: string;
  text: string;
}

const ideas: readonly Idea[] = [
  { title: "Understand", text: "Explain what this project does and how" },
  { title: "Search", text: "Find the TODO comments worth doing" },
  { title: "Review", text: "Find bugs in the latest changes" },
  { title: "Change", text: "Write a test for code that has none" },
];

/** Works with the offline model in any folder. */
const offlineIdeas: readonly Idea[] = [
  { title: "Structure", text: "Show me the structure of this project" },
  { title: "Search", text: "Find all TODO comments in the project" },
  { title: "Run", text: "Run this python code: print(6 * 7)" },
  { title: "Change", text: 'Create a file notes.md with the content "hello"' },
];

interface WelcomeProps {
  offline: boolean;
  /** At the page of a team. */
  team: TeamStatusView | undefined;
  /** Of a team: what the session works on. */
  project: string | undefined;
  onPick(text: string): void;
}

/** Shown in an empty chat: what can be asked, and what happens then. */
export function Welcome({ offline, team, project, onPick }: WelcomeProps) {
  if (team?.person.role === "viewer") return <Viewer />;
  const isKeyless = team?.hasModelKey === false;
  return (
    <div className="welcome">
      <h2>{questionFor(team, project)}</h2>
      <p>
        I read files without asking. By default, I show you each change first, and you approve, edit or deny
        it; below the message you can choose another mode.{" "}
        {team === undefined
          ? "You can undo changes at any time."
          : "A worker of your team does the work, and pushes the result as a branch."}
      </p>
      <ul className="ideas">
        {(offline || isKeyless ? offlineIdeas : ideas).map(({ title, text }) => (
          <li key={title}>
            <button type="button" onClick={() => onPick(text)}>
              <strong>{title}</strong>
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ul>
      {isKeyless && (
        <p className="hint">
          No key of a model provider is saved. Unless the workers have one, sessions use the built-in offline
          model. This is not a language model: it only understands requests like the ones above. For a real
          model,{" "}
          {team.person.role === "admin" ? (
            <a href={hrefOf("team", "keys")}>enter a key for the team</a>
          ) : (
            <>
              <a href={hrefOf("account")}>enter a key of your own</a>, or ask an admin for one of the team
            </>
          )}
          .
        </p>
      )}
      {offline && (
        <p className="hint">
          Wield found no API key and no running Ollama, so it uses its built-in offline model. This is not a
          language model: it only understands requests like the ones above. For a real model,{" "}
          <a href={hrefOf("settings")}>enter a key in the settings</a>, or start Ollama.
        </p>
      )}
    </div>
  );
}

function questionFor(team: TeamStatusView | undefined, project: string | undefined): string {
  if (team === undefined) return "What should I do in this folder?";
  return project === undefined ? "There is no project yet" : `What should I do in ${visible(project)}?`;
}

function Viewer() {
  return (
    <div className="welcome">
      <h2>You can read what others share</h2>
      <p>Shared sessions are in the list. Starting one needs the role member: ask an admin of your team.</p>
    </div>
  );
}
