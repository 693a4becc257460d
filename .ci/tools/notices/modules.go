package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// programs are what the Go compiler makes, on the systems for which the modules differ.
var programs = []struct{ part, pattern, system, arch string }{
	{partServer, "./mockserver/cmd/mockserver", "linux", "amd64"},
	{partServer, "./mockserver/cmd/mockserver", "darwin", "arm64"},
	{partServer, "./mockserver/cmd/mockserver", "windows", "amd64"},
	{partWebPages, "./wasm", "js", "wasm"},
	{partPage, "./wasm", "js", "wasm"},
	{partMobile, "./mobile/actions", "android", "arm64"},
	{partMobile, "./mobile/actions", "ios", "arm64"},
}

// listed is what `go list -json` says of a package.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// goModules are the modules of packages that are linked, and the standard library.
func goModules(root string) ([]component, error) {
	classifier, err := assets.DefaultClassifier()
	if err != nil {
		return nil, err
	}
	var all []component
	for _, program := range programs {
		folders := map[string][]string{} // of the linked packages of a module
		modules := map[string]component{}
		packages, err := list(root, program.system, program.arch, program.pattern)
		if err != nil {
			return nil, err
		}
		if program.part == partMobile { // what gomobile binds with
			bound, err := list(root, program.system, program.arch, "golang.org/x/mobile/bind")
			if err != nil {
				return nil, err
			}
			packages = append(packages, bound...)
		}
		for _, p := range packages {
			if p.Standard || p.Module == nil || p.Module.Main {
				continue
			}
			m := p.Module
			modules[m.Path] = component{name: m.Path, version: m.Version, purl: "pkg:golang/" + m.Path + "@" + m.Version, parts: []string{program.part}}
			for folder := p.Dir; ; folder = filepath.Dir(folder) {
				folders[m.Path] = append(folders[m.Path], folder)
				if folder == m.Dir || len(folder) < len(m.Dir) {
					break
				}
			}
		}
		toolchain, err := output(root, nil, "go", "env", "GOROOT")
		if err != nil {
			return nil, err
		}
		// Which release it is, the program itself says; it depends on the machine that builds.
		modules["std"] = component{name: "The Go standard library and runtime", purl: "pkg:golang/std", parts: []string{program.part}}
		folders["std"] = []string{strings.TrimSpace(string(toolchain))}
		for path, c := range modules {
			if c.texts, err = licencesIn(folders[path]); err != nil {
				return nil, err
			}
			if c.licence = classify(classifier, c.texts); c.licence == "" {
				return nil, fmt.Errorf("no known licence in %s: what does it say?", path)
			}
			all = append(all, c)
		}
	}
	return all, nil
}

func list(root, system, arch, pattern string) ([]listed, error) {
	out, err := output(root, []string{"GOOS=" + system, "GOARCH=" + arch, "CGO_ENABLED=0"}, "go", "list", "-e", "-deps", "-json=Dir,Standard,Module", pattern)
	if err != nil {
		return nil, err
	}
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

func output(folder string, environment []string, name string, arguments ...string) ([]byte, error) {
	command := exec.Command(name, arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(), environment...)
	out, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w\n%s", command, err, failed.Stderr)
	}
	return out, err
}

var licenceFile = regexp.MustCompile(`(?i)licen[sc]e|^(copying|notice|patents)`)

// licencesIn reads the texts of licences and notices in some folders, each once.
func licencesIn(folders []string) ([]string, error) {
	slices.Sort(folders)
	var texts []string
	for _, folder := range slices.Compact(folders) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if !entry.Type().IsRegular() || !licenceFile.MatchString(entry.Name()) || slices.Contains([]string{".go", ".js"}, filepath.Ext(entry.Name())) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return nil, err
			}
			plain := strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))
			if !slices.Contains(texts, plain) {
				texts = append(texts, plain)
			}
		}
	}
	return texts, nil
}

// classify is the SPDX expression of some texts.
func classify(classifier *classifier.Classifier, texts []string) string {
	var found []string
	for _, text := range texts {
		for _, match := range classifier.Match([]byte(text)).Matches {
			if match.MatchType == "License" || match.MatchType == "Header" {
				found = append(found, match.Name)
			}
		}
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " AND ")
}
