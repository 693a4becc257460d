package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program is the program for one system.
type program struct {
	system, arch string // as Go calls them
	data         []byte
}

var systems = []program{
	{system: "linux", arch: "amd64"}, {system: "linux", arch: "arm64"},
	{system: "darwin", arch: "amd64"}, {system: "darwin", arch: "arm64"},
	{system: "windows", arch: "amd64"}, {system: "windows", arch: "arm64"},
}

// file is the name of the program in a package.
func (p program) file() string {
	if p.system == "windows" {
		return "rehearsal.exe"
	}
	return "rehearsal"
}

// choose returns the systems that packages are made for: all, or the one with this name.
func choose(name string) ([]program, error) {
	if name == "" {
		return systems, nil
	}
	for _, p := range systems {
		if p.system+"/"+p.arch == name {
			return []program{p}, nil
		}
	}
	return nil, fmt.Errorf("the system %q is not known: use one such as linux/amd64", name)
}

// build compiles the program for each system, with the page and the documents inside: they lie over the sources while it does.
func build(r release, chosen []program) ([]program, error) {
	work := filepath.Join(r.root, "build/dist-work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	overlay := filepath.Join(work, "overlay.json")
	if err := overlayPage(r.root, filepath.Join(work, "page"), overlay); err != nil {
		return nil, err
	}
	values := "-s -w -buildid= -X main.release=v" + r.version + " -X main.commit=" + r.commit
	var programs []program
	for _, p := range chosen {
		out := filepath.Join(work, p.system+"-"+p.arch)
		command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "page", "-overlay", overlay, "-ldflags", values, "-o", out, "./mockserver/cmd/mockserver")
		command.Dir = r.root
		command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.system, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=")
		if output, err := command.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go build for %s/%s: %w\n%s", p.system, p.arch, err, output)
		}
		var err error
		if p.data, err = os.ReadFile(out); err != nil {
			return nil, err
		}
		programs = append(programs, p)
	}
	return programs, nil
}

// overlayPage writes down which file of the page and the documents stands where in the sources. What gets smaller is compressed, and stands
// there in that form alone, which the server sends as it is.
func overlayPage(root, small, file string) error {
	if err := os.RemoveAll(small); err != nil {
		return err
	}
	replace := map[string]string{}
	for from, to := range map[string]string{"build/web": "page", "build/docs": "page/guide"} {
		folder := filepath.Join(root, from)
		if _, err := os.Stat(filepath.Join(folder, "index.html")); err != nil {
			return fmt.Errorf("%w: build the page and the documents first", err)
		}
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(folder, path)
			if err != nil {
				return err
			}
			if from == "build/web" && strings.HasPrefix(filepath.ToSlash(name), "guide/") {
				return nil // a copy of the documents that `make run` left there
			}
			source, end, err := smaller(path, filepath.Join(small, to, name))
			replace[filepath.Join(root, "mockserver/cmd/mockserver", to, name)+end] = source
			return err
		})
		if err != nil {
			return err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// smaller writes a file compressed to another place, where that makes it smaller by a tenth, and tells where the file is to be taken from
// and what its name ends with.
func smaller(path, to string) (source, end string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	packed, err := squeeze(data)
	if err != nil {
		return "", "", err
	}
	if len(packed)*10 > len(data)*9 {
		return path, "", nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", "", err
	}
	return to, ".gz", os.WriteFile(to, packed, 0o644)
}
