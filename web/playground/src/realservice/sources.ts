// Where the answers of the server come from: GET /_mock/sources.

import { signal } from "@preact/signals";
import { get, reason } from "../server/client";

/** One exchange of the recording. */
export interface Exchange {
  readonly number: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly stage?: string;
  readonly kind?: string;
}

/** What the server says. */
export interface Sources {
  readonly recording?: { readonly began: string; readonly count: number; readonly exchanges: readonly Exchange[] };
  readonly world: {
    readonly seed: number;
    readonly profiles: number;
    readonly version: number;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly defaults: Readonly<Record<string, unknown>>;
  };
}

/** What is known of them. */
export const sources = signal<Sources | undefined>(undefined);

/** Why nothing is known. */
export const sourcesTrouble = signal("");

/** Asks the server. */
export async function ask(): Promise<void> {
  try {
    sources.value = await get<Sources>("/_mock/sources");
    sourcesTrouble.value = "";
  } catch (error) {
    sourcesTrouble.value = reason(error);
  }
}

/** One setting, what it is by default, and whether it was given. */
export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly usual: string;
  readonly own: boolean;
}

/** Settings in words; those that have members, such as rates, one by one. */
const shown = (settings: Readonly<Record<string, unknown>>): Map<string, string> =>
  new Map(
    Object.entries(settings).flatMap(([name, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? [...shown(value as Readonly<Record<string, unknown>>)].map(([member, its]) => [`${name}: ${member}`, its] as const)
        : [[name, Array.isArray(value) ? value.map(String).join(", ") : String(value)] as const],
    ),
  );

/** The settings of the world by name: those that were given, and the defaults of the others. */
export function settingsOf({ settings, defaults }: Sources["world"]): readonly Setting[] {
  const given = shown(settings);
  const usual = shown(defaults);
  return [...new Set([...usual.keys(), ...given.keys()])].sort().map((name) => {
    const [own, standard] = [given.get(name), usual.get(name) ?? ""];
    return { name, value: own ?? standard, usual: standard, own: own !== undefined && own !== standard };
  });
}
