// The payload as JSON.

import { CodeField } from "../../editor/field";
import { chosenKind, kind, setText, text } from "./draft";
import { requestGuide } from "./guide";

const language = () => import("../../editor/json").then(({ json }) => json(requestGuide(() => kind.peek())));

/** The field for the payload. */
export const JsonEdit = () => (
  <CodeField id="request" label="Payload as JSON" text={text} onChange={setText} language={language} depends={() => chosenKind.value} />
);
