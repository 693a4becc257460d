#!/bin/sh
# Holds the API documents and the server against each other: linters, a proxy, made-up requests, clients that generators made,
# readers of the files, the rules of the world in SQL, and the notebook of an analyst: those of TEST_LEVEL, or those that are named as
# arguments. A tool that is absent is
# skipped, with the reason; with REQUIRE_ALL=1 that is a failure. What has to be fetched goes to build/ and node_modules/, once; what is
# large, with REQUIRE_ALL=1 or when it is named.
# Everything is sent to a server on this machine, which this script starts and ends.
set -u
cd "$(dirname "$0")/../.." || exit 1
. .ci/steps
here=mockserver/conformance
work=build/conformance

# npm_tools NAME: the linter and the proxy.
npm_tools() {
	has "$1" node npm && prepare "$1" "$here/node_modules/.package-lock.json" "$here/package-lock.json" npm --prefix "$here" ci --ignore-scripts
}

# documents: the API documents. An address of its own: linters take localhost for a slip, and in a document that is published it is one.
documents() {
	for document in client full; do
		build/mockserver openapi --url https://mock.rehearsal.test "$document" >"$work/$document.json" || return
	done
}

run_lint() {
	npm_tools lint || return
	documents || { fail lint; return; }
	check "lint: redocly" within 10m env REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true node "$here/node_modules/@redocly/cli/bin/cli.js" lint \
		--config "$here/redocly.yaml" --max-problems 30 "$work/full.json" "$work/client.json"
	check "lint: spectral" within 10m node "$here/node_modules/@stoplight/spectral-cli/dist/index.js" lint --ruleset "$here/spectral.yaml" \
		--fail-severity warn "$work/full.json" "$work/client.json"
}

# A service that nobody here wrote: Prism answers from the document, and the proxy of the command stands before it. What it finds is the one
# header that Prism adds, and what it passes on is what Prism has sent.
run_upstream() {
	npm_tools upstream && has upstream curl python3 || return
	build/mockserver openapi >"$work/upstream.json" || { fail upstream; return; }
	node "$here/node_modules/@stoplight/prism-cli/dist/index.js" mock -h 127.0.0.1 -p 0 "$work/upstream.json" >"$work/upstream.log" 2>&1 &
	prism=$! port=
	trap 'kill $prism 2>/dev/null' EXIT INT TERM
	until [ -n "$port" ]; do
		kill -0 $prism || { cat "$work/upstream.log"; fail upstream; return; }
		sleep 0.1
		port=$(sed -n 's|.*listening on http://127.0.0.1:\([0-9]*\).*|\1|p' "$work/upstream.log")
	done
	rm -f "$work/proxy.json"
	build/mockserver proxy --upstream "http://127.0.0.1:$port" --port 0 --rewrite-links --fail-on never --format json --report "$work/drifts.json" --ready-file "$work/proxy.json" >"$work/proxy.log" 2>&1 &
	beside=$!
	trap 'kill $prism $beside 2>/dev/null' EXIT INT TERM
	until [ -e "$work/proxy.json" ] && curl -s -o "$work/answer" "http://127.0.0.1:$port/"; do
		kill -0 $prism && kill -0 $beside || { cat "$work/upstream.log" "$work/proxy.log"; fail upstream; return; }
		sleep 0.1
	done
	through=$(sed -n 's/.*"url" *: *"\([^"]*\)".*/\1/p' "$work/proxy.json")
	# Every creation with the examples of the document, and each lookup; a script answers 200 or 201 whatever the identifiers are.
	check "upstream: Prism behind the proxy" within 5m python3 - "$work/upstream.json" "$through" <<-'END'
		import json, sys, urllib.request
		document = json.load(open(sys.argv[1]))
		parameters = document["components"]["parameters"]
		headers = {"Content-Type": "application/json", "X-Authorization": "rest_demo", "X-Service-Project": "project_demo", "Authorization": "Bearer token_demo"}
		def example(parameter):
		    return str(parameter.get("example", parameter["schema"].get("examples", ["2026-01-01"])[0]))
		for path, methods in document["paths"].items():
		    if path.startswith("/files/") or path.endswith("/download"):
		        continue
		    for method, operation in methods.items():
		        query = []
		        for parameter in operation.get("parameters", []):
		            parameter = parameters.get(parameter.get("$ref", "").rpartition("/")[2], parameter)
		            if parameter["in"] == "path":
		                path = path.replace("{%s}" % parameter["name"], example(parameter))
		            elif parameter.get("required"):
		                query.append(parameter["name"] + "=" + example(parameter))
		        bodies = [each["value"] for content in operation.get("requestBody", {}).get("content", {}).values() for each in content["examples"].values()]
		        for body in bodies or [None]:
		            data = None if body is None else json.dumps(body).encode()
		            request = urllib.request.Request(sys.argv[2] + path + "?" * bool(query) + "&".join(query), data, headers, method=method.upper())
		            with urllib.request.urlopen(request) as answer:
		                print(answer.status, method, path)
	END
	for way in past:http://127.0.0.1:$port through:$through; do
		curl -s -D "$work/head" -o "$work/body.${way%%:*}" "${way#*:}/1.0/live_demo/export/userbase" -H 'X-Authorization: rest_demo' -H 'Content-Type: application/json' -d '{"ids":["install_id"]}'
		# Names have no case, and the connection is another one.
		tr '[:upper:]' '[:lower:]' <"$work/head" | grep -v -E '^(date|connection|keep-alive):' | sort >"$work/head.${way%%:*}"
	done
	check "upstream: the same answer" sh -c 'grep -q requestId "$1/body.past" && cmp "$1/body.past" "$1/body.through" && diff "$1/head.past" "$1/head.through"' sh "$work"
	kill -INT $beside && wait $beside
	{ kill $prism && wait $prism; } 2>/dev/null
	check "upstream: what the proxy finds" python3 - "$work/drifts.json" <<-'END'
		import json, sys
		lines = [json.loads(line) for line in open(sys.argv[1])]
		others = [line["finding"] for line in lines if "id" in line.get("finding", {}) and line["finding"]["details"]["where"].get("pointer") != "Sl-Violations"]
		assert not others, others
		routes = lines[-1]["summary"]["routes"]
		assert len(routes) >= 11 and routes["profiles.create"] >= 3, routes
	END
	trap - EXIT INT TERM
}

# The tests of the client that read what an answer says. Those about bytes on the wire, broken connections, crashes and memory say
# nothing of the document, and a proxy stands in their way.
tests='EveryKind|RequestIsHonoured|ProfileSelection|ForcedErrors|Lookback|Control'

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
	serve schemathesis --profiles 200 --progress now --now 2026-02-07T08:30:00Z || return
	build/mockserver openapi --url "$address" full >"$work/openapi.json" || { fail schemathesis; return; }
	check schemathesis within 60m env -C "$work" "$PWD/$venv/bin/schemathesis" --config-file "$PWD/$here/schemathesis.toml" run openapi.json --url "$address"
	stop
}

# client NAME: generates a client in a copy of its folder, and lets it make an export of each interface. What it is generated
# with stays there.
client() {
	copy=$work/$1
	mkdir -p "$copy"
	cp -R "$here/generators/$1/." "$copy"
	serve "$1" --profiles 200 --progress polls:2 || return
	build/mockserver openapi --url "$address" >"$copy/client.json" || { fail "$1"; return; }
	check "generated client: $1" within 20m env -C "$copy" MOCK="$address" sh run.sh
	stop
}

run_go() {
	client go
	lines=$(wc -l <"$work/go/client/client.go") || lines=0
	[ "$lines" -gt 1000 ] && [ "$lines" -le 6000 ] || { echo "the client in Go has $lines lines, of at most 6000"; fail go; }
}

run_python() {
	has python python3 || return
	venv=$work/python-tools
	prepare python "$venv/ready" "$here/generators/python/requirements.txt" \
		sh -c "python3 -m venv $venv && $venv/bin/pip install --quiet --require-hashes --requirement $here/generators/python/requirements.txt" || return
	without=$PATH
	PATH=$PWD/$venv/bin:$PATH
	client python
	PATH=$without
}

# npm_client NAME: a client whose generator npm installs, in the copy of its folder.
npm_client() {
	has "$1" node npm || return
	mkdir -p "$work/$1"
	cp "$here/generators/$1/package.json" "$here/generators/$1/package-lock.json" "$work/$1"
	prepare "$1" "$work/$1/node_modules/.package-lock.json" "$here/generators/$1/package-lock.json" npm --prefix "$work/$1" ci --ignore-scripts && client "$1"
}

run_typescript() { npm_client typescript; }

run_java() { has java javac mvn && large java "Maven would fetch" && client java; }

run_openapi_generator() { has openapi-generator java mvn node npm python3 && large openapi_generator "Maven would fetch" && client openapi-generator; }

run_kotlin() { has kotlin java mvn && large kotlin "Maven would fetch" && client kotlin; }

# The files of all kinds, read by what people read them with. All of a person's awkward values are in a small population, too.
# reading NAME: the environment of the readers, which are large.
reading() {
	has "$1" python3 || return
	venv=build/readers
	[ -e "$venv/ready" ] || large "$1" "pip would fetch" || return
	prepare "$1" "$venv/ready" "$here/readers/requirements.txt" \
		sh -c "python3 -m venv $venv && $venv/bin/pip install --quiet --require-hashes --requirement $here/readers/requirements.txt"
}

run_readers() {
	reading readers || return
	rm -rf "$work/readers"
	for texture in tidy realistic hostile; do
		mkdir -p "$work/readers/$texture"
		for kind in userbase reachability.events campaign.events campaign.ids transactional.events transactional.ids \
			in-app-campaign.events in-app-campaign.ids profiles.attributes profiles.events profiles.reachability; do
			case $kind in profiles.*) suffix=json ;; *) suffix=csv ;; esac
			window= people=5200
			case $kind in
			reachability.events) window='--from 2025-12-20T00:00:00' ;; # it has few rows a day
			campaign.* | transactional.*) window='--from 2025-12-20T00:00:00' people=20000 ;; # one campaign has few rows, too
			esac
			build/mockserver generate --quiet $window --kind "$kind" --world "texture=$texture" --profiles "$people" --now 2026-03-15T12:00:00Z \
				--out "$work/readers/$texture/$kind.$suffix" || { fail readers; return; }
		done
	done
	check readers within 20m "$venv/bin/python" "$here/readers/readers.py" "$work/readers"
	build/mockserver generate --quiet --kind userbase --world texture=hostile --profiles 60000 --now 2026-03-15T12:00:00Z \
		--out "$work/hostile.csv" || { fail traps; return; }
	check "readers: traps" within 10m "$venv/bin/python" "$here/readers/traps.py" "$work/hostile.csv"
}

# Pipelines that a user has: each example loads exports of a server.
run_pipelines() {
	examples=mockserver/examples/pipelines
	has pipelines python3 && large pipelines "pip would fetch" || return
	venv=build/pipelines
	prepare pipelines "$venv/ready" "$examples/requirements.txt" sh -c "python3 -m venv $venv && $venv/bin/pip install --quiet --requirement $examples/requirements.txt" || return
	rm -rf "$work/loaded.duckdb" "$work/loaded.duckdb.state"
	serve pipelines --profiles 500 --progress polls:2 --now 2026-03-15T12:00:00Z || return
	for example in analysis.py "load.py $PWD/$work/loaded.duckdb" tap.py airbyte.py; do
		check "pipelines: ${example%% *}" within 10m env -C "$examples" MOCK="$address" PYTHONDONTWRITEBYTECODE=1 "$PWD/$venv/bin/python" $example
	done
	stop
}

run_rules() {
	reading rules || return
	check rules within 3h "$venv/bin/python" "$here/rules/rules.py" build/mockserver "$work/rules" "${WORLDS:-3}" 1500 "${SEED:-0}"
}

run_notebook() {
	reading notebook || return
	rm -rf "$work/notebook"
	check notebook within 10m "$venv/bin/python" "$here/notebook/notebook.py" build/mockserver "$work/notebook" docs/decisions/notebook.md
}

# large NAME WHO: tells whether what fetches a hundred megabytes may do so.
large() { [ -n "${REQUIRE_ALL:-}$named" ] || { missing "$1" "$2 some 100 MB; REQUIRE_ALL=1 does, and so does 'sh $here/run.sh $1'"; return 1; }; }

# serve NAME FLAG...: starts a server at $address.
serve() {
	step=$1
	shift
	rm -f "$work/ready.json"
	build/mockserver serve --port 0 --ready-file "$work/ready.json" --state memory "$@" >"$work/server.log" 2>&1 &
	server=$!
	trap stop EXIT INT TERM
	until [ -e "$work/ready.json" ]; do
		kill -0 $server 2>/dev/null || { cat "$work/server.log"; fail "$step"; return 1; }
		sleep 0.1
	done
	address=$(sed -n 's/.*"url" *: *"\([^"]*\)".*/\1/p' "$work/ready.json")
}

# stop ends the server.
stop() {
	[ -z "${server:-}" ] || { kill "$server" && wait "$server"; } 2>/dev/null
	server=
}

mkdir -p "$work"
make --no-print-directory build/mockserver || exit 1
all='lint upstream prism schemathesis readers pipelines rules notebook go python typescript java kotlin openapi_generator'
# On a change: the linters, a service that nobody here wrote, made-up requests, and a generated client of each family.
change='lint upstream schemathesis go typescript'
named=$*
if [ $# = 0 ]; then
	if [ "${TEST_LEVEL:-change}" = nightly ]; then set -- $all; else set -- $change; fi
fi
for tool; do
	case " $all " in
	*" $tool "*) "run_$tool" ;;
	*)
		echo "run.sh: there is no tool $tool: choose from $all" >&2
		exit 2
		;;
	esac
done
finish
