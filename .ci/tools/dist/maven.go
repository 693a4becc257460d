package main

import (
	"encoding/xml"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// mavenGroup is the group of the artifacts, below which a repository has them.
const mavenGroup = "io.github.rehearsalsdk"

const programDescription = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>` + mavenGroup + `</groupId>
  <artifactId>rehearsal-program</artifactId>
  <version>0</version>
  <name>Rehearsal</name>
  <description>The program of rehearsal for tests in Java, with a classifier for each system, such as linux-amd64</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
    </license>
  </licenses>
</project>
`

// packMaven makes a folder that is a repository of Maven: the program, as a jar for each system, and the extension for JUnit, of the
// classes that its compiler left; none where there was no compiler.
func packMaven(r release, programs []program) error {
	licences, err := r.licences("META-INF/")
	if err != nil {
		return err
	}
	for _, p := range programs {
		system := p.system + "-" + p.arch
		inside := strings.ReplaceAll(mavenGroup, ".", "/") + "/program/" + system + "/"
		content := append(files{{name: inside + p.file(), data: p.data}}, licences...)
		if err := r.writeJar("rehearsal-program", "-"+system, content); err != nil {
			return err
		}
	}
	if err := r.writeDescription("rehearsal-program", programDescription); err != nil {
		return err
	}
	classes, err := folderFiles(filepath.Join(r.root, "build/junit/classes"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	source := filepath.Join(r.root, "mockserver/packages/java")
	sources, err := folderFiles(filepath.Join(source, "src/main/java"))
	if err != nil {
		return err
	}
	description, err := os.ReadFile(filepath.Join(source, "pom.xml"))
	if err != nil {
		return err
	}
	return errors.Join(
		r.writeJar("rehearsal-junit", "", append(classes, licences[0])),
		r.writeJar("rehearsal-junit", "-sources", append(sources, licences[0])),
		r.writeDescription("rehearsal-junit", string(description)),
	)
}

// folderFiles are the files of a folder, by their paths in it.
func folderFiles(folder string) (files, error) {
	var found files
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		found = append(found, file{name: filepath.ToSlash(name), data: data})
		return err
	})
	return found, err
}

// mavenFile is where a repository has a file of an artifact.
func (r release) mavenFile(artifact, ending string) string {
	return "maven/" + strings.ReplaceAll(mavenGroup, ".", "/") + "/" + artifact + "/" + r.version + "/" + artifact + "-" + r.version + ending
}

// writeJar writes a jar, which has its manifest first.
func (r release) writeJar(artifact, classifier string, content files) error {
	manifest := "Manifest-Version: 1.0\nImplementation-Version: " + r.version + "\n"
	if artifact == "rehearsal-junit" && classifier == "" {
		manifest += "Automatic-Module-Name: " + mavenGroup + ".testing\n"
	}
	data, err := append(files{{name: "META-INF/MANIFEST.MF", data: []byte(manifest)}}, content.sorted()...).zipped(r.time)
	if err != nil {
		return err
	}
	return r.write(r.mavenFile(artifact, classifier+".jar"), data)
}

// writeDescription writes the description of an artifact, in which the version stands for 0.
func (r release) writeDescription(artifact, description string) error {
	const placeholder = "<artifactId>%</artifactId>\n  <version>0</version>"
	from := strings.ReplaceAll(placeholder, "%", artifact)
	if strings.Count(description, from) != 1 {
		return errors.New("the description of " + artifact + " has no version 0 after its name")
	}
	stated := strings.Replace(description, "<version>0</version>", "<version>"+r.version+"</version>", 1)
	if err := xml.Unmarshal([]byte(stated), new(struct{})); err != nil {
		return err
	}
	return r.write(r.mavenFile(artifact, ".pom"), []byte(stated))
}
