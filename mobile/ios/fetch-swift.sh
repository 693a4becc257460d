#!/bin/sh
# Makes, in the folder that is given, a Swift compiler that reads Apple's kind of headers and checks code for iOS, of what Debian has:
#
#	compiler FLAGS...   the compiler of Debian's Swift, which runs on any Linux of its architecture
#	resources           what it needs, and the standard library of Swift for iOS
#
# Debian's own standard library is for Linux, where Swift knows no Objective-C. Swift's sources have the same library for Apple's
# platforms; what is made of it here has declarations only, which is all that checking needs. It needs some 700 MB to be fetched and
# leaves 300 MB.
set -eu
to=$1
here=$to/work
rm -rf "$to"
mkdir -p "$here/lists/partial" "$here/cache/archives/partial" "$here/debs" "$to/resources/iphoneos/Swift.swiftmodule"
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
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C debian --wildcards "./$swift/bin/swift-frontend" "./$swift/lib/swift/shims/*" \
			"./$swift/lib/clang/*/include/*"
		;;
	*) dpkg-deb -x "$deb" debian ;;
	esac
done
rm -rf "$to/debian"
mv debian "$to/debian"
rm -rf debs "$to"/debian/usr/share
loader=$(echo "$to"/debian/usr/lib/*/ld-linux*.so.*)
cat >"$to/compiler" <<-END
	#!/bin/sh
	exec "$loader" --library-path "$(dirname "$loader"):$to/debian/$swift/lib/swift/linux:$to/debian/$swift/lib/swift/host" \\
		"$to/debian/$swift/bin/swift-frontend" "\$@"
END
chmod +x "$to/compiler"
ln -s "$to/debian/$swift/lib/swift/shims" "$to/resources/shims"
ln -s "$to/debian/$swift/lib/clang"/* "$to/resources/clang"

# The standard library, its files in the order that its own build has.
tar -xJf swiftlang_*.orig.tar.xz --wildcards '*/swift/stdlib/public/core/*' '*/swift/utils/gyb*' '*/swift/utils/*.py' '*/swift/utils/availability-macros.def'
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
"$to/compiler" -frontend -emit-module -o "$to/resources/iphoneos/Swift.swiftmodule/arm64-apple-ios.swiftmodule" -module-name Swift \
	-parse-stdlib -nostdimport -parse-as-library -target arm64-apple-ios13.0 -resource-dir "$to/resources" -swift-version 5 \
	-experimental-skip-all-function-bodies -disable-objc-attr-requires-foundation-module -enable-experimental-concise-pound-file \
	-enable-experimental-feature Macros -enable-experimental-feature FreestandingMacros -enable-experimental-feature Extern \
	-enable-experimental-feature BitwiseCopyable -library-level api @availability @files

cd /
rm -rf "$here"
touch "$to/ready"
