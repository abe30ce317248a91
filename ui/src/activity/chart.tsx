import { useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** Name of a colour of the page. */
  colour: string;
}

interface ChartProps {
  title: string;
  times: readonly number[];
  series: readonly Series[];
  bars?: boolean;
}

/** A chart for the eye; the same numbers stand in the tables below it. */
export function Chart({ title, times, series, bars = false }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const dark = useColourScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours, another drawing
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const colour = (name: string) => getComputedStyle(parent).getPropertyValue(name).trim();
    const axis = {
      stroke: colour("--ink-3"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1, size: 4 },
      font: "11px system-ui",
    };
    const plot = new UPlot(
      {
        width: parent.clientWidth,
        height: 150,
        legend: { show: false },
        cursor: { y: false, points: { size: 6 } },
        scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
        axes: [
          { ...axis, grid: { show: false } },
          { ...axis, size: 44 },
        ],
        series: [
          {},
          ...series.map(({ label, colour: name }) => ({
            label,
            stroke: colour(name),
            fill: `color-mix(in srgb, ${colour(name)} ${bars ? 75 : 12}%, transparent)`,
            width: bars ? 0 : 2,
            spanGaps: true,
            points: { show: !bars, size: 5, fill: colour(name) },
            ...(bars && UPlot.paths.bars && { paths: UPlot.paths.bars({ size: [0.7, 24] }) }),
          })),
        ],
      },
      [[...times], ...series.map(({ values }) => [...values])],
      parent,
    );
    const sized = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height: 150 }));
    sized.observe(parent);
    return () => {
      sized.disconnect();
      plot.destroy();
    };
  }, [times, series, bars, dark]);
  return (
    <figure className="card chart">
      <figcaption>
        {title}
        {series.length > 1 &&
          series.map(({ label, colour }) => (
            <span key={label} className="legend" style={{ color: `var(${colour})` }}>
              {label}
            </span>
          ))}
      </figcaption>
      <div ref={place} aria-hidden="true" />
    </figure>
  );
}

function useColourScheme(): string {
  const read = () => getComputedStyle(document.documentElement).getPropertyValue("--bg");
  const [scheme, setScheme] = useState(read);
  useEffect(() => {
    const changed = new MutationObserver(() => setScheme(read()));
    changed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => changed.disconnect();
  }, []);
  return scheme;
}
