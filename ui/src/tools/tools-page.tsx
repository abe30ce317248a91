import { useEffect, useState } from "react";
import type { SettingsView } from "../../../src/api/settings.ts";
import type { ToolView } from "../../../src/api/tools.ts";
import { Empty, PageHead, Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { AlwaysOn, Switch } from "../parts/switch.tsx";
import { get, send } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { ToolConsole } from "./tool-console.tsx";

export function ToolsPage({ item }: { item: string | undefined }) {
  const tools = useFetched<ToolView[]>("/tools", "settings-change");
  const settings = useFetched<SettingsView>("/settings", "settings-change");
  const [query, setQuery] = useState("");
  const { problem, attempt } = useAttempts();
  const all = tools.data ?? [];
  const ranked = useRanking(query);
  const found = ranked ? ranked.flatMap((name) => all.find((tool) => tool.name === name) ?? []) : all;
  const chosen = all.find(({ name }) => name === item);
  const off = settings.data?.off ?? [];
  const change = async (path: string, body: object) => {
    await attempt(() => send(path, body));
    tools.again();
    settings.again();
  };
  const toggle = (name: string, on: boolean) => void change("/settings/switch", { name, on });
  const pin = (name: string, pinned: boolean) => void change("/settings/pin", { name, pinned });
  const proposed = all.filter((tool) => tool.proposed !== undefined);
  const byCategory = Map.groupBy(found, ({ category }) => (ranked ? "Best first" : category));

  return (
    <section className="page split" data-detail={chosen !== undefined}>
      <div className="split-list">
        <PageHead title="Tools">
          All tools as a model sees them. Switch off those it should not use, or try one yourself.
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
        {!ranked && proposed.length > 0 && (
          <section className="proposals card" aria-label="Tools to pin">
            <p>
              <strong>Often used recently.</strong> A pinned tool is always described to the model instead of
              being found through tool search.
            </p>
            {proposed.map(({ name, proposed: calls = 0 }) => (
              <p key={name} className="row">
                <code className="grow">{name}</code>
                <span className="faint">{calls} times this month</span>
                <button type="button" className="small" onClick={() => pin(name, true)}>
                  <Icon name="pin" size={14} /> Pin
                  <span className="unseen">{name}</span>
                </button>
              </p>
            ))}
          </section>
        )}
        {tools.data && found.length === 0 && (
          <Empty icon="search" title="No matching tools">
            Describe what you want to do in other words, such as “read a page” or “undo a change”.
          </Empty>
        )}
        {[...byCategory].map(([category, group]) => (
          <section key={category} className="tool-group" aria-label={category}>
            <h2>
              {category}
              {!ranked &&
                (group.every(({ locked }) => locked) ? (
                  <AlwaysOn />
                ) : (
                  <Switch
                    label={`Category ${category}`}
                    on={!off.includes(category)}
                    onChange={(on) => toggle(category, on)}
                  />
                ))}
            </h2>
            <ol>
              {group.map((tool, at) => (
                <li key={tool.name} data-on={tool.on}>
                  <a href={hrefOf("tools", tool.name)} aria-current={tool.name === item ? "true" : undefined}>
                    {ranked && <span className="rank">{at + 1}</span>}
                    <span>
                      <strong>{tool.name}</strong>
                      <span className="tool-summary">{tool.description.split(/(?<=\.)\s/)[0]}</span>
                    </span>
                  </a>
                  {(tool.pinned || tool.loading === "deferred") && (
                    <PinButton tool={tool} onPin={(pinned) => pin(tool.name, pinned)} />
                  )}
                  {!tool.locked && (
                    <Switch label={tool.name} on={tool.on} onChange={(on) => toggle(tool.name, on)} />
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
            Choose one on the left, fill in its fields, and see exactly what a model would read. Calls that
            need approval ask you here too.
          </Empty>
        )}
      </div>
    </section>
  );
}

function PinButton({ tool, onPin }: { tool: ToolView; onPin(pinned: boolean): void }) {
  return (
    <button
      type="button"
      className="quiet pin"
      aria-pressed={tool.pinned}
      aria-label={`Pin: ${tool.name}`}
      title={tool.pinned ? "Pinned: always described to the model" : "Pin: always describe it to the model"}
      onClick={() => onPin(!tool.pinned)}
    >
      <Icon name="pin" size={15} />
    </button>
  );
}

/** Tool names for the query, ranked as for a model; undefined without a query. */
function useRanking(query: string): readonly string[] | undefined {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (query.trim() === "") return;
    const left = new AbortController();
    const timer = setTimeout(() => {
      get<string[]>(`/tools/ranking?query=${encodeURIComponent(query)}`, left.signal).then(
        setNames,
        () => undefined,
      );
    }, 120);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [query]);
  return query.trim() === "" ? undefined : names;
}
