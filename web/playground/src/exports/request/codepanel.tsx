// The request as a command or a program.

import { languages } from "../../core/request";
import { Code } from "../../ui/code";
import { prepared } from "./draft";

/** The request in the language that was chosen. */
export const RequestAsCode = () => (
  <section class="card" aria-labelledby="code-title">
    <h2 id="code-title">Request as code</h2>
    <Code what="The request" languages={languages} written={({ write }) => write(prepared.value, location.origin)} />
  </section>
);
