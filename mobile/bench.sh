#!/bin/sh
# Measures what a perform costs from Java and Kotlin, the memory that performs take, and what the library weighs, each against something
# plain in the same run. What cannot be measured here says why.
set -u
cd "$(dirname "$0")/.." || exit 1
sh mobile/install.sh
exec go test -v -tags proof -run '^$' -bench . -benchtime 1x -p 1 ./mobile/jvm ./mobile/kotlin
