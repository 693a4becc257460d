#!/bin/sh
# Generates types from client.json with openapi-typescript, and runs a program with them against the server at $MOCK.
set -eu
npx openapi-typescript client.json --output client.d.ts
npx tsc
node dist/export.js
