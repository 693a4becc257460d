// What each host would say to the call as it stands: can it do anything, and would it refuse the arguments.

import { useMemo } from "preact/hooks";
import type { Arguments, Problem } from "../core/adapter";
import { hostTitles, type HostName } from "../core/log";
import { args, loading, sessions } from "../core/rehearsal";
import type { Session } from "../core/session";
import { custom, identifier } from "../core/state";
import { Check, Cross, Hand, Bar } from "./icons";

type Verdict = { kind: "ok" | "gesture" | "none" | "refused" | "wait"; words: string; problems: readonly Pick<Problem, "pointer" | "message">[] };

function judge(session: Session | undefined): Verdict {
  if (!session) return { kind: "wait", words: loading.value.state === "failed" ? "not loaded" : "loading …", problems: [] };
  if (!args.value.ok) return { kind: "refused", words: "the arguments are not JSON", problems: [{ pointer: "", message: args.value.message }] };
  const problems = session.validate(identifier.value, args.value.value as Arguments);
  if (problems.length > 0) return { kind: "refused", words: problems.length === 1 ? "one problem" : `${problems.length} problems`, problems };
  const capability = session.capability(identifier.value);
  if (capability === "unsupported") return { kind: "none", words: "unsupported: this host cannot do it", problems: [] };
  return capability === "needs_gesture" ? { kind: "gesture", words: "ready, and needs a click", problems: [] } : { kind: "ok", words: "ready", problems: [] };
}

const icons = { ok: Check, gesture: Hand, none: Bar, refused: Cross, wait: Bar };

function Row({ name }: { name: HostName }) {
  const session = sessions.value[name];
  const depends = [session, session?.revision.value, session?.started.value, identifier.value, args.value, custom.value, loading.value];
  const { kind, words, problems } = useMemo(() => judge(session), depends);
  const Icon = icons[kind];
  return (
    <div class={`verdict ${kind}`} data-host={name}>
      <Icon />
      <strong>{hostTitles[name]}</strong>
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

export function Verdicts() {
  return (
    <div class="verdicts" role="group" aria-label="Before it runs">
      <Row name="browser" />
      <Row name="phone" />
    </div>
  );
}
