import type { ToolView } from "../../../src/api/tools.ts";
import { Problem } from "../parts/feedback.tsx";
import { AlwaysOn, Switch } from "../parts/switch.tsx";
import { plural } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

/** Categories of tools, switched on and off as a whole; single tools are switched on the Tools page. */
export function ToolSwitches({ off, onChanged }: { off: readonly string[]; onChanged(): void }) {
  const tools = useFetched<ToolView[]>("/tools", "settings-change");
  const { problem, attempt } = useAttempts();
  const categories = [...Map.groupBy(tools.data ?? [], ({ category }) => category)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const change = async (name: string, on: boolean) => {
    await attempt(() => send("/settings/switch", { name, on }));
    onChanged();
    tools.again();
  };
  return (
    <>
      <h2>Tools</h2>
      <p className="faint">
        Models do not see the tools of a category that is off, and cannot call them. Single tools are switched
        on the page <a href={hrefOf("tools")}>Tools</a>.
      </p>
      {(problem ?? tools.error) && <Problem>{problem ?? tools.error}</Problem>}
      <ul className="card categories" aria-label="Categories of tools">
        {categories.map(([category, group]) => (
          <li key={category}>
            <div className="grow">
              <strong>{category}</strong>
              <span className="faint">{group.map(({ name }) => name).join(", ")}</span>
            </div>
            {group.every(({ locked }) => locked) ? (
              <AlwaysOn />
            ) : (
              <>
                <span className="faint">{onText(group)}</span>
                <Switch
                  label={`Category ${category}`}
                  on={!off.includes(category)}
                  onChange={(on) => void change(category, on)}
                />
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function onText(group: readonly ToolView[]): string {
  const on = group.filter((tool) => tool.on).length;
  return on === group.length ? plural(on, "tool") : `${on} of ${group.length} on`;
}
