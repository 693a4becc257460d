/** What the program says of identifiers, for the time before it is there: see actions/identifier.go. */
import { ActionsError } from "./errors.js";
import { wellFormed } from "./values.js";

/** The form in which identifiers compare: character by character and without a locale, as Go does it. */
export function fold(identifier: string): string {
  return Array.from(wellFormed(identifier), (c) => (c === "İ" ? "i" : c.toLowerCase())).join("");
}

/** Says why an identifier cannot be registered, or nothing. */
export function checkIdentifier(identifier: unknown): void {
  if (typeof identifier !== "string" || /^\p{White_Space}*$/u.test(identifier)) {
    throw new ActionsError("invalid_identifier", "the identifier is blank: it needs at least one visible character");
  }
  checkReserved(identifier);
}

/** Refuses the identifiers of the built-ins. */
export function checkReserved(identifier: string): void {
  if (fold(identifier).startsWith("service.")) {
    const name = JSON.stringify(identifier);
    throw new ActionsError("reserved_identifier", `the identifier ${name} begins with "service.", which is reserved for built-in actions`);
  }
}
