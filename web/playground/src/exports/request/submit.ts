// Sending the request that is set up, and the answer to it.

import { signal } from "@preact/signals";
import { announcement } from "../../core/announcement";
import { reason, send } from "../../server/client";
import { selectCreated } from "../runs/runs";
import { obstacle, prepared } from "./draft";

/** The last submission: accepted, refused, or on its way. */
export const submission = signal<
  { state: "none" } | { state: "sending" } | { state: "accepted"; status: number; body: string } | { state: "refused"; error: Error }
>({ state: "none" });

/** Sends the request, and selects the export that it made. */
export async function submit(): Promise<void> {
  if (obstacle.value) return;
  const { method, path, headers, body } = prepared.value;
  submission.value = { state: "sending" };
  try {
    const response = await send(path, { method, headers: Object.fromEntries(headers), body });
    const text = await response.text();
    const { requestId, id } = JSON.parse(text) as { requestId?: string; id?: string };
    submission.value = { state: "accepted", status: response.status, body: text };
    announcement.value = "The export was accepted.";
    await selectCreated(requestId ?? id ?? "");
  } catch (error) {
    submission.value = { state: "refused", error: error instanceof Error ? error : new Error(String(error)) };
    announcement.value = `Refused: ${reason(error)}`;
  }
}
