#!/bin/sh
# Runs the examples named as arguments (curl, python, javascript, java), or all, with the program of MOCKSERVER, or one that is
# built for them. Closes with the sum of the tests that ran.
set -eu
cd "$(dirname "$0")"
if [ -z "${MOCKSERVER:-}" ]; then
	MOCKSERVER=$(cd ../.. && pwd)/build/mockserver
	(cd ../.. && CGO_ENABLED=0 go build -trimpath -o build/mockserver ./mockserver/cmd/mockserver)
fi
export MOCKSERVER
# Servers begin here, unless the run says where; their clocks go on.
export REHEARSAL_NOW="${REHEARSAL_NOW:-2026-03-15T12:00:00Z}"
mkdir -p ../../build
[ $# -gt 0 ] || set -- curl python javascript java
for example; do
	case $example in
	curl) sh exports.sh ;;
	python)
		python3 -B -m unittest -v test_exports.py 2>&1 | tee ../../build/example-python.log
		grep -q "^OK${REQUIRE_ALL:+\$}" ../../build/example-python.log # with everything required not "OK (skipped=1)"
		echo "$(grep -c ' \.\.\. ok$' ../../build/example-python.log) passed, 0 failed"
		;;
	javascript)
		node --test --test-reporter=spec --test-reporter-destination=stdout \
			--test-reporter=../../.ci/noskips.mjs --test-reporter-destination=stdout --test-timeout=600000 exports.test.mjs
		;;
	java) java ExportsTest.java ;;
	*)
		echo "run.sh: there is no example $example: choose from curl, python, javascript, java" >&2
		exit 2
		;;
	esac
done
