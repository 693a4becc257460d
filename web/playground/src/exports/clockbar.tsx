// The server's clock, and the levers on it.

import { useEffect, useState } from "preact/hooks";
import { ask, change, clock, inWords, reading, refusal } from "./clock";
import { refresh } from "./runs";

const steps = [
  ["1m", "1 minute"],
  ["21m", "21 minutes"],
  ["1h", "1 hour"],
  ["24h", "1 day"],
  ["744h", "31 days"],
] as const;

const rates = [
  [1, "real time"],
  [60, "60 times as fast"],
  [3600, "an hour a second"],
] as const;

async function turn(body: Record<string, unknown>): Promise<void> {
  await change(body);
  await refresh();
}

/** The clock with its levers. */
export function ClockBar() {
  useEffect(() => void ask(), []);
  const now = clock.value;
  return (
    <section class="clockbar card" aria-labelledby="clock-title">
      <h2 id="clock-title">Clock of the server</h2>
      {now.state === "known" ? <Face /> : <p class="face">{now.state === "asking" ? "asking …" : <Unknown />}</p>}
      <div class="levers" role="group" aria-label="Move the clock">
        <span class="note">Forward</span>
        {steps.map(([advance, label]) => (
          <button key={advance} type="button" class="secondary" onClick={() => void turn({ advance })} disabled={now.state !== "known"}>
            {label}
          </button>
        ))}
      </div>
      {now.state === "known" && (
        <div class="levers">
          <button type="button" class="secondary" aria-pressed={now.frozen} onClick={() => void turn({ freeze: !now.frozen })}>
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
            Back to the real time
          </button>
        </div>
      )}
      {refusal.value && <p class="refusal">{refusal.value}</p>}
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
      <time dateTime={reading(now).toISOString()}>{inWords(reading(now))}</time> UTC{" "}
      {now.frozen ? <span class="pill">frozen</span> : now.rate !== 1 && <span class="pill">{now.rate} times as fast</span>}
    </p>
  );
}

/** Says that the clock is not known, and asks again. */
export function Unknown() {
  return (
    <>
      <span>the server did not say</span>{" "}
      <button type="button" class="inline" onClick={() => void ask()}>
        Ask again
      </button>
    </>
  );
}
