package main

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

const mavenArtifact, playgroundArtifact = "rehearsal", "rehearsal-playground"

// publishAAR writes the companions of an .aar: a repository of Maven with a description, sources, documentation and a bill of materials.
func publishAAR(aar, androidJar, work string) error {
	sources := beside(aar, "-sources.jar")
	if err := addSources(sources, "mobile/android/host/java"); err != nil {
		return err
	}
	documentation, err := documentation(sources, androidJar, work)
	if err != nil {
		return err
	}
	bill, err := billOfMaterials("pkg:maven/" + javaPackage + "/" + mavenArtifact + "@" + actions.Version)
	if err != nil {
		return err
	}
	contents := map[string][]byte{"-javadoc.jar": documentation, "-cyclonedx.json": bill}
	for ending, name := range map[string]string{".aar": aar, "-sources.jar": sources} {
		if contents[ending], err = os.ReadFile(name); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(beside(aar, "-maven")); err != nil {
		return err
	}
	return writeMaven(beside(aar, "-maven"), mavenArtifact, "aar", contents)
}

// publishPlayground makes what joins debug builds to a playground: a .jar beside the .aar, and an artefact of the same repository.
func publishPlayground(sdk androidSDK, aar, work string) error {
	classes, err := compileJava(sdk, aar, "playground", work)
	if err != nil {
		return err
	}
	contents := map[string][]byte{}
	for ending, folder := range map[string]string{".jar": classes, "-sources.jar": "mobile/android/playground/java"} {
		if contents[ending], err = withClasses(emptyZip, folder); err != nil {
			return err
		}
	}
	if err := os.WriteFile(beside(aar, "-playground.jar"), contents[".jar"], 0o644); err != nil {
		return err
	}
	return writeMaven(beside(aar, "-maven"), playgroundArtifact, "jar", contents)
}

// addSources adds the sources of the host to those of the bindings.
func addSources(jar, dir string) error {
	data, err := os.ReadFile(jar)
	if err != nil {
		return err
	}
	if data, err = withClasses(data, dir); err != nil {
		return err
	}
	return os.WriteFile(jar, data, 0o644)
}

// documentation makes that of the library, as Javadoc. See docs/decisions/mobile.md#why-is-the-documentation-of-android-javadoc
func documentation(sources, androidJar, work string) ([]byte, error) {
	from, to := filepath.Join(work, "sources"), filepath.Join(work, "documentation")
	files, err := unpackSources(sources, from)
	if err != nil {
		return nil, err
	}
	arguments := append([]string{"-quiet", "-notimestamp", "-Xdoclint:none", "-encoding", "UTF-8", "-charset", "UTF-8", "-source", "8",
		"-bootclasspath", androidJar, "-d", to, "-sourcepath", from}, files...)
	if output, err := exec.Command("javadoc", arguments...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("javadoc: %w\n%s", err, output)
	}
	return withClasses(emptyZip, to)
}

// unpackSources unpacks the sources that are documented and those that they need, and returns the files of the former. Those in go.* are
// gobind's, which nobody calls.
func unpackSources(jar, to string) (documented []string, err error) {
	entries, err := readZip(jar)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		ours := strings.HasPrefix(entry.name, "io/")
		if !strings.HasSuffix(entry.name, ".java") || !ours && !strings.HasPrefix(entry.name, "go/") {
			continue
		}
		file := filepath.Join(to, filepath.FromSlash(entry.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, entry.data, 0o644); err != nil {
			return nil, err
		}
		if ours {
			documented = append(documented, file)
		}
	}
	return documented, nil
}

// emptyZip is an archive of nothing.
var emptyZip = []byte("PK\x05\x06" + strings.Repeat("\x00", 18))

// writeMaven adds an artefact of this version to a repository of Maven. Each content has the ending of its file.
func writeMaven(dir, artifact, packaging string, contents map[string][]byte) error {
	const version = actions.Version
	above := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(javaPackage, ".", "/")), artifact)
	files := map[string][]byte{filepath.Join(above, "maven-metadata.xml"): fmt.Appendf(nil, mavenVersions, javaPackage, artifact, version,
		version, version)}
	name := func(ending string) string { return filepath.Join(above, version, artifact+"-"+version+ending) }
	files[name(".pom")] = fmt.Appendf(nil, mavenDescription, javaPackage, artifact, version, packaging)
	for ending, content := range contents {
		files[name(ending)] = content
	}
	for file, content := range files {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
		for ending, algorithm := range hashes {
			if err := os.WriteFile(file+ending, []byte(hexOf(algorithm, content)), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// hashes are those that Maven Central wants, by their endings.
var hashes = map[string]func() hash.Hash{".md5": md5.New, ".sha1": sha1.New, ".sha256": sha256.New, ".sha512": sha512.New}

func hexOf(algorithm func() hash.Hash, content []byte) string {
	h := algorithm()
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

const mavenVersions = `<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>%s</groupId>
  <artifactId>%s</artifactId>
  <versioning>
    <latest>%s</latest>
    <release>%s</release>
    <versions>
      <version>%s</version>
    </versions>
  </versioning>
</metadata>
`

const mavenDescription = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>%s</groupId>
  <artifactId>%s</artifactId>
  <version>%s</version>
  <packaging>%s</packaging>
  <name>Rehearsal actions</name>
  <description>The actions of an app, for Android</description>
  <url>https://github.com/rehearsal-sdk/rehearsal</url>
  <licenses>
    <license>
      <name>Apache-2.0</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
    </license>
  </licenses>
  <developers>
    <developer>
      <name>The contributors of rehearsal</name>
      <url>https://github.com/rehearsal-sdk/rehearsal</url>
    </developer>
  </developers>
  <scm>
    <connection>scm:git:https://github.com/rehearsal-sdk/rehearsal.git</connection>
    <url>https://github.com/rehearsal-sdk/rehearsal</url>
  </scm>
</project>
`
