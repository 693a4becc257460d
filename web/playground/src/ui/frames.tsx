// What the screens of the hosts are drawn in: the case of a phone, the window of a browser.

import type { ComponentChildren } from "preact";

/** A phone with something on its screen. */
export const Device = (props: { platform: string; children: ComponentChildren }) => (
  <div class={`device ${props.platform}`}>
    <div class="screen">
      <div class="status" aria-hidden="true">
        <span>9:41</span>
        <i class="camera" />
        <span>100 %</span>
      </div>
      {props.children}
    </div>
  </div>
);

/** A window with something on its page. */
export const BrowserWindow = (props: { children: ComponentChildren }) => (
  <div class="window">
    <div class="chrome" aria-hidden="true">
      <span>{location.host}</span>
    </div>
    <div class="page">{props.children}</div>
  </div>
);
