// The commands of the exports: five lines that end with two files, and the controls that the real service does not have. They are
// those of the server's own landing page; a test compares them.

import { demo } from "../api/demo";
import { fillPath, kinds } from "../api/kinds";

/** One command of the tour. */
export interface Command {
  title: string;
  text: string;
  command: string;
}

const json = '-H "Content-Type: application/json"';
const legacy = `-H "X-Authorization: ${demo.company}"`;
const profile = `-H "Authorization: Bearer ${demo.token}" -H "X-Service-Project: ${demo.project}"`;

// The events of a campaign, a snapshot and the profiles, whatever their names.
const campaign = () => kinds().find(({ target, columns }) => target === "campaign" && columns.some(({ type }) => type === "date"))!;
const snapshot = () => kinds().find((kind) => kind.interface === "legacy" && kind.lookback === "snapshot")!;
const profiles = () => kinds().find((kind) => kind.interface === "profiles")!;
const pathOf = ({ path }: { path: string }): string => fillPath(path, { api_key: demo.application, campaign_token: "welcome" });

/** Five lines to paste into one shell, in order. `from` is a date without a zone. */
export function tour(base: string, from: string): Command[] {
  return [
    {
      title: "Ask for a CSV file",
      text: "What happened to the messages of a push campaign in the last seven days. The answer is 202 with an identifier.",
      command: `REQUEST=$(curl -s ${base}${pathOf(campaign())} ${legacy} ${json} -d '{"from":"${from}","to":"now","events":["push_sent","push_open"],"ids":["install_id","custom_id"]}' | cut -d'"' -f4); echo $REQUEST`,
    },
    {
      title: "Wait for it",
      text: "CREATED, then PENDING, then SUCCESS with a link that works for 20 minutes. Ask again for a new one.",
      command: `for i in $(seq 30); do curl -sSfo record.json ${base}/1.0/${demo.application}/export/request/$REQUEST ${legacy} || break; grep -E '"(SUCCESS|ERROR)"' record.json && break; sleep 1; done`,
    },
    {
      title: "Download it",
      text: "The link is its own credential.",
      command: `curl -so campaign.csv "$(grep -o 'http[^"]*' record.json)" && head -n 5 campaign.csv`,
    },
    {
      title: "Ask for a JSON file",
      text: "Every profile as it is now: a snapshot.",
      command: `EXPORT=$(curl -s ${base}${pathOf(profiles())} ${profile} ${json} -d '{"export_type":"ATTRIBUTES","attributes":["$email_address","$language"],"identifiers":["custom_id"]}' | cut -d'"' -f4); echo $EXPORT`,
    },
    {
      title: "Download that one",
      text: "Refused with 404 until it is there; the line gives up after 30 tries. The answer leads to a link, which is asked without the credentials. There may be several parts; this is the first.",
      command: `for i in $(seq 30); do LINK=$(curl -sSfo /dev/null -w '%{redirect_url}' "${base}/2.7/exports/download?id=file_\${EXPORT#export_}_1" ${profile}) && curl -sSfo profiles.json "$LINK" && head -c 400 profiles.json; [ $? = 22 ] || break; sleep 1; done`,
    },
  ];
}

/** The controls that a real service does not have. `token` is whether the server asks for its control token. */
export function levers(base: string, token = false): Command[] {
  const control = token ? ' -H "Authorization: Bearer $REHEARSAL_CONTROL_TOKEN"' : "";
  return [
    {
      title: "Move the clock",
      text: "Links, files, lookback and rate limits follow it.",
      command: `curl -s ${base}/_mock/clock${control} ${json} -d '{"advance":"21m"}'`,
    },
    {
      title: "Force what is rare",
      text: "On any request: error=MAINTENANCE_ERROR, outcome=error, rows=0, progress=now, time:2s, polls:3 or manual.",
      command: `curl -s ${base}${pathOf(snapshot())} ${legacy} ${json} -H "X-Mock-Scenario: error=CONFLICT" -d '{"ids":["install_id"]}'`,
    },
    {
      title: "Look behind the curtain",
      text: "Every export request and what its file depends on.",
      command: `curl -s ${base}/_mock/exports${control}`,
    },
  ];
}
