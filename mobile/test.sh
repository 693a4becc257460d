#!/bin/sh
# Runs what needs tools beyond Go: the bindings in a JVM, the Android and the iOS host, and what ships with them. What cannot be run
# is skipped with its reason; REQUIRE_ALL=1 sets up what is missing, some 800 MB, and then nothing is skipped. TEST_LEVEL=nightly adds a
# Swift compiler, of as much again, the other levels of Android's classes, and full counts.
set -u
cd "$(dirname "$0")/.." || exit 1
. .ci/steps

sh mobile/install.sh
# One package after the other: each of them keeps both cores of a small machine busy. What needs Go only is tested with all of Go.
suite "mobile" gotest -p 1 -tags proof $(go list -tags proof ./mobile/... | grep -v -e '/mobile/actions$' -e /mobile/android/framework)
if [ -n "${REQUIRE_ALL:-}" ]; then
	suite "mobile, on the classes of Android" gotest -tags proof ./mobile/android/framework
else
	echo "skip  mobile, on the classes of Android: it takes minutes, and REQUIRE_ALL=1 runs it"
fi
finish
