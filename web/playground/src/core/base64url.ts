// JSON in the fragment of an address, as base64 in the alphabet of URLs.

import { signal } from "@preact/signals";

/** Whether the address carried something that could not be read. */
export const unreadable = signal(false);

/** Writes a value into a part of an address. */
export function encodeJson(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Reads what {@link encodeJson} wrote; throws when it cannot. */
export function decodeJson(encoded: string): unknown {
  const binary = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0))));
}
