import { useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** A colour variable of the page. */
  colour: string;
}

interface ChartProps {
  title: string;
  times: readonly number[];
  series: readonly Series[];
  bars?: boolean;
}

/** All values are whole numbers. */
const wholeSteps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7,
];

/** A chart; the tables below it contain the same numbers. */
export function Chart({ title, times, series, bars = false }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const dark = useColourScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: redraw when the colours change
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    // A canvas cannot use CSS variables: resolve the colour through an element.
    const colour = (name: string) => {
      parent.style.color = `var(${name})`;
      return getComputedStyle(parent).color;
    };
    const axis = {
      stroke: colour("--ink-3"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1, size: 4 },
      font: "11px Inter, system-ui, sans-serif",
    };
    const plot = new UPlot(
      {
        width: parent.clientWidth,
        height: 165,
        legend: { show: false },
        cursor: { y: false, points: { size: 6 } },
        scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
        axes: [
          { ...axis, grid: { show: false }, size: 30, values: (_, splits) => splits.map(clockOf(times)) },
          { ...axis, size: 48, incrs: wholeSteps },
        ],
        padding: [10, 22, 0, 0],
        series: [
          {},
          ...series.map(({ label, colour: name }) => ({
            label,
            stroke: colour(name),
            fill: `color-mix(in srgb, ${colour(name)} ${bars ? 100 : 12}%, transparent)`,
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
    const sized = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height: 165 }));
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

/** Times of day for short ranges, dates for long ones. */
function clockOf(times: readonly number[]): (seconds: number) => string {
  const days = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 86_400;
  return (seconds) => {
    const at = new Date(seconds * 1000);
    return days > 2
      ? at.toLocaleDateString(undefined, { day: "numeric", month: "short" })
      : at.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
  };
}

/** Changes with the colour scheme of the page. */
function useColourScheme(): string {
  const [scheme, setScheme] = useState("");
  useEffect(() => {
    const look = () => setScheme(getComputedStyle(document.body).backgroundColor);
    const changed = new MutationObserver(look);
    changed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", look);
    return () => {
      changed.disconnect();
      system.removeEventListener("change", look);
    };
  }, []);
  return scheme;
}
