#!/bin/sh
# Makes, in the folder that is given, a Swift compiler that reads Apple's kind of headers and checks code for iOS, of what Debian has:
#
#	compiler FLAGS...   the compiler of Debian's Swift, which runs on any Linux of its architecture
#	symbols FLAGS...    writes down what the compiler sees of a module
#	resources           what it needs, and the standard library of Swift for iOS, with that of async and await
#	linux               the same for Linux, with Foundation
#	run PROGRAM...      runs what was built for Linux
#	docc ARGUMENTS...   documents what symbols says
#
# Debian's own standard library is for Linux, where Swift knows no Objective-C. Swift's sources have the same library for Apple's
# platforms; what is made of it here has declarations only, which is all that checking needs. It needs some 700 MB to be fetched and
# leaves 400 MB.
set -eu
to=$1
here=$to/work
rm -rf "$to"
mkdir -p "$here/lists/partial" "$here/cache/archives/partial" "$here/debs" "$to/resources/iphoneos/Swift.swiftmodule" \
	"$to/resources/iphoneos/_Concurrency.swiftmodule"
cd "$here"

# From where this machine has its own packages.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
cat >sources.list <<-END
	deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main
	deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main
END
cat >apt.conf <<-END
	Dir::Etc::SourceList "$here/sources.list";
	Dir::Etc::SourceParts "/dev/null";
	Dir::State::Lists "$here/lists";
	Dir::State::status "/dev/null";
	Dir::Cache "$here/cache";
	APT::Sandbox::User "root";
	Acquire::Retries "3";
END
export APT_CONFIG="$here/apt.conf"
apt-get -q update
(cd debs && apt-get -q download swiftlang libswiftlang libc6 libgcc-s1 libstdc++6 libtinfo6 libuuid1 libzstd1 zlib1g)
apt-get -q source --download-only --tar-only swiftlang

# The compiler, the libraries that it is linked with, and their own loader.
swift=usr/libexec/swift
mkdir debian
for deb in debs/*.deb; do
	case $deb in
	debs/swiftlang_*)
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C debian --wildcards "./$swift/bin/swift-frontend" "./$swift/bin/docc" "./$swift/share/docc/*" "./$swift/lib/swift/shims/*" \
			"./$swift/lib/clang/*/include/*" "./$swift/lib/swift/linux/*" "./$swift/lib/swift/clang" "./$swift/lib/swift/Block/*" \
			"./$swift/lib/swift/CoreFoundation/*" "./$swift/lib/swift/_FoundationCShims/*" "./$swift/lib/swift/_foundation_unicode/*" \
			"./$swift/lib/swift/dispatch/*" "./$swift/lib/swift/os/*"
		;;
	*) dpkg-deb -x "$deb" debian ;;
	esac
done
rm -rf "$to/debian"
mv debian "$to/debian"
rm -rf debs "$to"/debian/usr/share
loader=$(echo "$to"/debian/usr/lib/*/ld-linux*.so.*)
libraries="$(dirname "$loader"):$to/debian/$swift/lib/swift/linux:$to/debian/$swift/lib/swift/host"
# program FILE NAME: the compiler is several programs and goes by its name.
program() {
	printf '#!/bin/sh\nexport DOCC_HTML_DIR="%s"\nexec "%s" --argv0 "%s" --library-path "%s" "%s" "$@"\n' \
		"$to/debian/$swift/share/docc/render" "$loader" "$2" "$libraries" "$to/debian/$swift/bin/$1"
}
program swift-frontend swift-frontend >"$to/compiler"
program swift-frontend swift-symbolgraph-extract >"$to/symbols"
program docc docc >"$to/docc"
printf '#!/bin/sh\nexec "%s" --library-path "$LIBRARIES:%s" "$@"\n' "$loader" "$libraries" >"$to/run"
chmod +x "$to/compiler" "$to/symbols" "$to/docc" "$to/run"
ln -s "$to/debian/$swift/lib/swift" "$to/linux"
ln -s "$to/debian/$swift/lib/swift/shims" "$to/resources/shims"
ln -s "$to/debian/$swift/lib/clang"/* "$to/resources/clang"

# The standard library, its files in the order that its own build has.
tar -xJf swiftlang_*.orig.tar.xz --wildcards '*/swift/stdlib/public/core/*' \
	'*/swift/stdlib/public/Concurrency/*' '*/swift/utils/gyb*' '*/swift/utils/*.py' '*/swift/utils/availability-macros.def'
source=$(echo "$here"/swiftlang-*/swift)
core=$source/stdlib/public/core
mkdir generated
for template in "$core"/*.gyb; do
	python3 "$source/utils/gyb" --line-directive= -DCMAKE_SIZEOF_VOID_P=8 "$template" -o "generated/$(basename "$template" .gyb)"
done
{
	sed -n 's/^ *\(EMBEDDED\|NORMAL\) *\([A-Za-z0-9_+.]*\.swift\).*/\2/p' "$core/CMakeLists.txt"
	echo SIMDVector.swift
	(cd generated && ls SIMD*)
} | while read -r file; do
	# Macros need a program that Debian builds with its own Swift; nothing here uses them.
	[ "$file" = Macros.swift ] && continue
	if [ -e "generated/$file" ]; then echo "\"$here/generated/$file\""; else echo "\"$core/$file\""; fi
done | awk '!seen[$0]++' >files
sed -n 's/^\([^#].*\)$/-define-availability "\1"/p' "$source/utils/availability-macros.def" >availability
# module NAME FILES FLAGS...: makes a module of the files that a file lists.
module() {
	name=$1 files=$2
	shift 2
	"$to/compiler" -frontend -emit-module -o "$to/resources/iphoneos/$name.swiftmodule/arm64-apple-ios.swiftmodule" -module-name "$name" \
		-parse-stdlib -parse-as-library -target arm64-apple-ios13.0 -resource-dir "$to/resources" -swift-version 5 \
		-experimental-skip-all-function-bodies -disable-objc-attr-requires-foundation-module -enable-experimental-concise-pound-file \
		-enable-experimental-feature Macros -enable-experimental-feature FreestandingMacros -enable-experimental-feature Extern \
		-enable-experimental-feature BitwiseCopyable -library-level api "$@" @availability "@$files"
}
module Swift files -nostdimport

# That of async and await.
concurrency=$source/stdlib/public/Concurrency
sed -n '/^set(SWIFT_RUNTIME_CONCURRENCY_SWIFT_SOURCES/,/^)/s/^ *\(.*\.swift\)$/\1/p' "$concurrency/CMakeLists.txt" | sed "s|.*|\"$concurrency/&\"|" >async
module _Concurrency async -I "$concurrency/InternalShims" -enable-experimental-feature IsolatedAny \
	-disable-implicit-concurrency-module-import -disable-implicit-string-processing-module-import

cd /
rm -rf "$here"
touch "$to/ready"
