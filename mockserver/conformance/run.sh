#!/bin/sh
# Holds the API document and the server against each other: lint, prism and schemathesis, or those that are named as arguments.
# A tool that is absent is skipped, with the reason; with REQUIRE_ALL=1 that is a failure. What has to be fetched goes to build/
# and node_modules/, once. Everything is sent to a server on this machine, which this script starts and ends.
set -u
cd "$(dirname "$0")/../.." || exit 1
. .ci/steps
here=mockserver/conformance
work=build/conformance

# npm_tools NAME: the linter and the proxy.
npm_tools() {
	has "$1" node npm && prepare "$1" "$here/node_modules/.package-lock.json" "$here/package-lock.json" npm --prefix "$here" ci --ignore-scripts
}

run_lint() {
	npm_tools lint || return
	# An address of its own: the linter takes localhost for a slip, and in a document that is published it is one.
	build/mockserver openapi --url https://mock.rehearsal.test >"$work/lint.json" || { fail lint; return; }
	check lint within 10m env REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true node "$here/node_modules/@redocly/cli/bin/cli.js" lint \
		--config "$here/redocly.yaml" --max-problems 30 "$work/lint.json"
}

# The tests of the client that read what an answer says. Those about bytes on the wire, broken connections, crashes and memory say
# nothing of the document, and a proxy stands in their way.
tests='EveryKind|RequestIsHonoured|NowIsAnInstant|ProfileSelection|ListOfExports|ForcedErrors|Scenarios|Credentials|Lookback'
tests="$tests|RateOfFilteredExports|LinksLiveTwentyMinutes|FilesLiveOneMonth|ForgedLinksAreRefused|Control"

run_prism() {
	npm_tools prism || return
	export E2E_PRISM=1
	suite prism gotest -run "^Test($tests)\$" ./mockserver/e2e
	unset E2E_PRISM
}

run_schemathesis() {
	has schemathesis python3 || return
	venv=build/schemathesis
	prepare schemathesis "$venv/ready" "$here/requirements.txt" \
		sh -c "python3 -m venv $venv && $venv/bin/pip install --quiet --require-hashes --requirement $here/requirements.txt" || return
	# The clock stands a week after the dates that the schemas have as examples, and every run sees the same world.
	rm -f "$work/ready.json"
	build/mockserver serve --port 0 --ready-file "$work/ready.json" --state memory --profiles 200 --progress now --now 2026-02-07T08:30:00Z >"$work/server.log" 2>&1 &
	server=$!
	trap 'kill $server 2>/dev/null' EXIT INT TERM
	until [ -e "$work/ready.json" ]; do
		kill -0 $server 2>/dev/null || { cat "$work/server.log"; fail schemathesis; return; }
		sleep 0.1
	done
	address=$(sed -n 's/.*"url" *: *"\([^"]*\)".*/\1/p' "$work/ready.json")
	build/mockserver openapi --url "$address" >"$work/openapi.json" || { fail schemathesis; return; }
	check schemathesis within 60m env -C "$work" "$PWD/$venv/bin/schemathesis" --config-file "$PWD/$here/schemathesis.toml" run openapi.json --url "$address"
	kill $server 2>/dev/null
}

mkdir -p "$work"
make --no-print-directory build/mockserver || exit 1
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
finish
