package main

import (
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

// mavenFile is where a repository has a file of the library.
func mavenFile(repository, ending string) string {
	return filepath.Join(repository, "io", "github", "rehearsalsdk", mavenArtifact, actions.Version, mavenArtifact+"-"+actions.Version+ending)
}

// TestWriteMaven: the files are where their names say, and every file has its hashes.
func TestWriteMaven(t *testing.T) {
	dir := t.TempDir()
	contents := map[string][]byte{".aar": []byte("an aar"), "-sources.jar": []byte("sources"), "-javadoc.jar": []byte("javadoc")}
	if err := writeMaven(dir, actions.Version, contents); err != nil {
		t.Fatal(err)
	}
	for ending, content := range contents {
		if read(t, mavenFile(dir, ending)) != string(content) {
			t.Errorf("%s is another", ending)
		}
	}
	hashed := 0
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || hashes[filepath.Ext(name)] != nil {
			return err
		}
		for ending, algorithm := range hashes {
			if read(t, name+ending) != hexOf(algorithm, []byte(read(t, name))) {
				t.Errorf("%s%s is wrong", name, ending)
			}
		}
		hashed++
		return nil
	})
	if err != nil || hashed != len(contents)+2 {
		t.Errorf("%d files have hashes, want %d (%v)", hashed, len(contents)+2, err)
	}
	var pom struct {
		GroupID    string `xml:"groupId"`
		ArtifactID string `xml:"artifactId"`
		Version    string `xml:"version"`
		Packaging  string `xml:"packaging"`
	}
	if err := xml.Unmarshal([]byte(read(t, mavenFile(dir, ".pom"))), &pom); err != nil {
		t.Fatal(err)
	}
	if pom.GroupID != javaPackage || pom.ArtifactID != mavenArtifact || pom.Version != actions.Version || pom.Packaging != "aar" {
		t.Errorf("the description says %+v", pom)
	}
}

// TestPublishSwift works on a package without the libraries.
func TestPublishSwift(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "release")
	if err := addHost(from, "../ios"); err != nil {
		t.Fatal(err)
	}
	if err := addFacade(from, ".."); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(from, frameworkName, "ios-arm64", "Rehearsal.framework", "Rehearsal"), "a library")
	if err := publishSwift(from, to); err != nil {
		t.Fatal(err)
	}
	archive := read(t, filepath.Join(to, "Rehearsal.xcframework.zip"))
	entries, err := readZipBytes([]byte(archive))
	if err != nil || len(entries) != 1 || entries[0].name != "Rehearsal.xcframework/ios-arm64/Rehearsal.framework/Rehearsal" {
		t.Errorf("the archive has %v (%v)", entries, err)
	}
	checksum := hexOf(sha256.New, []byte(archive))
	if text := read(t, filepath.Join(to, "Package.swift")); !strings.Contains(text, checksum) ||
		!strings.Contains(text, releases+"Rehearsal.xcframework.zip") {
		t.Errorf("the package does not name the archive:\n%s", text)
	}
	for _, name := range []string{"Sources/RehearsalActions/ActionRegistry.swift", "Sources/RehearsalActions/PrivacyInfo.xcprivacy",
		"Sources/RehearsalActions/RehearsalActions.docc/RehearsalActions.md", "Sources/RehearsalHost/RHHost.m"} {
		if read(t, filepath.Join(to, name)) == "" {
			t.Errorf("%s is empty", name)
		}
	}
}

// TestBillOfMaterials: what is linked is listed, and each entry says where it comes from.
func TestBillOfMaterials(t *testing.T) {
	text, err := billOfMaterials("pkg:maven/x/y@1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var bill struct {
		Metadata struct {
			Component struct{ Version, PURL string }
		}
		Components []struct{ Name, Version, PURL string }
	}
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	if bill.Metadata.Component.Version != "1.2.3" || len(bill.Components) != 2 {
		t.Errorf("the bill is %+v", bill)
	}
	for _, c := range bill.Components {
		if c.Version == "" || !strings.HasSuffix(c.PURL, "@"+c.Version) {
			t.Errorf("%+v has no version", c)
		}
	}
}
