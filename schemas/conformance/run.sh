#!/bin/sh
# Makes the packages of the schemas, and holds every sample against the validator in each: npm (Ajv), python (jsonschema), java
# (networknt), or those that are named as arguments. A language whose tools are absent is skipped, with the reason; with REQUIRE_ALL=1
# that is a failure. What has to be fetched goes to build/ and node_modules/, once.
set -u
cd "$(dirname "$0")/../.." || exit 1
. .ci/steps
. schemas/conformance/tools
testdata=$PWD/schemas/testdata

# packed LANGUAGE: makes the packages in build/schemas-packages/LANGUAGE. That they have the same bytes twice, .ci/dist-test shows.
packed() {
	packages=$PWD/build/schemas-packages/$1
	rm -rf "$packages"
	check "$1 packages" pack "$packages" "$1"
}

run_npm() {
	tools_npm || return
	suite "rows with Ajv" npm --prefix schemas test --silent
	packed npm
	suite "npm package, in an empty folder" try_npm
}

try_npm() {
	folder=$(mktemp -d) || return
	cp schemas/npm/check.mjs schemas/npm/check.ts "$folder"
	(cd "$folder" && echo '{"type": "module"}' >package.json &&
		npm install --silent --no-audit --no-fund --ignore-scripts --prefer-offline "$packages"/rehearsal-schemas-*.tgz &&
		node check.mjs "$testdata/..")
	status=$?
	rm -rf "$folder"
	return $status
}

run_python() {
	tools_python || return
	packed python
	suite "Python wheel and source" try_python
}

# The tools are there; nothing else is fetched. What is made from the source is what the wheel has.
try_python() {
	python=$PWD/build/schemas-python/bin/python
	offline="--quiet --disable-pip-version-check --no-index --no-deps"
	"$python" -m pip install $offline --force-reinstall "$packages"/*.whl && "$python" -m pip check --disable-pip-version-check &&
		"$python" schemas/conformance/python/agree.py "$testdata" &&
		"$python" -m pip wheel $offline --no-build-isolation --wheel-dir "$packages/source" "$packages"/*.tar.gz &&
		"$python" schemas/python/same.py "$packages"/*.whl "$packages"/source/*.whl
}

run_java() {
	tools_java || return
	packed java
	suite "jar" java -cp "build/schemas-java/*:$packages/rehearsal-schemas-${VERSION:-0.1.0}.jar" schemas/conformance/java/Agree.java "$testdata"
}

[ $# -gt 0 ] || set -- npm python java
for language; do
	case $language in
	npm | python | java) "run_$language" ;;
	*)
		echo "run.sh: there is no language $language: choose from npm, python, java" >&2
		exit 2
		;;
	esac
done
finish
