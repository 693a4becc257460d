#!/bin/sh
# Runs what needs tools beyond Go: the bindings in a JVM, the Android and the iOS host, and what ships with them. Installs the
# tools first where that can be done. What cannot be run is skipped with its reason, and fails with REQUIRE_ALL=1.
# The last line is the sum, unless it is a part of `make test`, which counts it (see .ci/steps).
set -u
cd "$(dirname "$0")/.." || exit 1

sh mobile/install.sh
mkdir -p build
go build -o build/tally ./.ci/tally || exit 1
alone=
if [ -z "${TALLY_DIR:-}" ]; then
	export TALLY_DIR="$PWD/build/counts-mobile"
	rm -rf "$TALLY_DIR"
	alone=1
fi
status=0
build/tally check "mobile: shell scripts" -- sh -c 'for script in mobile/*.sh mobile/ios/*.sh; do sh -n "$script" || exit 1; done' || status=1
build/tally check "mobile: go vet" -- go vet -tags proof ./mobile/... || status=1
build/tally check "mobile: staticcheck" -- go tool staticcheck -tags proof ./mobile/... || status=1
# One package after the other: each of them keeps both cores of a small machine busy. What needs Go only is tested with all of Go.
build/tally go mobile -- go test -json -count=1 -p 1 -tags proof -timeout 30m \
	$(go list -tags proof ./mobile/... | grep -v '/mobile/actions$') || status=1
if [ -n "$alone" ]; then
	echo
	build/tally sum || status=1
fi
exit $status
