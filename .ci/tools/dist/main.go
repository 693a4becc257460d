// Command dist makes what is published of the program: archives, Debian packages, packages of npm, wheels of Python, a repository of Maven and an OCI
// image, all from one set of binaries, with checksums of everything in the folder. What it makes is the same, byte for byte, whenever and
// wherever it runs: entries are sorted, their time is that of the release, and no path of the machine is in them. `make dist` runs it.
//
//	dist -version V -commit C -time SECONDS [-system linux/amd64] ROOT
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// release is what all packages have in common.
type release struct {
	version, commit string
	time            time.Time
	root            string // of the repository
	folder          string // for the packages
}

// packers make one kind of package each.
var packers = []struct {
	name string
	pack func(release, []program) error
}{
	{"archives", packArchives}, {"packages of npm", packNPM}, {"wheels", packWheels}, {"Debian packages", packDebian},
	{"image", packImage}, {"repository of Maven", packMaven},
}

var versions = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "dist: "+err.Error())
		os.Exit(1)
	}
}

func run() error {
	var r release
	flag.StringVar(&r.version, "version", "", "the version of the packages, such as 1.2.3")
	flag.StringVar(&r.commit, "commit", "", "the commit that they are made from")
	seconds := flag.Int64("time", 0, "the time of everything in them, in seconds since 1970")
	only := flag.String("system", "", "the one system to make packages for, such as linux/amd64; the default is all")
	flag.Parse()
	if !versions.MatchString(r.version) {
		return fmt.Errorf("the version %q is not allowed: write three numbers, such as 1.2.3", r.version)
	}
	if r.commit == "" || flag.NArg() != 1 {
		return errors.New("name the commit and the root of the repository")
	}
	r.time = time.Unix(max(*seconds, 315532800), 0).UTC() // zip knows nothing before 1980
	var err error
	if r.root, err = filepath.Abs(flag.Arg(0)); err != nil {
		return err
	}
	r.folder = filepath.Join(r.root, "build/dist")
	if err := os.MkdirAll(r.folder, 0o755); err != nil {
		return err
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	programs, err := build(r, chosen)
	if err != nil {
		return err
	}
	for _, each := range packers {
		if err := each.pack(r, programs); err != nil {
			return fmt.Errorf("%s: %w", each.name, err)
		}
	}
	return sum(r)
}
