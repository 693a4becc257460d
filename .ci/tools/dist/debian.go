package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

const debianControl = `Package: rehearsal
Version: %s
Architecture: %s
Maintainer: The Rehearsal maintainers <maintainers@rehearsal.example>
Installed-Size: %d
Section: devel
Priority: optional
Homepage: https://github.com/rehearsal-sdk/rehearsal
Description: mock of an asynchronous export service
 A server for the machine of a developer and for tests. It validates requests,
 moves exports through their states and serves files, with a clock that you
 control and faults on demand. A playground and the documents are inside.
`

const debianCopyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Rehearsal
Source: https://github.com/rehearsal-sdk/rehearsal

Files: *
Copyright: The authors of Rehearsal
License: Apache-2.0
 On Debian systems, the text of this licence is in
 /usr/share/common-licenses/Apache-2.0.
Comment:
 The licences of what the program contains are in THIRD_PARTY_NOTICES.gz
 beside this file.
`

// packDebian makes a package per processor for Debian and what comes from it. It is written here since the library for it needs
// modules that proxies do not offer: it is an archive of three files.
func packDebian(r release, programs []program) error {
	common, err := debianFiles(r)
	if err != nil {
		return err
	}
	for _, p := range programs {
		if p.system != "linux" {
			continue
		}
		content := append(files{{name: "usr/bin/rehearsal", data: p.data, mode: 0o755}}, common...)
		size := 0
		var sums bytes.Buffer
		for _, each := range content.sorted() {
			if each.link == "" {
				size += len(each.data)
				fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(each.data), each.name)
			}
		}
		control := files{
			{name: "./"},
			{name: "./control", data: fmt.Appendf(nil, debianControl, r.version, p.arch, (size+1023)/1024)},
			{name: "./md5sums", data: sums.Bytes()},
		}
		packed, err := archiveOf(r, control, content.inFolders())
		if err != nil {
			return err
		}
		if err := r.write(fmt.Sprintf("rehearsal_%s_%s.deb", r.version, p.arch), packed); err != nil {
			return err
		}
	}
	return nil
}

// debianFiles are those of every processor: the other name of the command, what the policy asks for, and the manual.
func debianFiles(r release) (files, error) {
	licences, err := r.licences("")
	if err != nil {
		return nil, err
	}
	const doc = "usr/share/doc/rehearsal/"
	common := files{
		{name: "usr/bin/mockserver", link: "rehearsal"},
		{name: doc + "copyright", data: []byte(debianCopyright)},
		{name: doc + "sbom.cdx.json", data: licences[2].data},
		{name: "usr/share/man/man1/rehearsal.1.gz", link: "mockserver.1.gz"},
	}
	changes := fmt.Sprintf("rehearsal (%s) stable; urgency=low\n\n  * See https://github.com/rehearsal-sdk/rehearsal/blob/main/CHANGELOG.md\n\n -- The Rehearsal maintainers <maintainers@rehearsal.example>  %s\n",
		r.version, r.time.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	packed := files{{name: doc + "THIRD_PARTY_NOTICES.gz", data: licences[1].data}, {name: doc + "changelog.gz", data: []byte(changes)}}
	pages, err := manual(r)
	if err != nil {
		return nil, err
	}
	for i := range pages {
		pages[i].name = "usr/share/man/man1/" + pages[i].name + ".gz"
	}
	for _, each := range append(packed, pages...) {
		if each.data, err = squeeze(each.data); err != nil {
			return nil, err
		}
		common = append(common, each)
	}
	completed, err := completions(r, []completion{
		{"bash", "usr/share/bash-completion/completions/%s"},
		{"zsh", "usr/share/zsh/vendor-completions/_%s"},
		{"fish", "usr/share/fish/vendor_completions.d/%s.fish"},
	})
	return append(common, completed...), err
}

// completion is where the script for a shell goes, with %s for the name of the command.
type completion struct{ shell, path string }

// completions are scripts for shells, for both names of the command.
func completions(r release, places []completion) (files, error) {
	var found files
	for _, each := range places {
		script, err := exec.Command(hostProgram(r), "completion", each.shell).Output()
		if err != nil {
			return nil, fmt.Errorf("the completion script for %s: %w", each.shell, err)
		}
		for _, command := range []string{"mockserver", "rehearsal"} {
			found = append(found, file{name: fmt.Sprintf(each.path, command), data: bytes.ReplaceAll(script, []byte("mockserver"), []byte(command))})
		}
	}
	return found, nil
}

// hostProgram is the program of this machine, which says the same as those of the others.
func hostProgram(r release) string {
	return filepath.Join(r.root, "build/dist-work", runtime.GOOS+"-"+runtime.GOARCH)
}

// manual are the pages that the program of this machine writes; those of the others are the same.
func manual(r release) (files, error) {
	folder := filepath.Join(r.root, "build/dist-work/man1")
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	command := exec.Command(hostProgram(r), "man", "--out", folder)
	if output, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the manual: %w\n%s", err, output)
	}
	pages, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var found files
	for _, page := range pages {
		data, err := os.ReadFile(filepath.Join(folder, page.Name()))
		if err != nil {
			return nil, err
		}
		found = append(found, file{name: page.Name(), data: data})
	}
	return found, nil
}

// inFolders are the files by their names, after the folders that they are in.
func (f files) inFolders() files {
	all := files{{name: "./"}}
	known := map[string]bool{".": true}
	var add func(folder string)
	add = func(folder string) {
		if known[folder] {
			return
		}
		add(path.Dir(folder))
		known[folder] = true
		all = append(all, file{name: "./" + folder + "/"})
	}
	for _, each := range f.sorted() {
		add(path.Dir(each.name))
		each.name = "./" + each.name
		all = append(all, each)
	}
	return all
}

// archiveOf is a package: the version of the format, what describes it, what is in it.
func archiveOf(r release, control, data files) ([]byte, error) {
	described, err := control.tarball(r.time)
	if err != nil {
		return nil, err
	}
	installed, err := data.tarball(r.time)
	if err != nil {
		return nil, err
	}
	var archive strings.Builder
	archive.WriteString("!<arch>\n")
	members := files{{name: "debian-binary", data: []byte("2.0\n")}, {name: "control.tar.gz", data: described}, {name: "data.tar.gz", data: installed}}
	for _, member := range members {
		fmt.Fprintf(&archive, "%-16s%-12d%-6d%-6d%-8s%-10d`\n%s", member.name, r.time.Unix(), 0, 0, "100644", len(member.data), member.data)
		if len(member.data)%2 == 1 {
			archive.WriteByte('\n')
		}
	}
	return []byte(archive.String()), nil
}
