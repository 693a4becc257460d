// The case of a phone.

import type { ComponentChildren } from "preact";

/** A phone with something on its screen. */
export const Device = (props: { platform: string; children: ComponentChildren }) => (
  <div class={`device ${props.platform}`}>
    <div class="screen">
      {props.children}
    </div>
  </div>
);
