/// <reference types="vite/client" />

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
