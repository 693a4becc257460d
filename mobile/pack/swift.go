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
// in the place of the framework, and a bill of materials.
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
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(to, file), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

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
