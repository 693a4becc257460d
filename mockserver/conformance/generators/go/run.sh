#!/bin/sh
# Generates a client from client.json with oapi-codegen, and runs a program with it against the server at $MOCK.
set -eu
mkdir -p client
go tool oapi-codegen -config client.yaml client.json
go run .
