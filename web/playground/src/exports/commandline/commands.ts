// The commands of the exports: five lines that end with two files, and the controls that the real service does not have. They are
// those of the server's own landing page; a test compares them.

import { headersOf } from "../api/credentials";
import { demo } from "../api/demo";
import { catalog, fillPath, kinds, spokenBy, statesOf } from "../api/kinds";

/** One command of the tour. */
export interface Command {
  title: string;
  text: string;
  command: string;
}

const json = '-H "Content-Type: application/json"';
const headers = (of: string): string => {
  const spoken = spokenBy(of);
  return spoken ? headersOf(spoken, demo).map(([name, value]) => `-H "${name}: ${value}"`).join(" ") : "";
};

// The events of a campaign, a snapshot and the profiles, whatever their names.
const campaign = () => kinds().find(({ target, columns }) => target === "campaign" && columns.some(({ type }) => type === "date"))!;
const snapshot = () => kinds().find((kind) => kind.interface === "legacy" && kind.lookback === "snapshot")!;
const profiles = () => kinds().find((kind) => kind.interface === "profiles")!;
const pathOf = ({ path }: { path: string }): string => fillPath(path, { api_key: demo.application, campaign_token: "welcome" });

/** Five lines to paste into one shell, in order. `from` is a date without a zone. */
export function tour(base: string, from: string): Command[] {
  const [legacy, profile] = [headers("legacy"), headers("profiles")];
  const [underway, done, failed] = [statesOf("legacy", "waiting", "running"), statesOf("legacy", "done"), statesOf("legacy", "failed")];
  const lookup = fillPath(catalog.value.endpoints["legacy.status"] ?? "", { api_key: demo.application, request_id: "REQUEST" }).replace("REQUEST", "$REQUEST");
  return [
    {
      title: "Ask for a CSV file",
      text: "What happened to the messages of a push campaign in the last seven days. The answer is 202 with an identifier.",
      command: `REQUEST=$(curl -s ${base}${pathOf(campaign())} ${legacy} ${json} -d '{"from":"${from}","to":"now","events":["push_sent","push_open"],"ids":["install_id","custom_id"]}' | cut -d'"' -f4); echo $REQUEST`,
    },
    {
      title: "Wait for it",
      text: `${[...underway, ...done].join(", then ")} with a link that works for 20 minutes. Ask again for a new one.`,
      command: `for i in $(seq 30); do curl -sSfo record.json ${base}${lookup} ${legacy} || break; grep -E '"(${[...done, ...failed].join("|")})"' record.json && break; sleep 1; done`,
    },
    download(legacy),
    {
      title: "Ask for a JSON file",
      text: "Every profile as it is now: a snapshot.",
      command: `EXPORT=$(curl -s ${base}${pathOf(profiles())} ${profile} ${json} -d '{"export_type":"ATTRIBUTES","attributes":["$email_address","$language"],"identifiers":["custom_id"]}' | cut -d'"' -f4); echo $EXPORT`,
    },
    downloadPart(base, profile),
  ];
}

// The legacy file: behind a signed link, or behind an address that asks for the credentials and redirects to one.
function download(legacy: string): Command {
  if (spokenBy("legacy")?.files.link !== "redirect") {
    return {
      title: "Download it",
      text: "The link is its own credential.",
      command: `curl -so campaign.csv "$(grep -o 'http[^"]*' record.json)" && head -n 5 campaign.csv`,
    };
  }
  return {
    title: "Download it",
    text: "The address asks for the credentials and redirects to a link, which is its own credential.",
    command: `curl -so campaign.csv "$(curl -so /dev/null -w '%{redirect_url}' ${legacy} "$(grep -o 'http[^"]*' record.json)")" && head -n 5 campaign.csv`,
  };
}

// The first part of the profile file.
function downloadPart(base: string, profile: string): Command {
  const title = "Download that one";
  const more = "There may be several parts; this is the first.";
  const spoken = spokenBy("profiles");
  const { endpoints } = catalog.value;
  if (spoken?.files.link === "redirect") {
    const { identifiers } = spoken;
    return {
      title,
      text: `Refused with 404 until it is there; the line gives up after 30 tries. The answer leads to a link, which is asked without the credentials. ${more}`,
      command: `for i in $(seq 30); do LINK=$(curl -sSfo /dev/null -w '%{redirect_url}' "${base}${endpoints["profiles.download"]}?id=${identifiers.file}\${EXPORT#${identifiers.export}}_1" ${profile}) && curl -sSfo profiles.json "$LINK" && head -c 400 profiles.json; [ $? = 22 ] || break; sleep 1; done`,
    };
  }
  return {
    title,
    text: `The record has links once it is finished; the line gives up after 30 tries. A link is its own credential. ${more}`,
    command: `for i in $(seq 30); do LINK=$(curl -sSf "${base}${endpoints["profiles.view"]}?id=$EXPORT" ${profile} | grep -o '"url":"[^"]*' | cut -d'"' -f4 | head -n 1); [ -n "$LINK" ] || { sleep 1; continue; }; curl -sSfo profiles.json "$LINK" && head -c 400 profiles.json; break; done`,
  };
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
      command: `curl -s ${base}${pathOf(snapshot())} ${headers("legacy")} ${json} -H "X-Mock-Scenario: error=CONFLICT" -d '{"ids":["install_id"]}'`,
    },
    {
      title: "Look behind the curtain",
      text: "Every export request and what its file depends on.",
      command: `curl -s ${base}/_mock/exports${control}`,
    },
  ];
}
