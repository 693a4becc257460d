// Command notices writes down what the programs and packages are made of beside the project's own code: THIRD_PARTY_NOTICES with the
// texts of the licences, and sbom.cdx.json, a software bill of materials (CycloneDX). Both have no timestamps, so that they change only
// when what is shipped changes.
//
//	notices [-check] ROOT
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// component is a module or package of somebody else that is shipped.
type component struct {
	name, version string
	purl          string
	licence       string   // an SPDX expression
	sha512        string   // of the package, in hexadecimal; "" where it is not known
	texts         []string // of its licences and notices
	parts         []string // what it is shipped in
}

// The parts of the project that are shipped by themselves.
const (
	partServer   = "mockserver"
	partPage     = "playground"
	partGuide    = "guide"
	partWebPages = "@rehearsal/actions"
	partMobile   = "mobile"
)

func main() {
	check := flag.Bool("check", false, "tell whether the files are current, and write nothing")
	flag.Parse()
	if err := run(flag.Arg(0), *check); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	all, err := components(root)
	if err != nil {
		return err
	}
	bill, err := billOf(all)
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return err
	}
	npm := slices.DeleteFunc(slices.Clone(all), func(c component) bool { return !slices.Contains(c.parts, partWebPages) })
	for _, file := range []struct {
		name string
		text []byte
	}{
		{"THIRD_PARTY_NOTICES", noticesOf(all)},
		{"sbom.cdx.json", bill},
		// npm packs only what lies in the folder of the package.
		{"web/actions/THIRD_PARTY_NOTICES", noticesOf(npm)},
		{"web/actions/LICENSE", licence},
		{"schemas/LICENSE", licence},
	} {
		path := filepath.Join(root, filepath.FromSlash(file.name))
		if found, err := os.ReadFile(path); err == nil && bytes.Equal(found, file.text) {
			continue
		}
		if check {
			return fmt.Errorf("%s is not current: run make notices", file.name)
		}
		if err := os.WriteFile(path, file.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// components are those of all parts, each once, in order of their addresses.
func components(root string) ([]component, error) {
	found, err := goModules(root)
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages(root)
	if err != nil {
		return nil, err
	}
	lite, err := liteComponents(root)
	if err != nil {
		return nil, err
	}
	byPURL := map[string]component{}
	for _, c := range slices.Concat(found, packages, lite) {
		if known, ok := byPURL[c.purl]; ok {
			c.parts = append(c.parts, known.parts...)
		}
		slices.Sort(c.parts)
		c.parts = slices.Compact(c.parts)
		byPURL[c.purl] = c
	}
	var all []component
	for _, c := range byPURL {
		if c.licence == "" && len(c.texts) == 0 {
			return nil, fmt.Errorf("%s has no licence: may it be shipped?", c.purl)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b component) int { return strings.Compare(a.purl, b.purl) })
	return all, nil
}

// noticesOf writes the texts of all licences, each once, below the names of those who come under it.
func noticesOf(all []component) []byte {
	var out bytes.Buffer
	out.WriteString("Rehearsal contains software of others, which comes under the licences below.\nWritten by make notices. Do not edit.\n")
	users := map[string][]string{}
	var order []string
	for _, c := range all {
		name := strings.TrimSpace(c.name + " " + c.version)
		line := fmt.Sprintf("%s (%s; in %s)", name, c.licence, strings.Join(c.parts, ", "))
		text := strings.Join(c.texts, "\n\n")
		if text == "" {
			text = "The package carries no text; it declares the licence " + c.licence + "."
		}
		if users[text] == nil {
			order = append(order, text)
		}
		users[text] = append(users[text], line)
	}
	for _, text := range order {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(users[text], "\n"), text)
	}
	return out.Bytes()
}
