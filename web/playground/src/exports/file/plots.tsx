// The events of a file over time, as a plot with a table behind it.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { ExportFile } from "./file";
import { seriesOf, type Series } from "./sums";
import type { Survey } from "./survey";

/** The plot of a file, once it was read; nothing when it has no dates. */
export function Plots({ file, survey }: { file: ExportFile; survey: Survey }) {
  const found = survey.found.value;
  if (survey.trouble.value) return <p class="refusal">The file could not be read: {survey.trouble.value}.</p>;
  if (!found?.done) {
    const share = found ? Math.min(99, Math.floor((found.bytes / Math.max(1, file.size)) * 100)) : 0;
    return (
      <p class="note" role="status">
        Reading the file for its plots: {share} %
      </p>
    );
  }
  const series = seriesOf(found, file.kind);
  return series ? <Lines series={series} /> : null;
}

/** The colour that a variable of the style sheet has now. */
function colour(near: HTMLElement, name: string): string {
  const probe = near.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

// Ticks stand where there are points.
const steps = { hour: [1, 2, 3, 6, 12, 24, 48].map((hours) => hours * 3600), day: [1, 2, 7, 14, 30, 90, 365].map((days) => days * 86_400) };

const dashes = [[], [6, 3], [2, 3], [10, 3, 2, 3]];

/** Lines over time. */
function Lines({ series }: { series: Series }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      const soft = colour(element, "--soft");
      const line = colour(element, "--line");
      const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
      plot = new uPlot(
        {
          width: element.clientWidth,
          height: 220,
          tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
          cursor: { y: false },
          legend: { live: true },
          series: [
            { label: "UTC", value: (_, seconds) => (seconds == null ? "" : series.label(seconds)) },
            ...series.names.map((label, i) => ({
              label,
              stroke: colour(element, `--plot-${(i % 8) + 1}`),
              width: 2,
              dash: dashes[Math.floor(i / 8) % dashes.length]!,
              points: { show: series.times.length < 40 },
            })),
          ],
          axes: [{ ...axis, incrs: steps[series.unit], values: (_, at) => at.map((seconds) => series.mark(seconds)) }, { ...axis, size: 56 }],
          scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
        },
        [series.times, ...series.counts] as uPlot.AlignedData,
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => {
      if (plot && element.clientWidth > 0 && plot.width !== element.clientWidth) plot.setSize({ width: element.clientWidth, height: 220 });
    });
    resized.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [series.names.join(), series.times.length]);
  return (
    <figure class="plot">
      <figcaption>{series.title}</figcaption>
      <div class="lines" ref={place} role="img" aria-label={`${series.title}: the table below has the numbers`} />
      <details class="fold">
        <summary>As a table</summary>
        <div class="scrolled" tabIndex={0} role="group" aria-label={`${series.title}, as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{series.unit}, UTC</th>
                {series.names.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {series.times.map((time, i) => (
                <tr key={time}>
                  <th scope="row">{series.label(time)}</th>
                  {series.counts.map((counts, j) => (
                    <td key={series.names[j]}>{counts[i]!.toLocaleString("en")}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
