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
  /** Of a team: what the session works on. */
  project: string | undefined;
  onPick(text: string): void;
}

/** Shown in an empty chat: what can be asked, and what happens then. */
export function Welcome({ offline, project, onPick }: WelcomeProps) {
  return (
    <div className="welcome">
      <h2>What should I do in {project === undefined ? "this folder" : visible(project)}?</h2>
      <p>
        I read files without asking. By default, I show you each change first, and you approve, edit or deny
        it; below the message you can choose another mode.{" "}
        {project === undefined
          ? "You can undo changes at any time."
          : "A worker of your team does the work, and pushes the result as a branch."}
      </p>
      <ul className="ideas">
        {(offline ? offlineIdeas : ideas).map(({ title, text }) => (
          <li key={title}>
            <button type="button" onClick={() => onPick(text)}>
              <strong>{title}</strong>
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ul>
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
