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
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// mavenFile is where a repository has a file of the library.
func mavenFile(repository, ending string) string {
	return filepath.Join(repository, "io", "github", "rehearsalsdk", mavenArtifact, actions.Version, mavenArtifact+"-"+actions.Version+ending)
}

// TestWriteMaven: the files are where their names say, and every file has its hashes.
func TestWriteMaven(t *testing.T) {
	dir := t.TempDir()
	contents := map[string][]byte{".aar": []byte("an aar"), "-sources.jar": []byte("sources"), "-javadoc.jar": []byte("javadoc")}
	proof.Do(t, writeMaven(dir, mavenArtifact, "aar", contents))
	for ending, content := range contents {
		proof.Hold(t, read(t, mavenFile(dir, ending)) == string(content), "%s is another", ending)
	}
	hashed := 0
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || hashes[filepath.Ext(name)] != nil {
			return err
		}
		for ending, algorithm := range hashes {
			proof.Hold(t, read(t, name+ending) == hexOf(algorithm, []byte(read(t, name))), "%s%s is wrong", name, ending)
		}
		hashed++
		return nil
	})
	proof.Hold(t, err == nil && hashed == len(contents)+2, "%d files have hashes, want %d (%v)", hashed, len(contents)+2, err)
	var pom struct {
		GroupID    string `xml:"groupId"`
		ArtifactID string `xml:"artifactId"`
		Version    string `xml:"version"`
		Packaging  string `xml:"packaging"`
	}
	proof.Do(t, xml.Unmarshal([]byte(read(t, mavenFile(dir, ".pom"))), &pom))
	if pom.GroupID != javaPackage || pom.ArtifactID != mavenArtifact || pom.Version != actions.Version || pom.Packaging != "aar" {
		t.Errorf("the description says %+v", pom)
	}
}

// TestPublishSwift works on a package without the libraries.
func TestPublishSwift(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "release")
	proof.Do(t, addHost(from, "../ios"))
	proof.Do(t, addFacade(from, ".."))
	write(t, filepath.Join(from, frameworkName, "ios-arm64", "Rehearsal.framework", "Rehearsal"), "a library")
	proof.Do(t, publishSwift(from, to))
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
		"Sources/RehearsalActions/RehearsalActions.docc/RehearsalActions.md", "Sources/RehearsalHost/RHHost.m",
		"Sources/RehearsalPlayground/Playground.swift"} {
		proof.Hold(t, read(t, filepath.Join(to, name)) != "", "%s is empty", name)
	}
}

// TestBillOfMaterials: what is linked is listed, and each entry says where it comes from.
func TestBillOfMaterials(t *testing.T) {
	text := proof.Get(billOfMaterials("pkg:maven/x/y@1.2.3"))(t)
	var bill struct {
		Metadata struct {
			Component struct{ Version, PURL string }
		}
		Components []struct{ Name, Version, PURL string }
	}
	proof.Do(t, json.Unmarshal(text, &bill))
	proof.Hold(t, bill.Metadata.Component.Version == "1.2.3" && len(bill.Components) == 2, "the bill is %+v", bill)
	for _, c := range bill.Components {
		proof.Hold(t, c.Version != "" && strings.HasSuffix(c.PURL, "@"+c.Version), "%+v has no version", c)
	}
}
