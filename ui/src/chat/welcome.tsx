interface Idea {
  title: string;
  text: string;
}

const ideas: readonly Idea[] = [
  { title: "Understand", text: "Explain what this project does, and how" },
  { title: "Search", text: "Find the TODO comments worth doing" },
  { title: "Review", text: "Find mistakes in what was changed last" },
  { title: "Change", text: "Write a test for a part that has none" },
];

/** What the offline model can do in any folder. */
const offlineIdeas: readonly Idea[] = [
  { title: "Structure", text: "Show me the structure of this project" },
  { title: "Search", text: "Find all TODO comments in the project" },
  { title: "Run", text: "Run this python code: print(6 * 7)" },
  { title: "Change", text: 'Create a file notes.md with the content "hello"' },
];

/** The first thing a person sees: what can be asked here, and what happens then. */
export function Welcome({ offline, onPick }: { offline: boolean; onPick(text: string): void }) {
  return (
    <div className="welcome">
      <h2>What should be done in this folder?</h2>
      <p>
        Reading happens at once. Every change is shown to you first: approve it, edit it, or say no. What was
        changed can always be taken back.
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
          No key and no Ollama was found, so the built-in offline model answers. It is not a language model:
          it knows a handful of question shapes and answers them by real tool calls. Set{" "}
          <code>ANTHROPIC_API_KEY</code>, <code>OPENAI_API_KEY</code> or another provider's key before
          starting Wield, or choose a model under Settings.
        </p>
      )}
    </div>
  );
}
