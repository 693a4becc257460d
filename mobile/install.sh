#!/bin/sh
# Links to what the tests of this folder need from build/_mobile/tools, as far as it is in ~/.cache/rehearsal. With REQUIRE_ALL=1 it
# is fetched first, where that can be done: Debian's packages as root; and into the cache, once for all clones, what Debian, Maven
# Central and npm have for everybody. What cannot be had is left out, and the tests say what they miss. A Swift compiler is made for the
# night only, with TEST_LEVEL=nightly, and used from then on.
set -u
cd "$(dirname "$0")/.." || exit 1
tools=${XDG_CACHE_HOME:-$HOME/.cache}/rehearsal
linked=$PWD/build/_mobile/tools
mkdir -p "$tools" "$linked"

# One at a time: another clone may want the same. What is there is never changed, so tests may use it meanwhile.
exec 9>"$tools/lock"
! command -v flock >/dev/null || flock 9

# retry COMMAND...: registries are slow or away at times. Where one stays away, the others are asked once.
pauses='3 10'
retry() {
	for pause in $pauses; do
		"$@" && return 0
		sleep "$pause"
	done
	"$@" && return 0
	pauses=
	return 1
}

# keep NAME FILE: makes a file or folder that is complete the one under this name.
keep() { rm -rf "${tools:?}/$1" && mv "$2" "$tools/$1"; }

# absent NAME: tells whether something is to be fetched.
absent() { [ -n "${REQUIRE_ALL:-}" ] && [ ! -e "$tools/$1" ]; }

# offer NAME AS: has the tests find what is kept under a name.
offer() {
	rm -f "$linked/$2"
	[ ! -e "$tools/$1" ] || ln -s "$tools/$1" "$linked/$2"
}

# sum FILE: a number that changes with a file.
sum() { cksum <"$1" | cut -d ' ' -f 1; }

# debian SUITE NAME TO: unpacks a package of another release of Debian into a folder, without installing it.
debian() {
	apt=$tools/work
	rm -rf "$apt"
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
	# From where this machine has its own packages.
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main" >"$apt/sources.list"
	cat >"$apt/apt.conf" <<-END
		Dir::Etc::SourceList "$apt/sources.list";
		Dir::Etc::SourceParts "/dev/null";
		Dir::State::Lists "$apt/lists";
		Dir::State::status "/dev/null";
		Dir::Cache "$apt/cache";
		APT::Sandbox::User "root";
		Acquire::Retries "3";
	END
	APT_CONFIG=$apt/apt.conf apt-get -q update >"$tools/apt.log" 2>&1 &&
		(cd "$apt" && APT_CONFIG=$apt/apt.conf apt-get -q download "$2" >>"$tools/apt.log" 2>&1) &&
		dpkg-deb -x "$apt/$2"_*.deb "$3"
}

sh .ci/packages openjdk-17-jdk-headless gcc binutils maven clang-16 gobjc libgnustep-base-dev python3 xz-utils
# Another release of Debian has others.
command -v javac >/dev/null || sh .ci/packages default-jdk-headless
command -v clang-16 >/dev/null || command -v clang >/dev/null || sh .ci/packages clang
# They stand in for the compilers of Android's NDK.
sh .ci/packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross

# The API of Android 6: what the Android host may use without asking for the version.
jar=android-23.jar
if absent "$jar" && command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then
	for suite in bullseye sid; do
		retry debian "$suite" libandroid-23-java "$tools/work/unpacked" &&
			keep "$jar" "$tools/work/unpacked/usr/share/java/com.android.android-23.jar" && break
		echo "mobile: Debian's $suite does not give the API of Android 6, see $tools/apt.log"
	done
	rm -rf "$tools/work"
fi
offer "$jar" "$jar"

# What Maven Central has.
copy() {
	pom=$1
	shift
	mvn --quiet --batch-mode -Dmaven.wagon.rto=120000 -Dmaven.wagon.http.retryHandler.count=3 --file "$pom" "$@" \
		-DoutputDirectory="$tools/work" >"$tools/maven.log" 2>&1
}
# central AS POM GOAL...: keeps what a file of Maven's names.
central() {
	as=$1
	shift
	kept=$as-$(sum "$1")
	if absent "$kept" && command -v mvn >/dev/null; then
		rm -rf "$tools/work"
		if retry copy "$@"; then keep "$kept" "$tools/work"; else
			echo "mobile: Maven does not give what $1 names, see $tools/maven.log"
		fi
	fi
	offer "$kept" "$as"
}
central maven mobile/tools/pom.xml dependency:copy-dependencies
central robolectric mobile/tools/robolectric.xml dependency:copy-dependencies dependency:copy

# What Apple's classes look like, as the NativeScript project reads it off Apple's headers.
pack() {
	rm -rf "$tools/work" && mkdir "$tools/work" &&
		(cd "$tools/work" && npm pack --silent --fetch-retries=1 --fetch-retry-mintimeout=2000 "@nativescript/types-ios@$version" >/dev/null 2>"$tools/npm.log" && tar -xzf ./*.tgz)
}
version=9.1.2
types=nativescript-$version
if absent "$types" && command -v npm >/dev/null; then
	if retry pack; then keep "$types" "$tools/work/package"; else
		echo "mobile: npm does not give the types of the NativeScript project, see $tools/npm.log"
	fi
	rm -rf "$tools/work"
fi
offer "$types" nativescript

# A Swift compiler that knows Objective-C and iOS. It knows where it lies, so it is made in place.
fetch() { sh mobile/ios/fetch-swift.sh "$tools/$swift" >"$tools/swift.log" 2>&1; }
swift=swift-$(sum mobile/ios/fetch-swift.sh)
if [ "${TEST_LEVEL:-}" = nightly ] && absent "$swift/ready" && command -v apt-get >/dev/null && command -v python3 >/dev/null; then
	echo "mobile: making a Swift compiler for iOS, which fetches 700 MB and takes some minutes"
	retry fetch || {
		echo "mobile: there is no Swift compiler, see $tools/swift.log"
		rm -rf "${tools:?}/$swift"
	}
fi
offer "$swift" swift
exit 0
