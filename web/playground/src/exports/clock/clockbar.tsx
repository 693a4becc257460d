// The server's clock, and its controls.

import { useEffect, useState } from "preact/hooks";
import { changeClock, clock, clockRefusal, currentTime, formatTime, refreshClock } from "../../server/clock";
import { refresh } from "../runs/runs";

const steps = [
  ["1m", "1 minute"],
  ["21m", "21 minutes"],
  ["1h", "1 hour"],
  ["24h", "1 day"],
  ["744h", "31 days"],
] as const;

const rates = [
  [1, "normal speed"],
  [60, "60 times as fast"],
  [3600, "an hour a second"],
] as const;

async function turn(body: Record<string, unknown>): Promise<void> {
  await changeClock(body);
  await refresh();
}

/** The clock with its controls. */
export function ClockBar() {
  useEffect(() => void refreshClock(), []);
  const now = clock.value;
  return (
    <section class="clockbar card" id="clock" aria-labelledby="clock-title">
      <div class="bar">
        <h2 id="clock-title">Server clock</h2>
        {now.state === "known" ? <Face /> : <p class="face">{now.state === "asking" ? "asking …" : <Unknown />}</p>}
      </div>
      {now.state === "known" && now.keys.length > 0 && (
        <p class="note">
          {now.keys.length === 1 ? "Has a clock of its own: " : "Have clocks of their own: "}
          {now.keys.slice(0, 5).join(", ")}
          {now.keys.length > 5 && ` and ${now.keys.length - 5} more`}.
        </p>
      )}
      <div class="levers" role="group" aria-label="Move the clock">
        <span class="note">Forward</span>
        {steps.map(([advance, label]) => (
          <button key={advance} type="button" class="chip" data-advance={advance} onClick={() => void turn({ advance })} disabled={now.state !== "known"}>
            {label}
          </button>
        ))}
      </div>
      {now.state === "known" && (
        <div class="levers">
          <button type="button" class="chip" aria-pressed={now.frozen} onClick={() => void turn({ freeze: !now.frozen })}>
            {now.frozen ? "Let it run" : "Freeze"}
          </button>
          <label class="rate">
            <span class="hidden">Speed of the clock</span>
            <select
              value={String(now.rate)}
              disabled={now.frozen}
              onChange={(e) => void turn({ rate: Number(e.currentTarget.value) })}
            >
              {[...rates, ...(rates.some(([rate]) => rate === now.rate) ? [] : [[now.rate, `${now.rate} times as fast`] as const])].map(
                ([rate, label]) => (
                  <option key={rate} value={String(rate)}>
                    {label}
                  </option>
                ),
              )}
            </select>
          </label>
          <button type="button" class="quiet" onClick={() => void turn({ set: new Date().toISOString(), freeze: false })}>
            Back to real time
          </button>
        </div>
      )}
      {clockRefusal.value && <p class="refusal">{clockRefusal.value}</p>}
    </section>
  );
}

function Face() {
  const [, tick] = useState(0);
  const now = clock.value;
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, []);
  if (now.state !== "known") return null;
  return (
    <p class="face">
      <time dateTime={currentTime(now).toISOString()}>{formatTime(currentTime(now))}</time> UTC{" "}
      {now.frozen ? <span class="pill">frozen</span> : now.rate !== 1 && <span class="pill">{now.rate} times as fast</span>}
    </p>
  );
}

/** Says that the clock is not known, and asks again. */
function Unknown() {
  const now = clock.value;
  return (
    <>
      <span title={now.state === "unknown" ? now.why : undefined}>not known</span>{" "}
      <button type="button" class="inline" onClick={() => void refreshClock()}>
        Ask again
      </button>
    </>
  );
}
