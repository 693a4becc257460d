// The start of the page: first the frame, then the actions, then, when there is time, the editor.

import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/shell.css";
import "./style/actions.css";
import "./style/phone.css";
import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { listen } from "./actions/shortcuts";
import { keepAddress } from "./sessions/link";
import { load, loading } from "./sessions/sessions";
import { follow, Shell, view } from "./shell";

follow();
addEventListener("hashchange", follow);
keepAddress(() => view.value === "actions");
listen(() => view.value === "actions");
render(<Shell />, document.getElementById("root")!);

// The actions are large, so they are loaded when a view needs them.
effect(() => {
  if (view.value !== "exports" && untracked(() => loading.value.state === "idle")) void load();
});
