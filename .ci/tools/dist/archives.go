package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// packArchives makes an archive per system, under the names that installers look for, and puts the bill of materials beside them.
func packArchives(r release, programs []program) error {
	pages, err := manual(r)
	if err != nil {
		return err
	}
	for i := range pages {
		pages[i].name = "man/man1/" + pages[i].name
	}
	completed, err := completions(r, []completion{{"bash", "completions/%s.bash"}, {"zsh", "completions/_%s"}, {"fish", "completions/%s.fish"}})
	if err != nil {
		return err
	}
	for _, p := range programs {
		content, err := r.licences("")
		if err != nil {
			return err
		}
		content = append(content, file{name: p.file(), data: p.data, mode: 0o755})
		pack, ending := files.tarball, "tar.gz"
		if p.system == "windows" {
			pack, ending = files.zipped, "zip"
			content = append(content, file{name: "mockserver.cmd", data: []byte("@\"%~dp0rehearsal.exe\" %*\r\n")})
		} else {
			content = append(content, file{name: "mockserver", link: "rehearsal"})
			content = append(append(content, pages...), completed...)
		}
		data, err := pack(content.sorted(), r.time)
		if err != nil {
			return err
		}
		if err := r.write(fmt.Sprintf("rehearsal_%s_%s_%s.%s", r.version, p.system, p.arch, ending), data); err != nil {
			return err
		}
	}
	bill, err := os.ReadFile(filepath.Join(r.root, "sbom.cdx.json"))
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("rehearsal_%s.cdx.json", r.version), bill)
}
