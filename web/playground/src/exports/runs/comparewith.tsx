// A file beside the other exports of its kind that were made here.

import { useEffect } from "preact/hooks";
import { formatTime } from "../../server/clock";
import { Choose } from "../compare/choose";
import type { ExportFile } from "../file/file";
import { refresh, roleOf, runs, type Run } from "./runs";

const nameOf = (run: Run): string => [`Export of ${formatTime(new Date(run.created_at))}`, run.file.target, run.id.slice(-8)].filter(Boolean).join(", ");

/** Compares a file with another one. */
export function CompareWith({ file }: { file: ExportFile }) {
  useEffect(() => void (runs.peek() ?? refresh()), []);
  const done = (runs.value ?? []).filter((run) => run.kind === file.kind.kind && roleOf(run) === "done");
  const own = done.find(({ id }) => id === file.id);
  const others = done.filter((run) => run !== own).map((run) => ({ id: run.id, name: nameOf(run), request: run.request }));
  return <Choose file={file} name={own ? nameOf(own) : "This file"} candidates={others} />;
}
