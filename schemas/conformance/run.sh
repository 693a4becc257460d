#!/bin/sh
# Holds the schema files and their samples against validators of other languages: ajv, python, java, or those
# that are named as arguments. A validator whose tools are absent is skipped, with the reason; with
# REQUIRE_ALL=1 that is a failure. What has to be fetched goes to build/ and node_modules/, once.
set -u

here=$(cd "$(dirname "$0")" && pwd)
schemas=$(dirname "$here")
build=$(dirname "$schemas")/build
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
	log=$build/schemas-$name.log
	"$@" >"$log" 2>&1 && return 0
	skip "$name" "'$1' failed, see $log: $(tail -n 1 "$log")"
	return 1
}

run_ajv() {
	command -v node >/dev/null || { skip ajv "there is no node"; return; }
	command -v npm >/dev/null || { skip ajv "there is no npm"; return; }
	if ! fresh "$schemas/node_modules/.package-lock.json" "$schemas/package-lock.json"; then
		attempt ajv npm --prefix "$schemas" ci --ignore-scripts || return
	fi
	(cd "$schemas" && npm test --silent) || failed=1
}

run_python() {
	command -v python3 >/dev/null || { skip python "there is no python3"; return; }
	if ! fresh "$build/schemas-python/ready" "$here/python/requirements.txt"; then
		attempt python python3 -m venv "$build/schemas-python" || return
		attempt python "$build/schemas-python/bin/pip" install --quiet --requirement "$here/python/requirements.txt" || return
		touch "$build/schemas-python/ready"
	fi
	"$build/schemas-python/bin/python" "$here/python/agree.py" || failed=1
}

run_java() {
	command -v java >/dev/null || { skip java "there is no java"; return; }
	command -v mvn >/dev/null || { skip java "there is no mvn"; return; }
	if ! fresh "$build/schemas-java/ready" "$here/java/pom.xml"; then
		attempt java mvn --quiet --batch-mode --file "$here/java/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$build/schemas-java" || return
		touch "$build/schemas-java/ready"
	fi
	java -cp "$build/schemas-java/*" "$here/java/Agree.java" "$schemas" || failed=1
}

mkdir -p "$build"
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
exit $failed
