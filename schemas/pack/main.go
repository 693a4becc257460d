// Pack makes the packages of the schemas: npm, Python, Java. What it makes is the same, byte for byte, whenever and wherever it
// runs: entries are sorted, and their time is SOURCE_DATE_EPOCH. Run it in the root of the repository; `make dist` does.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// packers make what there is for one language.
var packers = map[string]func(release) error{"npm": packNPM, "python": packPython, "java": packJava}

// release is what all packages have in common.
type release struct {
	version string
	folder  string // for the packages
	time    time.Time
}

var versions = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pack: "+err.Error())
		os.Exit(1)
	}
}

func run() error {
	version := flag.String("version", "0.1.0", "the version of the packages")
	folder := flag.String("folder", "build/dist", "where to put them")
	flag.Parse()
	if !versions.MatchString(*version) {
		return fmt.Errorf("the version %q is not allowed: write three numbers, such as 1.2.3", *version)
	}
	epoch := int64(315532800) // zip knows nothing before 1980
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH is %q: write the seconds since 1970", text)
		}
		epoch = max(epoch, seconds)
	}
	if err := os.MkdirAll(*folder, 0o755); err != nil {
		return err
	}
	for _, language := range flag.Args() {
		packer := packers[language]
		if packer == nil {
			return fmt.Errorf("there is no packer %q: choose from %s", language, strings.Join(slices.Sorted(maps.Keys(packers)), ", "))
		}
		if err := packer(release{*version, *folder, time.Unix(epoch, 0).UTC()}); err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
	}
	return nil
}
