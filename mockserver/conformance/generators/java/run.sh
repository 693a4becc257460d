#!/bin/sh
# Generates a client from client.json with openapi-generator, and runs a program with it against the server at $MOCK.
set -eu
mvn --batch-mode --quiet compile exec:java
