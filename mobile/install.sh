#!/bin/sh
# Installs what the tests of this folder need, where that can be done: on Debian, as root. Elsewhere it does nothing, and the tests
# say what they miss.
set -u

want="openjdk-17-jdk-headless gcc binutils"
missing=
command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || exit 0
for package in $want; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
echo "mobile: installing$missing"
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
