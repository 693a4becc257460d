#!/bin/sh
# Generates a client from client.json with openapi-python-client, and runs a program with it against the server at $MOCK.
set -eu
openapi-python-client generate --path client.json --output-path client --meta none --overwrite --fail-on-warning
python3 export.py
