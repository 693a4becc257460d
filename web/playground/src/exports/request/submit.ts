// Sending the request that is set up, and the answer to it.

import { signal } from "@preact/signals";
import { announcement } from "../../core/announcement";
import { reason, Refusal, send } from "../../server/client";
import { recorded } from "../exchange/log";
import { createdIn, spokenBy } from "../api/kinds";
import { selectCreated, selectedId } from "../runs/runs";
import { kind, obstacle, prepared } from "./draft";

/** An answer as it came. */
export interface Answer {
  status: number;
  /** The name and the words of a refusal; "" for neither. */
  code: string;
  message: string;
  headers: Headers;
  body: string;
  /** The export that was made. */
  export: string;
}

/** The last submission. */
export const submission = signal<{ state: "none" } | { state: "sending" } | ({ state: "answered" } & Answer) | { state: "failed"; why: string }>({ state: "none" });

/** Sends the request, and selects the export that it made. */
export async function submit(): Promise<void> {
  if (obstacle.value) return;
  const { method, path, headers, body } = prepared.value;
  submission.value = { state: "sending" };
  try {
    const response = await send(path, { method, headers: Object.fromEntries(headers), body: body || null });
    const { direct, interface: side } = kind.value;
    const text = direct ? `${(await response.blob()).size} bytes, shown below` : await response.text();
    const noted = direct ? await recorded(response.headers.get("x-request-id") ?? "", response.status) : undefined;
    const id = noted?.export ?? createdIn(parsed(text), spokenBy(side));
    await selectCreated(id);
    const message = direct ? "the file" : "accepted";
    submission.value = { state: "answered", status: response.status, code: "", message, headers: response.headers, body: text, export: id };
    announcement.value = direct ? "The file has come." : "The export was accepted.";
  } catch (error) {
    selectedId.value = "";
    if (error instanceof Refusal) {
      const { status, code, message, headers, body } = error;
      submission.value = { state: "answered", status, code, message, headers, body, export: "" };
    } else submission.value = { state: "failed", why: reason(error) };
    announcement.value = `Refused: ${reason(error)}`;
  }
}

// An answer may be the file itself.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
