#!/bin/sh
# Generates clients from client.json with openapi-generator in Python, Go and TypeScript, and makes an export with each against the server at $MOCK.
set -eu
version=7.25.0
jar=openapi-generator-cli-$version.jar
[ -e "$jar" ] || mvn --batch-mode --quiet dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:$version -DoutputDirectory=.
# generate NAME FOLDER PROPERTIES FLAG...: writes a client into a folder.
generate() {
	generator=$1 folder=$2 properties=$3
	shift 3
	java -jar "$jar" generate --input-spec client.json --generator-name "$generator" --output "$folder" --additional-properties="$properties" "$@" \
		--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false >"$generator.log" 2>&1 || { cat "$generator.log"; exit 1; }
}
generate python python packageName=client
[ -e venv/ready ] || { python3 -m venv venv && venv/bin/pip install --quiet --requirement python/requirements.txt && touch venv/ready; }
PYTHONPATH=python venv/bin/python export.py
# Constants of two enumerations with the same value have names of their own, and so has the member that the method of another is called.
generate go go/client packageName=client,enumClassPrefix=true,withGoMod=false --name-mappings has_custom_id=custom_id_present
cp main.go go.mod go.sum go/
go run -C go .
generate typescript-fetch typescript supportsES6=true
npm ci --ignore-scripts --silent
npx tsc
node dist/export.js
