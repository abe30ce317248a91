import { lazy, Suspense } from "react";
import type { CostView } from "../../../src/api/cost.ts";
import type { StatsView, ToolStatisticsView } from "../../../src/api/tools.ts";
import type { CallRecord } from "../../../src/events/events.ts";
import { Empty, PageHead, Problem } from "../parts/feedback.tsx";
import { Figures } from "../parts/figures.tsx";
import { ago, count, dollars, duration, plural } from "../parts/words.ts";
import { useRefresh } from "../server/use-refresh.ts";
import { useFetched } from "../server/use-server.ts";
import { bucketsOf } from "./buckets.ts";
import { IndexCard } from "./index-card.tsx";

const Chart = lazy(async () => ({ default: (await import("./chart.tsx")).Chart }));

export function ActivityPage() {
  const { data, error, again } = useFetched<StatsView>("/stats", "sessions-change");
  useRefresh(again);
  const { tools = [], calls = [] } = data ?? {};
  return (
    <section className="page">
      <PageHead title="Activity">
        What tools did on this machine, how long they took, and what models cost.
      </PageHead>
      {error && <Problem>{error}</Problem>}
      <IndexCard />
      {data && calls.length === 0 && (
        <Empty icon="activity" title="No calls yet">
          Every tool call, from this page, the terminal or a program, is counted here with its latency, tokens
          and result.
        </Empty>
      )}
      {calls.length > 0 && (
        <>
          <ToolFigures tools={tools} />
          <CostTable />
          <Suspense fallback={<div className="charts" />}>
            <Charts calls={calls} />
          </Suspense>
          <ByTool tools={tools} />
          <Recent calls={calls} />
        </>
      )}
    </section>
  );
}

function ToolFigures({ tools }: { tools: readonly ToolStatisticsView[] }) {
  const sum = (pick: (tool: ToolStatisticsView) => number) =>
    tools.reduce((total, tool) => total + pick(tool), 0);
  const calls = sum(({ calls: number }) => number);
  const asked = sum(({ asked: number }) => number);
  const figures = [
    { name: "Calls", value: count(calls), note: plural(tools.length, "tool") },
    {
      name: "Failed",
      value: `${Math.round((100 * sum(({ failures }) => failures)) / Math.max(1, calls))}%`,
      note: plural(
        sum(({ failures }) => failures),
        "call",
      ),
    },
    {
      name: "Results for models",
      value: count(sum(({ tokensOut }) => tokensOut)),
      note: "tokens, about ¾ of a word each",
    },
    {
      name: "Approved",
      value: asked === 0 ? "–" : `${Math.round((100 * sum(({ approved }) => approved)) / asked)}%`,
      note: asked === 0 ? "never asked" : `of ${asked} asked, ${sum(({ edited }) => edited)} edited`,
    },
  ];
  return <Figures figures={figures} />;
}

function CostTable() {
  const { data } = useFetched<CostView>("/cost", "sessions-change");
  if (!data || data.days.length === 0) return null;
  const rows = [
    ...data.days.slice(0, 14).map(({ day, ...line }) => ({ name: day, ...line })),
    ...data.models.map(({ model, ...line }) => ({ name: model, ...line })),
  ];
  return (
    <>
      <h2>Cost by day and model</h2>
      <p className="faint">
        An estimate for this folder, from the price list of {data.pricesDate}. Your provider's bill may
        differ.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="table-scroll card" tabIndex={0} aria-label="Cost by day and model">
        <table className="numbers">
          <thead>
            <tr>
              <th>Day or model</th>
              <th>Cost</th>
              <th>Tokens in</th>
              <th>Tokens out</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, costUsd, usage, unpriced }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{unpriced.length > 0 && costUsd === 0 ? "price not known" : dollars(costUsd)}</td>
                <td>{count(usage.inputTokens)}</td>
                <td>{count(usage.outputTokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Charts({ calls }: { calls: readonly CallRecord[] }) {
  const { times, ok, failed, p95, tokens, asked } = bucketsOf(calls);
  return (
    <div className="charts">
      <Chart
        title="Calls"
        times={times}
        series={[
          // The failed part is drawn over all calls; the rest of the bar is successful calls.
          { label: "done", values: ok.map((done, at) => done + (failed[at] ?? 0)), colour: "--ok" },
          { label: "failed", values: failed, colour: "--bad" },
        ]}
        bars
      />
      <Chart
        title="Slow calls: 95th percentile (ms)"
        times={times}
        series={[{ label: "ms", values: p95, colour: "--accent" }]}
      />
      <Chart
        title="Tokens of results for models"
        times={times}
        series={[{ label: "tokens", values: tokens, colour: "--info" }]}
        bars
      />
      <Chart
        title="Approval requests"
        times={times}
        series={[{ label: "asked", values: asked, colour: "--accent" }]}
        bars
      />
    </div>
  );
}

function ByTool({ tools }: { tools: readonly ToolStatisticsView[] }) {
  const most = Math.max(1, ...tools.map(({ calls }) => calls));
  return (
    <>
      <h2>By tool</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="table-scroll card" tabIndex={0} aria-label="By tool">
        <table className="numbers">
          <thead>
            <tr>
              <th>Tool</th>
              <th>Calls</th>
              <th>Failed</th>
              <th title="Half of the calls were faster">Median</th>
              <th title="19 of 20 calls were faster">Slow time</th>
              <th>Tokens</th>
              <th>Approved</th>
            </tr>
          </thead>
          <tbody>
            {tools.map((tool) => (
              <tr key={tool.tool}>
                <th scope="row">{tool.tool}</th>
                <td>
                  <meter min={0} max={most} value={tool.calls} aria-label={`${tool.calls} calls`} />
                  {tool.calls}
                </td>
                <td className={tool.failures > 0 ? "bad-text" : ""}>{tool.failures}</td>
                <td>{duration(tool.p50Ms)}</td>
                <td>{duration(tool.p95Ms)}</td>
                <td>{count(tool.tokensOut)}</td>
                <td>{tool.asked === 0 ? "–" : `${tool.approved} of ${tool.asked}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Recent({ calls }: { calls: readonly CallRecord[] }) {
  return (
    <>
      <h2>Latest calls</h2>
      <ul className="card recent">
        {calls.slice(0, 20).map(({ id, tool, at, ok, errorCode, durationMs, tokensOut }) => (
          <li key={id}>
            <span className={ok ? "dot" : "dot bad"} />
            <code>{tool}</code>
            <span className={ok ? "faint" : "bad-text"}>{ok ? "" : errorCode}</span>
            <span className="faint">
              {duration(durationMs)} · {count(tokensOut)} tokens · {ago(at)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
