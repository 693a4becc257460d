// What each host would say to the call as it stands: can it do anything, and would it refuse the arguments.

import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Arguments, Problem } from "../core/adapter";
import { builtinOf } from "../core/catalogue";
import type { HostName } from "../hosts/names";
import { args, chosenHosts, titleOf } from "../sessions/call";
import { Remote } from "../sessions/remote";
import type { Session } from "../sessions/session";
import { loading, sessions } from "../sessions/sessions";
import { custom, identifier } from "../sessions/state";
import { Bar, Check, Cross, Hand, Warn } from "../ui/icons";

type Kind = "ok" | "gesture" | "none" | "partial" | "refused" | "wait";

/** Whether a host can do it, in words. */
export interface Verdict {
  kind: Kind;
  words: string;
  problems: readonly Pick<Problem, "pointer" | "message">[];
}

const count = (n: number, thing: string): string => (n === 1 ? `one ${thing}` : `${n} ${thing}s`);

function judge(name: HostName, session: Session | Remote | undefined): Verdict {
  if (!session && name === "app" && loading.value.state === "ready") return { kind: "none", words: "no app has joined yet", problems: [] };
  if (!session) return { kind: "wait", words: loading.value.state === "failed" ? "not loaded" : "loading …", problems: [] };
  if (!args.value.ok) {
    const problems = [{ pointer: "", message: args.value.message }];
    return { kind: "refused", words: "the arguments are not strict JSON", problems };
  }
  if (session instanceof Remote && session.app.state === "gone") return { kind: "none", words: "gone: it comes back when it is started", problems: [] };
  const problems = session.validate(identifier.value, args.value.value as Arguments);
  const list = builtinOf(identifier.value)?.list;
  if (problems.length > 0 && list !== undefined && problems.every((problem) => isOfAnItem(problem, list))) {
    const items = new Set(problems.map(({ pointer }) => pointer.split("/")[2]));
    return { kind: "partial", words: `ready, except for ${items.size === 1 ? "one" : items.size} of its actions`, problems };
  }
  if (problems.length > 0) return { kind: "refused", words: `refused: ${count(problems.length, "problem")}`, problems };
  switch (session.capability(identifier.value)) {
    case "unsupported":
      return { kind: "none", words: "unsupported: this host cannot do it", problems };
    case "needs_gesture":
      return { kind: "gesture", words: "ready, and needs a click", problems };
    case "available":
      return { kind: "ok", words: "ready", problems };
  }
}

// What is wrong with one action of a group does not keep the group from running.
function isOfAnItem({ pointer, status }: Problem, list: string): boolean {
  const [, name, , side, ...inside] = pointer.split("/");
  return name === list && (status === "not_found" ? side === "0" && inside.length === 0 : side === "1" && inside.length > 0);
}

const icons: Record<Kind, typeof Check> = { ok: Check, gesture: Hand, none: Bar, partial: Warn, refused: Cross, wait: Bar };

// Whether a click still counts changes by itself.
const second = signal(0);
setInterval(() => document.hidden || second.value++, 1000);

/** What a host says before the call runs. */
export function useVerdict(name: HostName): Verdict {
  const session = sessions.value[name];
  const depends = [
    second.value,
    session,
    session?.revision.value,
    session?.started.value,
    identifier.value,
    args.value,
    custom.value,
    loading.value,
  ];
  return useMemo(() => judge(name, session), depends);
}

function Row({ host, verdict: { kind, words, problems } }: { host: HostName; verdict: Verdict }) {
  const Icon = icons[kind];
  return (
    <div class={`verdict ${kind}`} data-host={host}>
      <Icon />
      <strong>{titleOf(host)}</strong>
      <span>{words}</span>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ pointer, message }) => (
            <li key={pointer + message}>
              {pointer && <code>{pointer}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What the chosen hosts say before anything runs. */
export const Verdicts = (verdicts: Record<HostName, Verdict>) => (
  <div class="verdicts" role="group" aria-label="Before it runs">
    {chosenHosts.value.map((name) => (
      <Row key={name} host={name} verdict={verdicts[name]} />
    ))}
  </div>
);
