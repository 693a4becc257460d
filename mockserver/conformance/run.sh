#!/bin/sh
# Holds the API document and the server against each other: lint, prism and schemathesis, or those that are named as arguments.
# A tool that is absent is skipped, with the reason; with REQUIRE_ALL=1 that is a failure. What has to be fetched goes to build/
# and node_modules/, once. Everything is sent to a server on this machine, which this script starts and ends.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
build=$root/build
work=$build/conformance
failed=0

# skip NAME REASON
skip() {
	echo "$1: skipped: $2"
	[ "${REQUIRE_ALL:-0}" = 1 ] && failed=1
	return 0
}

# fresh STAMP SOURCE: tells whether what was made from SOURCE is as new as it.
fresh() {
	[ -e "$1" ] && [ ! "$2" -nt "$1" ]
}

# attempt NAME COMMAND...: runs a preparation quietly and tells what went wrong.
attempt() {
	name=$1
	shift
	log=$work/$name.log
	"$@" >"$log" 2>&1 && return 0
	skip "$name" "'$1' failed, see $log: $(tail -n 1 "$log")"
	return 1
}

# npm_tools NAME: the linter and the proxy.
npm_tools() {
	command -v npm >/dev/null || { skip "$1" "there is no npm"; return 1; }
	fresh "$here/node_modules/.package-lock.json" "$here/package-lock.json" || attempt "$1" npm --prefix "$here" ci --ignore-scripts
}

run_lint() {
	npm_tools lint || return
	# An address of its own: the linter takes localhost for a slip, and in a document that is published it is one.
	"$work/mockserver" openapi --url https://mock.rehearsal.test >"$work/lint.json" || { failed=1; return; }
	(cd "$here" && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true node node_modules/@redocly/cli/bin/cli.js lint --config redocly.yaml \
		--max-problems 30 "$work/lint.json") >"$work/lint.log" 2>&1
	if [ $? = 0 ]; then
		echo "lint: 1 passed, 0 failed"
	else
		cat "$work/lint.log"
		echo "lint: 0 passed, 1 failed"
		failed=1
	fi
}

# The tests of the client that read what an answer says. Those about bytes on the wire, broken connections, crashes and memory say
# nothing of the document, and a proxy stands in their way.
tests='EveryKind|RequestIsHonoured|NowIsAnInstant|ProfileSelection|ListOfExports|ForcedErrors|Scenarios|Credentials|Lookback'
tests="$tests|RateOfFilteredExports|LinksLiveTwentyMinutes|FilesLiveOneMonth|ForgedLinksAreRefused|ControlThroughPrism"

run_prism() {
	npm_tools prism || return
	command -v node >/dev/null || { skip prism "there is no node"; return; }
	(cd "$root" && E2E_PRISM=1 go test -v -count=1 -timeout 10m -run "^Test($tests)\$" ./mockserver/e2e) >"$work/prism.log" 2>&1 || { cat "$work/prism.log"; failed=1; }
	echo "prism: $(grep -c '^--- PASS' "$work/prism.log") passed, $(grep -c '^--- FAIL' "$work/prism.log") failed"
}

run_schemathesis() {
	command -v python3 >/dev/null || { skip schemathesis "there is no python3"; return; }
	venv=$build/schemathesis
	if ! fresh "$venv/ready" "$here/requirements.txt"; then
		attempt schemathesis python3 -m venv "$venv" || return
		attempt schemathesis "$venv/bin/pip" install --quiet --require-hashes --requirement "$here/requirements.txt" || return
		touch "$venv/ready"
	fi
	# The clock stands a week after the dates that the schemas have as examples, and every run sees the same world.
	"$work/mockserver" serve --addr 127.0.0.1:0 --state memory --profiles 200 --progress now --now 2026-02-07T08:30:00Z >"$work/server.log" 2>&1 &
	server=$!
	trap 'kill $server 2>/dev/null' EXIT INT TERM
	address=
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		address=$(sed -n 's/.*listening on \(http:[^ "]*\).*/\1/p' "$work/server.log" | head -n 1)
		[ -n "$address" ] && break
		sleep 0.5
	done
	if [ -z "$address" ]; then
		cat "$work/server.log"
		failed=1
		return
	fi
	address=${address%/}
	"$work/mockserver" openapi --url "$address" >"$work/openapi.json" || { failed=1; return; }
	if (cd "$work" && "$venv/bin/schemathesis" --config-file "$here/schemathesis.toml" run openapi.json --url "$address") >"$work/schemathesis.log" 2>&1; then
		grep 'generated' "$work/schemathesis.log"
		echo "schemathesis: 1 passed, 0 failed"
	else
		cat "$work/schemathesis.log"
		echo "schemathesis: 0 passed, 1 failed"
		failed=1
	fi
	kill $server 2>/dev/null
}

mkdir -p "$work"
(cd "$root" && go build -trimpath -o "$work/mockserver" ./mockserver/cmd/mockserver) || exit 1
[ $# -gt 0 ] || set -- lint prism schemathesis
for tool; do
	case $tool in
	lint | prism | schemathesis) "run_$tool" ;;
	*)
		echo "run.sh: there is no tool $tool: choose from lint, prism, schemathesis" >&2
		exit 2
		;;
	esac
done
exit $failed
