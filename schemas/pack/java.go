package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/formats"
)

const (
	javaSources = "schemas/java/src"
	javaFolder  = "io/github/rehearsalsdk/schemas/"
	javaPOM     = "schemas/java/pom.xml"
)

const javaManifest = "Manifest-Version: 1.0\r\nAutomatic-Module-Name: io.github.rehearsalsdk.schemas\r\nImplementation-Version: {version}\r\n\r\n"

// pomVersion is where the description for Maven has the version of the package itself.
var pomVersion = regexp.MustCompile(`<version>0</version>`)

// packJava makes a jar, its sources, and the description for Maven. CLASSPATH names the folder with the jars to compile against, as
// javac takes it.
func packJava(r release) error {
	files := entries{}
	if err := files.addSchemas(javaFolder); err != nil {
		return err
	}
	library, err := schemas.Embedded()
	if err != nil {
		return err
	}
	files[javaFolder+"index.txt"] = []byte(strings.Join(library.Names(), "\n") + "\n")
	files[javaFolder+"formats.json"] = formats.Table
	files["META-INF/MANIFEST.MF"] = fill(javaManifest, "{version}", r.version)
	if err := files.addFile("META-INF/LICENSE", "schemas/LICENSE"); err != nil {
		return err
	}
	classes, err := os.MkdirTemp("", "rehearsal-classes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(classes)
	sources, err := filepath.Glob(javaSources + "/" + javaFolder + "*.java")
	if err != nil {
		return err
	}
	arguments := append([]string{"--release", "17", "-encoding", "UTF-8", "-d", classes}, sources...)
	if output, err := exec.Command("javac", arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("javac: %w\n%s", err, output)
	}
	code := entries{}
	if err := code.addTree("", javaSources); err != nil {
		return err
	}
	for name, data := range files {
		code[name] = data
	}
	if err := files.addTree("", classes); err != nil {
		return err
	}
	description, err := os.ReadFile(javaPOM)
	if err != nil {
		return err
	}
	name := "rehearsal-schemas-" + r.version
	if err := r.write(name+".pom", pomVersion.ReplaceAll(description, []byte("<version>"+r.version+"</version>"))); err != nil {
		return err
	}
	for ending, each := range map[string]entries{".jar": files, "-sources.jar": code} {
		data, err := each.zip(r.time, "META-INF/MANIFEST.MF")
		if err != nil {
			return err
		}
		if err := r.write(name+ending, data); err != nil {
			return err
		}
	}
	return nil
}
