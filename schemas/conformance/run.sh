#!/bin/sh
# Holds the schema files and their samples against validators of other languages: ajv, python, java, or those that are named as
# arguments. A validator whose tools are absent is skipped, with the reason; with REQUIRE_ALL=1 that is a failure. What has to be
# fetched goes to build/ and node_modules/, once.
set -u
cd "$(dirname "$0")/../.." || exit 1
. .ci/steps

run_ajv() {
	has ajv node npm || return
	prepare ajv schemas/node_modules/.package-lock.json schemas/package-lock.json npm --prefix schemas ci --ignore-scripts || return
	suite ajv npm --prefix schemas test --silent
}

run_python() {
	has python python3 || return
	venv=build/schemas-python
	prepare python "$venv/ready" schemas/conformance/python/requirements.txt \
		sh -c "python3 -m venv $venv && $venv/bin/pip install --quiet --requirement schemas/conformance/python/requirements.txt" || return
	suite python "$venv/bin/python" schemas/conformance/python/agree.py
}

run_java() {
	has java java mvn || return
	prepare java build/schemas-java/ready schemas/conformance/java/pom.xml mvn --quiet --batch-mode --file schemas/conformance/java/pom.xml \
		dependency:copy-dependencies "-DoutputDirectory=$PWD/build/schemas-java" || return
	suite java java -cp "build/schemas-java/*" schemas/conformance/java/Agree.java schemas
}

[ $# -gt 0 ] || set -- ajv python java
for validator; do
	case $validator in
	ajv | python | java) "run_$validator" ;;
	*)
		echo "run.sh: there is no validator $validator: choose from ajv, python, java" >&2
		exit 2
		;;
	esac
done
finish
