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

declare module "virtual:types" {
  /** A member of an interface of the package. */
  export interface Member {
    name: string;
    type: string;
    about: string;
  }
  /** What a handler meets, by the name of the interface: an invocation, a source, a result. */
  export const types: Readonly<Record<"Invocation" | "Source" | "Result", readonly Member[]>>;
}
