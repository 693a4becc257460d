package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// packNPM makes the command with its launcher, a package per system with the program, and the package for web pages. What npm would
// pack is packed here, so that no tool decides on times and modes.
func packNPM(r release, programs []program) error {
	optional := map[string]string{}
	for _, p := range programs {
		name, err := packPlatform(r, p)
		if err != nil {
			return err
		}
		optional[name] = r.version
	}
	sources := filepath.Join(r.root, "mockserver/packages/npm")
	var content files
	for _, name := range []string{"README.md", "binary.js", "client.js", "index.js", "index.d.ts", "bin/rehearsal.js"} {
		data, err := os.ReadFile(filepath.Join(sources, name))
		if err != nil {
			return err
		}
		each := file{name: name, data: data}
		if strings.HasPrefix(name, "bin/") {
			each.mode = 0o755
		}
		content = append(content, each)
	}
	licences, err := r.licences("")
	if err != nil {
		return err
	}
	content = append(content, licences[0]) // the rest goes with the program
	members, err := description(sources)
	if err != nil {
		return err
	}
	if members["optionalDependencies"], err = json.Marshal(optional); err != nil {
		return err
	}
	if err := r.packPackage("rehearsal", members, content); err != nil {
		return err
	}
	return packActions(r)
}

// packPlatform makes the package of one system, and tells its name.
func packPlatform(r release, p program) (string, error) {
	system, arch := p.system, p.arch
	if system == "windows" {
		system = "win32"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	name := "@rehearsal/" + system + "-" + arch
	content, err := r.licences("")
	if err != nil {
		return "", err
	}
	readme := fmt.Sprintf("# %s\n\nThe program of the package [rehearsal](https://www.npmjs.com/package/rehearsal) for %s on %s. Install that one.\n", name, p.system, p.arch)
	content = append(content, file{name: "bin/" + p.file(), data: p.data, mode: 0o755}, file{name: "README.md", data: []byte(readme)})
	main, err := description(filepath.Join(r.root, "mockserver/packages/npm"))
	if err != nil {
		return "", err
	}
	members := map[string]json.RawMessage{}
	for _, same := range []string{"homepage", "bugs", "repository", "license", "engines"} {
		members[same] = main[same]
	}
	for member, value := range map[string]any{
		"name": name, "description": "The program of rehearsal for " + p.system + " on " + p.arch,
		"os": []string{system}, "cpu": []string{arch}, "preferUnplugged": true,
	} {
		if members[member], err = json.Marshal(value); err != nil {
			return "", err
		}
	}
	return name, r.packPackage(name, members, content)
}

// packActions makes the package for web pages, of what its build left; none where it was not built.
func packActions(r release) error {
	folder := filepath.Join(r.root, "web/actions")
	if _, err := os.Stat(filepath.Join(folder, "dist")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	members, err := description(folder)
	if err != nil {
		return err
	}
	var published []string
	if err := json.Unmarshal(members["files"], &published); err != nil {
		return err
	}
	var content files
	for _, name := range published {
		err := filepath.WalkDir(filepath.Join(folder, name), func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			inside, err := filepath.Rel(folder, path)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			content = append(content, file{name: filepath.ToSlash(inside), data: data})
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, name := range []string{"scripts", "devDependencies", "files"} { // they are for the repository
		delete(members, name)
	}
	return r.packPackage("@rehearsal/actions", members, content)
}

// description are the members of a package.json; their insides stay in order, since types come before default.
func description(folder string) (map[string]json.RawMessage, error) {
	data, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	err = json.Unmarshal(data, &members)
	return members, err
}

// packPackage writes a package under the name that npm would give it.
func (r release) packPackage(name string, members map[string]json.RawMessage, content files) error {
	members["version"] = json.RawMessage(`"` + r.version + `"`)
	data, err := json.MarshalIndent(members, "", "  ")
	if err != nil {
		return err
	}
	content = append(content, file{name: "package.json", data: append(data, '\n')})
	for i := range content {
		content[i].name = "package/" + content[i].name
	}
	packed, err := content.sorted().tarball(r.time)
	if err != nil {
		return err
	}
	return r.write(strings.NewReplacer("@", "", "/", "-").Replace(name)+"-"+r.version+".tgz", packed)
}
