#!/bin/sh
# Tests of shell scripts that use the export API, against the mock: needs curl and a POSIX shell.
#
#     MOCKSERVER=/path/to/mockserver sh exports.sh
#
# start_mock and control are the mock, send, wait_for and the two exports are the script under test: put yours in their place.
set -eu

directory=$(mktemp -d)
process=
trap 'status=$?; [ -z "$process" ] || { kill "$process"; wait "$process" || true; }; rm -rf "$directory"; exit $status' EXIT
trap 'exit 1' INT TERM

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# member FILE NAME: the text of a member of a JSON file.
member() { sed -n 's/.*"'"$2"'" *: *"\([^"]*\)".*/\1/p' "$1" | head -n 1; }

# --- the mock ---

# start_mock FLAGS...: starts a mock server on a free port, and stops its clock.
start_mock() {
	"${MOCKSERVER:-mockserver}" serve --port 0 --ready-file "$directory/ready.json" --state memory "$@" >"$directory/log" 2>&1 &
	process=$!
	until [ -e "$directory/ready.json" ]; do
		kill -0 "$process" 2>/dev/null || { process=; fail "the mock does not start: $(cat "$directory/log")"; }
		sleep 0.1
	done
	url=$(member "$directory/ready.json" url)
	control_url=$(member "$directory/ready.json" control_url)
	control POST clock '{"freeze":true}' >/dev/null
}

# control METHOD PATH [BODY]: calls a path under /_mock/.
control() { curl -sSf -X "$1" "$control_url$2" -H 'Content-Type: application/json' ${3:+-d "$3"}; }

# pause SECONDS: takes the place of sleep: the clock of the server moves, and nobody waits.
pause() { control POST clock "{\"advance\":\"${1}s\"}" >/dev/null; }

# --- the script under test ---

# send PATH OPTIONS...: sends a request, again when the server asks for patience. The answer is in the file answer.
send() {
	path=$1
	shift
	for attempt in 1 2 3 4 5; do
		status=$(curl -sS -o "$directory/answer" -D "$directory/headers" -w '%{http_code}' "$url$path" -H 'Content-Type: application/json' "$@")
		case $status in
		2??) return ;;
		429) pause "$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$directory/headers")" ;;
		*) fail "$path answers $status: $(cat "$directory/answer")" ;;
		esac
	done
	fail "$path is refused again and again (attempt $attempt)"
}

# wait_for PATH OPTIONS...: polls until an export is over.
wait_for() {
	polls=0
	while [ "$polls" -lt 360 ]; do
		polls=$((polls + 1))
		send "$@"
		case $(member "$directory/answer" status) in
		SUCCESS) return ;;
		ERROR) fail "the export failed: $(cat "$directory/answer")" ;;
		esac
		pause 10
	done
	fail "$1 is still not over"
}

# campaign_events CAMPAIGN FROM FILE: downloads the events of a campaign.
campaign_events() {
	send "/1.0/live_demo/export/campaign/$1/events" -H 'X-Authorization: rest_demo' \
		-d '{"from":"'"$2"'","to":"now","events":["push_sent","push_open"],"ids":["install_id","custom_id","advertising_id"]}'
	record=/1.0/live_demo/export/request/$(member "$directory/answer" requestId)
	wait_for "$record" -H 'X-Authorization: rest_demo'
	for attempt in 1 2 3; do
		send "$record" -H 'X-Authorization: rest_demo' # every lookup gives a new link
		link=$(member "$directory/answer" file_url)
		[ -z "${slow:-}" ] || { pause 1260; slow=; } # what comes between a lookup and its download: nothing, or the test
		status=$(curl -sS -o "$3" -w '%{http_code}' "$link")
		case $status in
		200) return ;;
		403) ;; # the link has expired on its way
		*) fail "$link answers $status" ;;
		esac
	done
	fail "no link works (attempt $attempt)"
}

# attributes FILE: downloads attributes of all profiles.
attributes() {
	send /2.7/profiles/export -H 'Authorization: Bearer token_demo' -H 'X-Service-Project: project_demo' \
		-d '{"export_type":"ATTRIBUTES","attributes":["$email_address","$language"],"identifiers":["custom_id"]}'
	wait_for "/2.7/exports/view?id=$(member "$directory/answer" id)" -H 'Authorization: Bearer token_demo' -H 'X-Service-Project: project_demo'
	file=$(sed -n 's/.*"id" *: *"\(file_[^"]*\)".*/\1/p' "$directory/answer")
	# The link is followed without the credentials of the API.
	link=$(curl -sS -o /dev/null -w '%{redirect_url}' "$url/2.7/exports/download?id=$file" -H 'Authorization: Bearer token_demo' -H 'X-Service-Project: project_demo')
	curl -sSf -o "$1" "$link"
}

# --- the tests ---

start_mock --profiles 500 --progress time:30s --refuse-authorization
passed=0

# check ABOUT [LINT]: ends a test. The client kept to the specification, but for the lint that the test brought about on purpose.
check() {
	control GET lints | tr '{' '\n' | grep '"severity":"error"' | grep -v "\"code\":\"${2:-none}\"" && fail "$1"
	control DELETE journal >/dev/null
	passed=$((passed + 1))
	echo "ok: $1"
}

campaign_events welcome 2025-01-01T00:00:00 "$directory/events.csv"
[ "$(head -n 1 "$directory/events.csv")" = "install_id;custom_id;advertising_id;event_date;event_type" ] || fail "the header is $(head -n 1 "$directory/events.csv")"
grep -q ';push_sent$' "$directory/events.csv" || fail "no message was sent"
check "a legacy export"

attributes "$directory/profiles.json"
grep -q '"$email_address"' "$directory/profiles.json" || fail "no profile has an address"
check "a profile export"

control POST scenarios '{"match":{"stage":"create"},"times":2,"scenario":"error=TOO_MANY_REQUESTS;retry-after=90s"}' >/dev/null
campaign_events welcome 2025-01-01T00:00:00 "$directory/again.csv"
control GET 'journal/count?status=429' | grep -q '"count":2' || fail "no request was refused"
check "too many requests"

slow=yes # the first link expires before it is used
campaign_events welcome 2025-01-01T00:00:00 "$directory/later.csv"
[ -s "$directory/later.csv" ] || fail "nothing was downloaded"
control GET 'journal/count?route=file&status=403' | grep -q '"count":1' || fail "no link expired"
check "an expired link" dead_link_used

control POST scenarios '{"match":{"stage":"create"},"times":1,"scenario":"outcome=error"}' >/dev/null
# In a subshell, as the script ends when an export fails.
(campaign_events welcome 2025-01-01T00:00:00 "$directory/none.csv") >"$directory/said" 2>&1 && fail "an export that failed was downloaded"
grep -q 'the export failed' "$directory/said" || fail "the script said: $(cat "$directory/said")"
check "a failed export"

echo "$passed passed, 0 failed"
