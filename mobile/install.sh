#!/bin/sh
# Fetches what the tests of this folder need, where that can be done: Debian's packages as root; and into ~/.cache/rehearsal-mobile,
# once, what Debian, Maven Central and npm have for everybody. What cannot be had is left out, and the tests say what they miss.
set -u
cd "$(dirname "$0")/.." || exit 1
tools=${XDG_CACHE_HOME:-$HOME/.cache}/rehearsal-mobile
mkdir -p "$tools"

# packages NAME...: installs Debian packages.
packages() {
	command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 0
	missing=
	for package in "$@"; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
	done
	[ -z "$missing" ] && return 0
	echo "mobile: installing$missing"
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# debian SUITE NAME...: unpacks packages of another release of Debian into the tools, without installing them.
debian() {
	suite=$1
	shift
	apt=$tools/apt-$suite
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
	# From where this machine has its own packages.
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$apt/sources.list"
	cat >"$apt/apt.conf" <<-END
		Dir::Etc::SourceList "$apt/sources.list";
		Dir::Etc::SourceParts "/dev/null";
		Dir::State::Lists "$apt/lists";
		Dir::State::status "/dev/null";
		Dir::Cache "$apt/cache";
		APT::Sandbox::User "root";
	END
	APT_CONFIG=$apt/apt.conf apt-get -q update >"$apt/log" 2>&1 &&
		(cd "$apt" && APT_CONFIG=$apt/apt.conf apt-get -q download "$@" >>"$apt/log" 2>&1) || return 1
	for package in "$@"; do
		dpkg-deb -x "$apt/$package"_*.deb "$tools/$suite" || return 1
	done
	rm -rf "$apt"
}

packages openjdk-17-jdk-headless gcc binutils maven clang-16 gobjc libgnustep-base-dev
# They stand in for the compilers of Android's NDK.
packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross

# The API of Android 6: what the Android host may use without asking for the version.
jar=$tools/android-23.jar
if [ ! -e "$jar" ] && command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then
	for suite in bullseye sid; do
		debian "$suite" libandroid-23-java && cp "$tools/$suite/usr/share/java/com.android.android-23.jar" "$jar" && break
		echo "mobile: Debian's $suite does not give the API of Android 6"
	done
	rm -rf "$tools/bullseye" "$tools/sid"
fi

# What Maven Central has.
if [ ! "$tools/maven/ready" -nt mobile/tools/pom.xml ] && command -v mvn >/dev/null; then
	rm -rf "$tools/maven"
	mvn --quiet --batch-mode --file mobile/tools/pom.xml dependency:copy-dependencies -DoutputDirectory="$tools/maven" >"$tools/maven.log" 2>&1 &&
		touch "$tools/maven/ready" || echo "mobile: Maven does not give what mobile/tools/pom.xml names, see $tools/maven.log"
fi

# What Apple's classes look like, as the NativeScript project reads it off Apple's headers.
types=nativescript-types-ios-9.1.2
if [ ! -e "$tools/$types.tgz" ] && command -v npm >/dev/null; then
	(cd "$tools" && npm pack --silent @nativescript/types-ios@9.1.2 >/dev/null 2>npm.log && mkdir -p "$types" && tar -xzf "$types.tgz" -C "$types") ||
		echo "mobile: npm does not give the types of the NativeScript project, see $tools/npm.log"
fi

# A Swift compiler that knows Objective-C and iOS.
if [ ! -e "$tools/swift/ready" ] && command -v apt-get >/dev/null && command -v python3 >/dev/null; then
	echo "mobile: making a Swift compiler for iOS, which takes a minute"
	sh mobile/ios/fetch-swift.sh "$tools/swift" >"$tools/swift.log" 2>&1 || echo "mobile: there is no Swift compiler, see $tools/swift.log"
fi
exit 0
