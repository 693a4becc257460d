// What the columns of a file are for, so that plots know what to add up: the schema says what their values are.

import type { Column } from "../api/kinds";

/** The columns by what they are for, as their numbers; -1 where there is none. */
export interface Roles {
  date: number;
  /** What tells the events of one date apart. */
  type: number;
  /** Whether the values of the type are lists. */
  lists: boolean;
}

/** Finds them: the date of the event, and the kind of it. */
export function roles(columns: readonly Column[]): Roles {
  const find = (...sources: string[]): number => {
    const source = sources.find((one) => columns.some((column) => column.source === one));
    return columns.findIndex((column) => column.source === source);
  };
  const type = find("event.type", "event.reasons", "installation.is_optin");
  return {
    date: find("event.date"),
    type,
    lists: type >= 0 && columns[type]!.type === "list",
  };
}
