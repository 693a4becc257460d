// The events of a file over time, with the numbers in a table.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Rows } from "../../ui/rows";
import type { ExportFile } from "./file";
import { useSurvey, type Findings } from "./survey";

const hour = 3600;

/** The plot of a file, which is read for it. */
export function Plot({ file }: { file: ExportFile }) {
  const { findings, trouble } = useSurvey(file, "")!;
  const found = findings.value;
  if (trouble.value) return <p class="refusal">The file could not be read: {trouble.value}.</p>;
  if (!found?.done) return <p class="note" role="status">Reading the file: {Math.min(99, Math.floor(((found?.read ?? 0) / Math.max(1, file.size)) * 100))} %</p>;
  return <Lines series={seriesOf(found.hours)} />;
}

/** Counts over time, one list for each name. */
interface Series {
  step: number;
  names: readonly string[];
  /** The beginning of each span, in seconds. */
  times: readonly number[];
  counts: readonly (readonly number[])[];
}

/** The events over time by type: hours while they are few, days otherwise. */
function seriesOf(hours: Findings["hours"]): Series {
  const all = Object.entries(hours).flatMap(([text, counts]) => {
    const at = Date.parse(`${text}:00:00Z`) / 1000;
    return Number.isNaN(at) ? [] : [[at, counts] as const];
  });
  const places = all.map(([at]) => at);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const step = (last - first) / hour < 72 ? hour : 24 * hour;
  const from = Math.floor(first / step) * step;
  const times = Array.from({ length: all.length === 0 ? 0 : Math.floor((last - from) / step) + 1 }, (_, i) => from + i * step);
  const names = [...new Set(all.flatMap(([, counts]) => Object.keys(counts)))].sort();
  const counts = names.map(() => times.map(() => 0));
  for (const [at, each] of all) for (const [name, n] of Object.entries(each)) counts[names.indexOf(name)]![Math.floor((at - from) / step)]! += n;
  return { step, names, times, counts };
}

const written = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The colour that a variable of the style sheet has now. */
function colour(near: HTMLElement, name: string): string {
  near.style.color = `var(${name})`;
  const found = getComputedStyle(near).color;
  near.style.color = "";
  return found;
}

/** Lines over time. */
function Lines({ series: { step, names, times, counts } }: { series: Series }) {
  const place = useRef<HTMLDivElement>(null);
  const label = (seconds: number): string => written(seconds).slice(0, step === hour ? 16 : 10).replace("T", " ");
  useEffect(() => {
    const element = place.current!;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      const axis = { stroke: colour(element, "--soft"), grid: { stroke: colour(element, "--line"), width: 1 } };
      plot = new uPlot(
        {
          width: element.clientWidth,
          height: 220,
          tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
          series: [
            { label: "UTC", value: (_, seconds) => (seconds == null ? "" : label(seconds)) },
            ...names.map((name, i) => ({ label: name, stroke: colour(element, `--plot-${(i % 6) + 1}`), width: 2, ...(i >= 6 && { dash: [6, 3] }) })),
          ],
          axes: [{ ...axis, values: (_, at) => at.map((seconds) => written(seconds).slice(...(seconds % (24 * hour) === 0 ? [5, 10] : [11, 16]))) }, axis],
          scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
        },
        [times, ...counts] as uPlot.AlignedData,
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => element.clientWidth > 0 && plot?.setSize({ width: element.clientWidth, height: 220 }));
    resized.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, []);
  return (
    <figure class="plot">
      <div class="lines" ref={place} role="img" aria-label="Events over time: the table below has the numbers" />
      <Rows label="Events over time, as a table" heads={["UTC", ...names]} rows={times.map((at, i) => [label(at), ...counts.map((each) => each[i]!.toLocaleString("en"))])} />
    </figure>
  );
}
