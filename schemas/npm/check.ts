// Compiled, never run: what the types must accept, and what they must refuse.

import { keywords, schemas, validator } from "@rehearsal/schemas";
import type { LegacyCampaignRequest, LegacyError, LegacyUserbaseRow, ProfilesEventsOutput } from "@rehearsal/schemas";

const kinds: LegacyCampaignRequest["events"] = [];
kinds.push("push_open");

export const request: LegacyCampaignRequest = { from: "2026-01-01T00:00:00", to: "now", events: kinds, ids: ["custom_id"] };

// @ts-expect-error: files say push_opened, requests say push_open
export const misspelt: LegacyCampaignRequest = { ...request, events: ["push_opened"] };

// @ts-expect-error: ids is missing
export const short: LegacyCampaignRequest = { from: "now", to: "now", events: [] };

export function openers(events: ProfilesEventsOutput): string[] {
  return events.filter((event) => event.event_type === "email_open" && !event.machine_open).map((event) => event.identifiers.profile_id);
}

export function optedIn(row: LegacyUserbaseRow): boolean {
  return row.is_optin_push === "true";
}

export function isMissing(error: LegacyError): boolean {
  return error.code === 30 && error.type === "MISSING_PARAMETER";
}

export const title: unknown = schemas["legacy/userbase.row.json"].title;
export const first: string | undefined = keywords[0];

export function pointers(value: unknown): string[] {
  const validate = validator("legacy/userbase.request");
  return validate(value) ? [] : (validate.errors ?? []).map((error) => error.instancePath);
}

export function campaign(value: unknown): LegacyCampaignRequest | undefined {
  return validator<LegacyCampaignRequest>("legacy/campaign.request.json")(value) ? value : undefined;
}
