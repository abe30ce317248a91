import { Fragment } from "react";
import type { StatusView } from "../../../src/api/api.ts";
import type { RuleView, SettingsView } from "../../../src/api/settings.ts";
import { PageHead, Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useFetched } from "../server/use-server.ts";
import { AgentSettings } from "./agent-settings.tsx";
import { Keys } from "./keys.tsx";
import { McpServers } from "./mcp-servers.tsx";
import { Notifications } from "./notifications.tsx";
import { Providers } from "./providers.tsx";
import { NewRule, RuleTester } from "./rule-tester.tsx";
import { Rules } from "./rules.tsx";
import { Storage } from "./storage.tsx";
import { ToolSwitches } from "./tool-switches.tsx";

export function SettingsPage({ status }: { status: StatusView | undefined }) {
  const { data, error, again } = useFetched<SettingsView>("/settings", "settings-change");
  const changeRule = (rule: RuleView, instead?: RuleView) =>
    send("/settings/forget", { rule, ...(instead && { instead }) }).finally(again);
  return (
    <section className="page narrow">
      <PageHead title="Settings">
        These settings apply to all folders and are stored in your settings file.
      </PageHead>
      {error && <Problem>{error}</Problem>}
      {data && (
        <>
          <Keys />
          <AgentSettings settings={data} status={status} onChanged={again} />
          <Notifications />
          <ToolSwitches off={data.off} onChanged={again} />
          <McpServers />
          <Providers />
          <h2>Approval rules</h2>
          <p className="faint">
            The last matching rule decides. If no rule matches, the default of the tool applies.
          </p>
          <RuleTester />
          <Rules title="Yours" rules={data.rules.user} onChange={changeRule} />
          <NewRule onAdded={again} />
          <Rules
            title={status?.trusted ? "This folder" : "This folder (not trusted: rules can only be stricter)"}
            rules={data.rules.workspace}
          />
          <Rules title="Open sessions" rules={data.rules.session} onChange={changeRule} />
          <Storage />
          <About status={status} />
        </>
      )}
    </section>
  );
}

function About({ status }: { status: StatusView | undefined }) {
  // What is wrong with a server is said where the servers are.
  const problems = status?.problems.filter((problem) => !problem.startsWith("MCP server ")) ?? [];
  return (
    <>
      <h2>About</h2>
      <dl className="card facts">
        <dt>Folder</dt>
        <dd>{status?.workspace}</dd>
        <dt>Trusted</dt>
        <dd>
          {status?.trusted
            ? "Yes"
            : "No: its settings can only make rules stricter, and its own tools and skills are not used. If you trust it, run wield trust in the terminal and restart Wield."}
        </dd>
        {problems.map((problem) => (
          <Fragment key={problem}>
            <dt>Left out</dt>
            <dd>{problem}</dd>
          </Fragment>
        ))}
        <dt>Version</dt>
        <dd>{status?.version}</dd>
      </dl>
    </>
  );
}
