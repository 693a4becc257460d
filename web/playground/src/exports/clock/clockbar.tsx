// The server's clock and its controls, in one line.

import { useEffect, useState } from "preact/hooks";
import { changeClock, clock, clockRefusal, currentTime, formatTime, refreshClock } from "../../server/clock";
import { refresh } from "../runs/runs";

const steps = { "1m": "1 minute", "21m": "21 minutes", "1h": "1 hour", "24h": "1 day", "744h": "31 days" };

async function turn(body: Record<string, unknown>): Promise<void> {
  await changeClock(body);
  await refresh();
}

/** The clock with its controls. */
export function ClockBar() {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const now = clock.value;
  return (
    <section class="clockbar levers" id="clock" aria-label="Clock of the server">
      {now.state === "known" ? (
        <>
          <span class="face">
            <time class="state" dateTime={currentTime(now).toISOString()}>{formatTime(currentTime(now))}</time> UTC{" "}
            {now.frozen ? <span class="pill">frozen</span> : now.rate !== 1 && <span class="pill">{now.rate} times as fast</span>}
          </span>
          <span class="levers" role="group" aria-label="Move the clock forward">
            {Object.entries(steps).map(([advance, label]) => (
              <button key={advance} type="button" class="chip" data-advance={advance} aria-label={`Forward ${label}`} onClick={() => void turn({ advance })}>
                +{label}
              </button>
            ))}
          </span>
          <button type="button" class="chip" aria-pressed={now.frozen} onClick={() => void turn({ freeze: !now.frozen })}>
            {now.frozen ? "Let it run" : "Freeze"}
          </button>
          <button type="button" class="quiet" onClick={() => void turn({ set: new Date().toISOString(), freeze: false, rate: 1 })}>
            Back to real time
          </button>
        </>
      ) : (
        <span class="face" title={now.state === "unknown" ? now.why : undefined}>
          {now.state === "asking" ? "asking …" : "The time is not known."}{" "}
          <button type="button" class="inline" onClick={() => void refreshClock()}>
            Ask again
          </button>
        </span>
      )}
      {clockRefusal.value && <span class="refusal">{clockRefusal.value}</span>}
    </section>
  );
}
