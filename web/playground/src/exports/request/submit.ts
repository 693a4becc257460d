// Sending the request that is set up, and the answer to it.

import { signal } from "@preact/signals";
import { announcement } from "../../core/announcement";
import { reason, send } from "../../server/client";
import { spokenBy } from "../api/kinds";
import { selectCreated } from "../runs/runs";
import { kind, obstacle, prepared } from "./draft";

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
    const made = JSON.parse(text) as Record<string, string>;
    submission.value = { state: "accepted", status: response.status, body: text };
    announcement.value = "The export was accepted.";
    await selectCreated(made[spokenBy(kind.value.interface)?.identifiers.created ?? ""] ?? "");
  } catch (error) {
    submission.value = { state: "refused", error: error instanceof Error ? error : new Error(String(error)) };
    announcement.value = `Refused: ${reason(error)}`;
  }
}
