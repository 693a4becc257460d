#!/bin/sh
# Generates types from client.json with openapi-typescript, and runs a program with them against the server at $MOCK.
set -eu
node_modules/.bin/openapi-typescript client.json --output client.d.ts
node_modules/.bin/tsc
node dist/export.js
