// Two files beside each other: how many rows, the columns in which they differ, and the rows that only one of them has.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import "../../style/compare.css";
import { bytes, counted } from "../../ui/format";
import { Rows } from "../../ui/rows";
import type { Column } from "../api/kinds";
import type { ExportFile, Span } from "../file/file";
import { rowsOf } from "../file/parse";
import { Lines } from "../file/plots";
import { percent, seriesOf } from "../file/sums";
import { survey, type Findings } from "../file/survey";
import { common, compare, type Comparison as Compared, type Pair } from "./differ";
import { mostShown, type Matching } from "./keys";
import type { Said, Side } from "./match.worker";

type Both<T> = readonly [a: T, b: T];
const letters = ["A", "B"] as const;
const number = (n: number): string => n.toLocaleString("en");

/** Compares two files of one kind, which are open. */
export function Comparison({ files, names }: { files: Both<ExportFile>; names: Both<string> }) {
  const surveys = useMemo(() => files.map((file) => survey(file, { column: -1, text: "" })), files);
  useEffect(() => () => surveys.forEach((one) => one.stop()), [surveys]);
  const [a, b] = surveys.map((one) => one.found.value);
  const trouble = surveys.map((one) => one.trouble.value).find(Boolean);
  if (trouble) return <p class="refusal">The files could not be read: {trouble}.</p>;
  if (!a?.done || !b?.done) return <Reading read={(a?.bytes ?? 0) + (b?.bytes ?? 0)} files={files} what="the columns" />;
  return <Shown files={files} names={names} found={[a, b]} />;
}

function Reading({ read, files, what }: { read: number; files: Both<ExportFile>; what: string }) {
  const all = files[0].size + files[1].size;
  return (
    <p class="note" role="status">
      Comparing {what}: {Math.min(99, Math.floor((read / Math.max(1, all)) * 100))} % of {bytes(all)}
    </p>
  );
}

function Shown({ files, names, found }: { files: Both<ExportFile>; names: Both<string>; found: Both<Findings> }) {
  const compared = useMemo(
    () => compare({ columns: files[0].columns, found: found[0] }, { columns: files[1].columns, found: found[1] }),
    [found[0], found[1]],
  );
  const differing = compared.pairs.filter(({ size }) => size > 0);
  return (
    <div class="comparison">
      <table class="plain sides">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" class="count">
              Rows
            </th>
            <th scope="col" class="count">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((file, i) => (
            <tr key={letters[i]}>
              <th scope="row">
                <Letter side={i} /> {names[i]}
              </th>
              <td class="count">{number(found[i]!.rows)}</td>
              <td class="count">{bytes(file.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Matched files={files} found={found} />
      <Overlay files={files} found={found} />
      <section aria-labelledby="differ-title">
        <h4 id="differ-title">
          Columns{" "}
          <span class="note">
            {differing.length === 0 ? compared.pairs.length === 1 ? "the one there is, is alike" : `all ${compared.pairs.length} are alike` : `${differing.length} of ${compared.pairs.length} ${differing.length === 1 ? "differs" : "differ, the most different first"}`}
          </span>
        </h4>
        <Missing only={compared.only} />
        <ul class="differing">
          {differing.map((pair) => (
            <One key={pair.column.path.join(".")} pair={pair} />
          ))}
        </ul>
      </section>
    </div>
  );
}

const Letter = ({ side }: { side: number }) => <b class={`letter ${letters[side]}`}>{letters[side]}</b>;

function Missing({ only }: { only: Compared["only"] }) {
  return (
    <>
      {only.map(
        (columns, i) =>
          columns.length > 0 && (
            <p key={letters[i]}>
              Only in <Letter side={i} />: <code>{columns.map(({ name }) => name).join(", ")}</code>
            </p>
          ),
      )}
    </>
  );
}

function One({ pair: { column, facts, top } }: { pair: Pair }) {
  const name = column.path.join(".");
  return (
    <li>
      <table aria-label={`${name}, in A and B`}>
        <thead>
          <tr>
            <th scope="col">
              <code>{name}</code>
            </th>
            {letters.map((letter, i) => (
              <th key={letter} scope="col">
                <Letter side={i} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map(({ name: fact, values, differs }) => (
            <tr key={fact} class={differs ? "differs" : ""}>
              <th scope="row">{fact}</th>
              {values.map((value, i) => (
                <td key={i}>{value}</td>
              ))}
            </tr>
          ))}
          {top.map(({ value, shares }) => (
            <tr key={value} class="value">
              <th scope="row">
                <code>{value}</code>
              </th>
              {shares.map((share, i) => (
                <td key={i}>
                  <span class={`share ${letters[i]}`} style={{ width: `${share * 100}%` }} aria-hidden="true" />
                  {percent(share)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </li>
  );
}

// The events of both files over time, in one plot.
function Overlay({ files, found }: { files: Both<ExportFile>; found: Both<Findings> }) {
  const series = useMemo(() => {
    const hours: Findings["hours"] = {};
    for (const [i, { hours: its }] of found.entries())
      for (const [hour, counts] of Object.entries(its)) (hours[hour] ??= {})[letters[i]!] = Object.values(counts).reduce((sum, n) => sum + n, 0);
    const both = seriesOf({ ...found[0], hours }, files[0].kind);
    if (!both) return undefined;
    const order = both.names.map((_, i) => i).sort((x, y) => (both.names[x]! < both.names[y]! ? -1 : 1)); // A first, whichever has more
    return { ...both, title: "Both files over time", names: order.map((i) => both.names[i]!), counts: order.map((i) => both.counts[i]!) };
  }, found);
  return series && series.times.length > 1 ? <Lines series={series} /> : null;
}

const whole = -1;

/** The column by which rows are best told apart: the identifier of a snapshot; events have none, so they are compared whole. */
function usualKey([a, b]: Both<ExportFile>, found: Both<Findings>): number {
  if (a.kind.lookback !== "snapshot") return whole;
  const unique = ([at, there]: Both<number>): boolean =>
    [found[0].profiles[at]!, found[1].profiles[there]!].every(({ counts, filled }, i) => filled === found[i]!.rows && (!counts || counts.size === filled));
  return common(a.columns, b.columns).find((pair) => /^(installation|profile)\.(custom_)?id$/.test(a.columns[pair[0]]!.source) && unique(pair))?.[0] ?? whole;
}

function Matched({ files, found }: { files: Both<ExportFile>; found: Both<Findings> }) {
  const [key, setKey] = useState(() => usualKey(files, found));
  const state = useMemo(() => signal<Said>({ bytes: 0 }), [key]);
  const shared = common(files[0].columns, files[1].columns);
  useEffect(() => {
    const worker = new Worker(new URL("./match.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Said>) => (state.value = data);
    worker.onerror = (event) => (state.value = { trouble: event.message || "the worker could not be loaded" });
    const keyed = key === whole ? shared : shared.filter(([at]) => at === key);
    worker.postMessage(files.map((file, i): Side => ({ ...file.written, key: keyed.map((pair) => pair[i]!), compared: shared.map((pair) => pair[i]!) })));
    return () => worker.terminate();
  }, [key]);
  const now = state.value;
  return (
    <section class="matched" aria-labelledby="matched-title">
      <div class="bar">
        <h4 id="matched-title">Rows</h4>
        <label class="by">
          <span>Match them by</span>
          <select value={String(key)} onChange={(e) => setKey(Number(e.currentTarget.value))}>
            <option value={String(whole)}>the whole row</option>
            {shared.map(([at]) => (
              <option key={at} value={String(at)} selected={at === key}>
                {files[0].columns[at]!.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {"bytes" in now && <Reading read={now.bytes} files={files} what="the rows" />}
      {"trouble" in now && <p class="refusal">The rows could not be compared: {now.trouble}.</p>}
      {"matching" in now && <Found matching={now.matching} files={files} shared={shared} by={key} />}
    </section>
  );
}

function Found({ matching, files, shared, by }: { matching: Matching; files: Both<ExportFile>; shared: readonly Both<number>[]; by: number }) {
  const { only, same, changed, each, places } = matching;
  const what = by === whole ? "row" : "key";
  const alike = only[0] + only[1] + changed === 0;
  return (
    <>
      <p class={`answer ${alike ? "good" : ""}`} role="status">
        <strong>{alike ? `The same ${what}s in both.` : `${number(only[0])} only in A, ${number(only[1])} only in B.`}</strong>{" "}
        <span class="note">
          {counted(same, what)} alike in both
          {changed > 0 && `, ${number(changed)} ${by === whole ? "in both, but not as often" : "with other values"}`}.
          {each > 1 && ` One key in ${each} was compared, the same ones of both files, since there are too many to keep: there are about ${each} times as many.`}
        </span>
      </p>
      {letters.map((letter, i) => (
        <Few key={letter} title={`Only in ${letter}`} all={only[i]!} columns={files[i]!.columns} load={() => loaded(files[i]!, places.only[i]!)} />
      ))}
      {by !== whole && (
        <Few
          title="With other values"
          all={changed}
          columns={[files[0].columns[by]!, ...["Column", "A", "B"].map((name) => ({ name }))]}
          load={() => changes(matching, files, shared, by)}
        />
      )}
    </>
  );
}

const loaded = (file: ExportFile, places: readonly Span[]): Promise<(readonly string[])[]> =>
  Promise.all(places.map(async (place) => rowsOf(await file.fetch(place), file.kind, file.columns)[0] ?? []));

// One line for each value that is another.
async function changes({ places }: Matching, files: Both<ExportFile>, shared: readonly Both<number>[], by: number): Promise<(readonly string[])[]> {
  const [a, b] = await Promise.all(files.map((file, i) => loaded(file, places.changed.map((pair) => pair[i]!))));
  return a!.flatMap((row, i) =>
    shared.flatMap(([at, there]) => (row[at] === b![i]![there] ? [] : [[row[by] ?? "", files[0].columns[at]!.name, row[at] ?? "", b![i]![there] ?? ""]])),
  );
}

// The first rows of some, which are fetched when they are asked for.
function Few(props: { title: string; all: number; columns: readonly Pick<Column, "name">[]; load(): Promise<(readonly string[])[]> }) {
  const rows = useMemo(() => signal<readonly (readonly string[])[] | string | undefined>(undefined), []);
  if (props.all === 0) return null;
  const open = (): void => {
    if (rows.value) return;
    props.load().then(
      (found) => (rows.value = found),
      (error: unknown) => (rows.value = error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <details class="fold" onToggle={(e) => e.currentTarget.open && open()}>
      <summary>
        {props.title} <span class="note">{props.all > mostShown ? `${number(props.all)}, of which the first ${mostShown} are shown` : number(props.all)}</span>
      </summary>
      {typeof rows.value === "string" ? (
        <p class="refusal">They could not be fetched: {rows.value}.</p>
      ) : rows.value ? (
        <Rows label={props.title} heads={props.columns.map(({ name }) => name)} rows={rows.value} />
      ) : (
        <p class="note">Loading …</p>
      )}
    </details>
  );
}
