const ideas = [
  { title: "Read", text: "Read package.json and tell me the project name" },
  { title: "Search", text: "Find all TODO comments in the project" },
  { title: "Structure", text: "Show me the structure of this project" },
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
        {ideas.map(({ title, text }) => (
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
