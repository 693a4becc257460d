// What the columns of a file are for, so that plots know what to add up.

import type { Column, ExportKind } from "virtual:exports";

/** The columns with few values whose sizes are worth seeing, and the titles of their plots. */
export const groupTitles: Readonly<Record<string, string>> = {
  smart_segment: "Size of the segments",
  is_optin_push: "Opted in to push",
  $email_marketing: "E-mail marketing",
  $sms_marketing: "SMS marketing",
  $language: "Languages",
  $region: "Regions",
  platform: "Platforms",
  cta: "Calls to action",
  channel: "Channels",
};

/** The columns by what they are for, as their numbers; -1 where there is none. */
export interface Roles {
  date: number;
  /** What tells the events of one date apart. */
  type: number;
  /** Columns with few values, whose sizes are worth seeing, by number. */
  sizes: readonly number[];
  /** Whether the values of the type are lists. */
  lists: boolean;
}

/** Finds them: the date of the event, the kind of it, and everything with few values. */
export function roles(kind: ExportKind, columns: readonly Column[]): Roles {
  const find = (...names: string[]): number => columns.findIndex((column) => names.includes(column.name));
  const events = /messages|changes/.test(kind.view);
  const changes = /changes$/.test(kind.view);
  const type = changes ? find("reasons", "is_optin") : find("event_type");
  return {
    date: events ? find("event_date", "timestamp") : -1,
    type,
    lists: type >= 0 && columns[type]!.type === "list",
    sizes: columns.flatMap((column, i) => (Object.hasOwn(groupTitles, column.name) || column.name === "event_type" ? [i] : [])),
  };
}
