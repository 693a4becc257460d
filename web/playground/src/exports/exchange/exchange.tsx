// A request and its answer as the journal recorded them. Nothing is shown that was not recorded.

import type { ComponentChildren } from "preact";
import { pretty } from "../../core/json";
import { formatTime } from "../../server/clock";
import { counted, duration } from "../../ui/format";
import type { Request } from "./log";

/** The exchange, the request beside its answer where there is room. */
export const Exchange = ({ one }: { one: Request }) => (
  <div class="exchange">
    <section aria-label="Recorded request">
      <p>
        <code>
          {one.method} {one.path}
          {one.query && `?${one.query}`}
        </code>
      </p>
      <dl>
        <Fact name="Key">{one.key}</Fact>
        <Fact name="Credentials in">{one.credentials?.join(", ")}</Fact>
        <Fact name="Client">{one.user_agent}</Fact>
        <Fact name="Time">{`${formatTime(new Date(one.time))} UTC, server clock`}</Fact>
      </dl>
      {one.body && <pre class="record" tabIndex={0} aria-label="Payload">{pretty(one.body)}</pre>}
    </section>
    <section aria-label="Recorded answer">
      <p>
        <strong class={`state ${one.status >= 400 || one.status === 0 ? "ERROR" : "SUCCESS"}`}>{one.status || "connection reset"}</strong> {one.reason}
      </p>
      <dl>
        <Fact name="Error">{one.error?.name}</Fact>
        <Fact name="Retry-After">{one.retry_after_seconds && counted(one.retry_after_seconds, "second")}</Fact>
        <Fact name="Decided by">{one.applied?.map(({ source, scenario }) => `${scenario} (${source})`).join("; ")}</Fact>
        <Fact name="Body">{counted(one.response_bytes, "byte")}</Fact>
        <Fact name="Took">{`${duration(one.duration_seconds * 1000)}${one.open ? ", still open" : ""}`}</Fact>
      </dl>
    </section>
  </div>
);

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) =>
  children ? (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{children}</code>
      </dd>
    </div>
  ) : null;
