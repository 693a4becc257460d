// The request as a command.

import { curl } from "../../core/request";
import { Command } from "../../ui/command";
import { prepared } from "./draft";

/** The request as curl sends it. */
export const RequestAsCurl = () => (
  <section class="card" aria-labelledby="code-title">
    <h2 id="code-title">Request as curl</h2>
    <Command label="The request as curl" text={curl(prepared.value, location.origin)} />
  </section>
);
