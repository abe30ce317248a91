import { useEffect, useState } from "react";
import type { SettingsView, ToolView } from "../../../src/events/api.ts";
import { Empty, PageHead, Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { get, send, wordsOf } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { useFetched } from "../server/use-server.ts";
import { ToolConsole } from "./tool-console.tsx";

/** Without these nothing else could be found. */
const alwaysOn: ReadonlySet<string> = new Set(["searchTools", "searchSkills", "readSkill"]);

export function ToolsPage({ item }: { item: string | undefined }) {
  const tools = useFetched<ToolView[]>("/tools", "settings-change");
  const settings = useFetched<SettingsView>("/settings", "settings-change");
  const [query, setQuery] = useState("");
  const [problem, setProblem] = useState<string>();
  const all = tools.data ?? [];
  const ranked = useRanking(query);
  const found = search(all, query, ranked);
  const chosen = all.find(({ name }) => name === item);
  const off = settings.data?.off ?? [];
  const toggle = async (name: string, on: boolean) => {
    setProblem(undefined);
    const next = on ? off.filter((each) => each !== name) : [...off, name];
    await send("/settings", { off: next }, { method: "PATCH" }).catch((error: unknown) =>
      setProblem(wordsOf(error)),
    );
    tools.again();
    settings.again();
  };
  const byCategory = Map.groupBy(found, ({ category }) => (query ? "Best first" : category));

  return (
    <section className="page split" data-detail={chosen !== undefined}>
      <div className="split-list">
        <PageHead title="Tools">
          Every tool there is, as a model sees it. Switch off what it should not have, or try one yourself.
        </PageHead>
        {(problem ?? tools.error) && <Problem>{problem ?? tools.error}</Problem>}
        <label className="field-search">
          <Icon name="search" size={14} />
          <input
            type="search"
            value={query}
            aria-label="Search tools"
            placeholder="What do you want to do?"
            onChange={(event) => setQuery(event.target.value)}
          />
        </label>
        {tools.data && found.length === 0 && (
          <Empty icon="search" title="No tool is about that">
            Say what you want to do in other words: “read a page”, “undo a change”.
          </Empty>
        )}
        {[...byCategory].map(([category, group]) => (
          <section key={category} className="tool-group" aria-label={category}>
            <h2>
              {category}
              {!query && (
                <Switch
                  label={`Category ${category}`}
                  on={!off.includes(category)}
                  onChange={(on) => void toggle(category, on)}
                />
              )}
            </h2>
            <ol>
              {group.map((tool, at) => (
                <li key={tool.name} data-on={tool.on}>
                  <a href={hrefOf("tools", tool.name)} aria-current={tool.name === item ? "true" : undefined}>
                    {query && <span className="rank">{at + 1}</span>}
                    <span>
                      <strong>{tool.name}</strong>
                      <span className="tool-summary">{tool.description.split(/(?<=\.)\s/)[0]}</span>
                    </span>
                  </a>
                  {!alwaysOn.has(tool.name) && (
                    <Switch
                      label={tool.name}
                      on={tool.on}
                      disabled={off.includes(tool.category)}
                      onChange={(on) => void toggle(tool.name, on)}
                    />
                  )}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      <div className="split-detail">
        {chosen ? (
          <ToolConsole key={chosen.name} tool={chosen} />
        ) : (
          <Empty icon="tools" title="Try a tool">
            Pick one on the left: its fields become a form, and you see exactly what a model would read. What
            needs approval asks you here, too.
          </Empty>
        )}
      </div>
    </section>
  );
}

interface SwitchProps {
  label: string;
  on: boolean;
  disabled?: boolean;
  onChange(on: boolean): void;
}

function Switch({ label, on, disabled = false, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!on)}
    />
  );
}

/** The order in which a model would find tools for these words; undefined while it is not known. */
function useRanking(query: string): readonly string[] | undefined {
  const [known, setKnown] = useState<{ query: string; names: readonly string[] }>();
  useEffect(() => {
    if (query.trim() === "") return;
    const left = new AbortController();
    const timer = setTimeout(() => {
      get<string[] | null>(`/tools/ranking?query=${encodeURIComponent(query)}`, left.signal).then(
        (names) => names && setKnown({ query, names }),
        () => undefined,
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [query]);
  return known?.query === query ? known.names : undefined;
}

function search(
  tools: readonly ToolView[],
  query: string,
  ranked: readonly string[] | undefined,
): ToolView[] {
  if (query.trim() === "") return [...tools];
  if (ranked) return ranked.flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = tools.map((tool) => {
    const name = tool.name.toLowerCase();
    const text = `${tool.title} ${tool.category} ${tool.description}`.toLowerCase();
    const score = words.reduce(
      (sum, word) => sum + (name.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0),
      0,
    );
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}
