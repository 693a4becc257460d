// The start of the page: first the frame, then the actions, then, when there is time, the editor.

import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/shell.css";
import "./style/actions.css";
import "./style/call.css";
import "./style/results.css";
import "./style/hosts.css";
import "./style/phone.css";
import "./style/screens.css";
import "./style/dialog.css";
import { render } from "preact";
import { keepAddress } from "./core/link";
import { load } from "./core/rehearsal";
import { listen } from "./view/help";
import { follow, Shell, view } from "./view/shell";

follow();
addEventListener("hashchange", follow);
keepAddress(() => view.value === "actions");
listen(() => view.value === "actions");
render(<Shell />, document.getElementById("root")!);
void load();
