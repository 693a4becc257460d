#!/bin/sh
# Takes the place of the program in a test suite: starts the server of PROGRAM with a proxy before it, and says in the ready file that
# the API is where the proxy is. The report of the proxy goes into the directory REPORTS.
set -eu
ready=
last=
for argument; do
	shift
	[ "$last" != --ready-file ] || { ready=$argument; argument=$argument.server; }
	set -- "$@" "$argument"
	last=$argument
done

# started FILE PROCESS: waits until the file is there.
started() {
	until [ -e "$1" ]; do
		kill -0 "$2" || exit 1
		sleep 0.1
	done
}

# address FILE: the address that a ready file names.
address() { sed -n 's/.*"url" *: *"\([^"]*\)".*/\1/p' "$1" | head -n 1; }

"$PROGRAM" "$@" &
server=$!
started "$ready.server" $server
upstream=$(address "$ready.server")
"$PROGRAM" proxy --addr 127.0.0.1:0 --upstream "$upstream" --rewrite-links --ready-file "$ready.proxy" --format json --report "$REPORTS/$$.json" &
proxy=$!
trap 'kill $proxy; wait $proxy || true; kill $server; wait $server || true; rm -f "$ready"; exit 0' TERM INT
started "$ready.proxy" $proxy
sed "s#\"url\" *: *\"$upstream\"#\"url\": \"$(address "$ready.proxy")\"#" "$ready.server" >"$ready.new"
mv "$ready.new" "$ready"
wait $server
