// Command modzip writes a folder that serves the Go module in ROOT as a proxy of modules does, as one version: with what a proxy would
// take of it, which is less than the folder. A replace directive shows more than users get.
//
//	modzip ROOT VERSION PROXY
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: modzip ROOT VERSION PROXY")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "modzip: "+err.Error())
		os.Exit(1)
	}
}

func write(root, version, proxy string) error {
	description, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	its := module.Version{Path: modfile.ModulePath(description), Version: version}
	escaped, err := module.EscapePath(its.Path)
	if err != nil {
		return err
	}
	folder := filepath.Join(proxy, escaped, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".mod": description, version + ".info": fmt.Appendf(nil, `{"Version":%q}`, version),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	packed, err := os.Create(filepath.Join(folder, version+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(zip.CreateFromDir(packed, its, root), packed.Close())
}
