#!/bin/sh
# Runs what needs tools beyond Go: the bindings in a JVM, the Android and the iOS host, and what ships with them. Installs the
# tools first where that can be done. What cannot be run is skipped with its reason, and fails with REQUIRE_ALL=1.
# The last line is the sum.
set -u
cd "$(dirname "$0")/.." || exit 1

sh mobile/install.sh
mkdir -p build
go build -o build/tally ./.ci/tally || exit 1
TALLY_DIR="$PWD/build/counts-mobile"
export TALLY_DIR
rm -rf "$TALLY_DIR"
status=0
build/tally check "mobile: go vet" -- go vet -tags proof ./mobile/... || status=1
build/tally check "mobile: staticcheck" -- go tool staticcheck -tags proof ./mobile/... || status=1
# One package after the other: each of them keeps both cores of a small machine busy.
build/tally go mobile -- go test -json -count=1 -p 1 -tags proof -timeout 30m \
	$(go list -tags proof ./mobile/... | grep -v '/mobile/actions$') || status=1
echo
build/tally sum || status=1
exit $status
