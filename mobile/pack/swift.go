package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

// releases is where what is released can be downloaded.
const releases = "https://github.com/rehearsal-sdk/rehearsal/releases/download/v" + actions.Version + "/"

// publishSwift makes, of a Swift package, what others download: the framework in an archive, the package with its address and checksum
// in the place of the framework, descriptions for CocoaPods, and a bill of materials.
func publishSwift(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	archive, err := zipFolder(filepath.Join(from, frameworkName), frameworkName)
	if err != nil {
		return err
	}
	const name = frameworkName + ".zip"
	checksum := hexOf(sha256.New, archive)
	if err := os.CopyFS(filepath.Join(to, "Sources"), os.DirFS(filepath.Join(from, "Sources"))); err != nil {
		return err
	}
	description, err := os.ReadFile(filepath.Join(from, "Package.swift"))
	if err != nil {
		return err
	}
	const local = `path: "` + frameworkName + `"`
	if strings.Count(string(description), local) != 1 {
		return fmt.Errorf("the description of the package does not say %s once", local)
	}
	remote := strings.Replace(string(description), local, fmt.Sprintf(`url: "%s%s", checksum: "%s"`, releases, name, checksum), 1)
	bill, err := billOfMaterials("pkg:swift/github.com/rehearsal-sdk/rehearsal@" + actions.Version)
	if err != nil {
		return err
	}
	files := map[string][]byte{name: archive, "Package.swift": []byte(remote), "rehearsal-cyclonedx.json": bill}
	for file, text := range podspecs(releases+name, checksum) {
		files[file] = []byte(text)
	}
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(to, file), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// podspecs are the descriptions for CocoaPods: of the framework, with the manifest in a bundle of its own, since Xcode does not find that
// of a static framework; of the host, and of what Swift adds, which are sources of the tag.
func podspecs(archive, checksum string) map[string]string {
	source := fmt.Sprintf("{ :git => 'https://github.com/rehearsal-sdk/rehearsal.git', :tag => 'v%s' }", actions.Version)
	spec := func(name, summary, source, rest string) string {
		return fmt.Sprintf(podspec, name, actions.Version, summary, source, iosVersion, rest)
	}
	return map[string]string{
		"Rehearsal.podspec": spec("Rehearsal", "The actions of an app, for iOS",
			fmt.Sprintf("{ :http => '%s', :sha256 => '%s' }", archive, checksum),
			"  s.vendored_frameworks = 'Rehearsal.xcframework'\n"+
				"  s.resource_bundles = { 'Rehearsal' => ['Rehearsal.xcframework/ios-arm64/Rehearsal.framework/PrivacyInfo.xcprivacy'] }\n"),
		"RehearsalHost.podspec": spec("RehearsalHost", "What an iPhone can do for actions", source,
			"  s.source_files = 'mobile/ios/Host/**/*.{h,m}'\n  s.public_header_files = 'mobile/ios/Host/include/*.h'\n"+
				"  s.frameworks = 'AppTrackingTransparency', 'SafariServices', 'StoreKit', 'UIKit', 'UserNotifications'\n"+
				"  s.dependency 'Rehearsal', s.version.to_s\n"),
		"RehearsalActions.podspec": spec("RehearsalActions", "Actions in Swift", source,
			"  s.swift_versions = ['5.9', '6.0']\n  s.source_files = 'mobile/swift/Sources/RehearsalActions/*.swift'\n"+
				"  s.dependency 'Rehearsal', s.version.to_s\n"),
	}
}

const podspec = `Pod::Spec.new do |s|
  s.name = '%s'
  s.version = '%s'
  s.summary = '%s'
  s.homepage = 'https://github.com/rehearsal-sdk/rehearsal'
  s.license = { :type => 'Apache-2.0' }
  s.author = 'The contributors of rehearsal'
  s.source = %s
  s.platform = :ios, '%s'
  s.static_framework = true
%send
`

// zipFolder makes an archive of a folder under a name.
func zipFolder(dir, name string) ([]byte, error) {
	var entries []zipEntry
	err := fs.WalkDir(os.DirFS(dir), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file))) // what a link leads to
		entries = append(entries, zipEntry{name + "/" + file, data})
		return err
	})
	if err != nil {
		return nil, err
	}
	return writeZip(entries)
}
