/// <reference types="vite/client" />

declare module "virtual:validators" {
  /** One fault that a validator found. */
  export interface Fault {
    instancePath: string;
    keyword: string;
    params: Record<string, unknown>;
  }
  /** A validator; its faults are those of the last call. */
  export type Validator = ((value: unknown) => boolean) & { errors?: Fault[] | null };
  /** The validators of the built-ins' arguments, by identifier. */
  export const validators: Readonly<Record<string, Validator>>;
}

declare module "virtual:request-validators" {
  import type { Validator } from "virtual:validators";
  /** The validators of the requests of exports, by schema file. */
  export const validators: Readonly<Record<string, Validator>>;
}

declare module "virtual:exports" {
  /** One column of a file. */
  export interface Column {
    name: string;
    /** Where it is in an item of JSON; the name alone in CSV. */
    path: readonly string[];
    about: string;
    /** date, boolean, word (one of a few values), list, text, integer ... */
    type: string;
    values: readonly string[];
    /** Whether every row has it, whatever was asked for. */
    required: boolean;
  }
  /** One kind of export, as the schema files describe it. */
  export interface ExportKind {
    kind: string;
    title: string;
    method: string;
    path: string;
    choice: string;
    format: "CSV" | "JSON";
    lookback: string;
    lookbackPolicy: "" | "clip" | "refuse";
    notBefore: string;
    summary: string;
    interface: "legacy" | "profiles";
    view: string;
    /** The schema file of the request. */
    request: string;
    schema: import("./core/catalogue").Schema;
    separator: string;
    columns: readonly Column[];
    /** The steps of a message, each after another one or after none. */
    journey: readonly { event: string; after: string }[];
  }
  /** Every kind of export, in the order of the schema files. */
  export const kinds: readonly ExportKind[];
  /** The paths of the lookups, by name. */
  export const lookups: Readonly<Record<string, string>>;
}

declare module "virtual:schemas" {
  /** What a text has to look like to be meant for a schema. */
  export interface Outline {
    /** The name of the schema file, without its ending. */
    name: string;
    title: string;
    /** The kind of export whose file it describes; "" for payloads and answers. */
    kind: string;
    format: "csv" | "json";
    /** Whether it is a list of objects, and not one object. */
    list: boolean;
    /** The members of the object, or of each one in the list. */
    members: readonly string[];
    required: readonly string[];
    /** The members that have one value only. */
    fixed: Readonly<Record<string, string>>;
    /** The values that members may have, where the schema lists them. */
    words: readonly string[];
  }
  /** Every schema of a payload, an answer or a file. */
  export const schemas: readonly Outline[];
}
