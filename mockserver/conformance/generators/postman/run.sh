#!/bin/sh
# Makes a collection for Postman from client.json, and sends its requests to the server at $MOCK.
set -eu
node_modules/.bin/openapi2postmanv2 -s client.json -o collection.json -O folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false
node chain.mjs collection.json
node_modules/.bin/newman run collection.json --env-var baseUrl="$MOCK" --env-var apiKey=rest_demo --env-var bearerToken=token_demo --env-var project=project_demo
