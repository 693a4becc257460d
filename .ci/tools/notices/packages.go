package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// lock is package-lock.json.
type lock struct {
	Packages map[string]struct {
		Version, License, Integrity string
		Dev, DevOptional, Link      bool
	}
}

// npmPackages are those in the page and in the documents, whose builds say what is in them. The page has an API viewer that comes in one
// piece: what that depends on counts as shipped.
func npmPackages(root string) ([]component, error) {
	viewer, err := packagesOf(filepath.Join(root, "web", "viewer"), partPage, nil)
	if err != nil {
		return nil, err
	}
	undeclared, err := undeclaredPackages(filepath.Join(root, "web", "viewer", "node_modules", "@scalar", "api-reference", "dist", "browser", "standalone.js.map"), viewer)
	if err != nil {
		return nil, err
	}
	all := append(viewer, undeclared...)
	for _, built := range []struct{ folder, part, list string }{{"web", partPage, "page-packages.json"}, {"docs", partGuide, "docs-packages.json"}} {
		text, err := os.ReadFile(filepath.Join(root, "build", built.list))
		if err != nil {
			return nil, err
		}
		var bundled []string
		if err := json.Unmarshal(text, &bundled); err != nil {
			return nil, err
		}
		more, err := packagesOf(filepath.Join(root, built.folder), built.part, bundled)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// packagesOf are the packages of a lock file that are not for development, or those at the given places.
func packagesOf(folder, part string, places []string) ([]component, error) {
	text, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var locked lock
	if err := json.Unmarshal(text, &locked); err != nil {
		return nil, err
	}
	var all []component
	for place, p := range locked.Packages {
		at := strings.LastIndex(place, "node_modules/")
		switch {
		case at < 0, p.Link: // of the project
			continue
		case places != nil && !slices.Contains(places, place):
			continue
		case places == nil && (p.Dev || p.DevOptional):
			continue
		}
		name := place[at+len("node_modules/"):]
		c := component{name: name, version: p.Version, licence: p.License, parts: []string{part}}
		c.purl = "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		if sum, ok := strings.CutPrefix(p.Integrity, "sha512-"); ok {
			plain, err := base64.StdEncoding.DecodeString(sum)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", place, err)
			}
			c.sha512 = hex.EncodeToString(plain)
		}
		// What is optional may not be there for this system.
		if c.texts, err = licencesIn([]string{filepath.Join(folder, filepath.FromSlash(place))}); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		all = append(all, c)
	}
	if places != nil && len(all) != len(places) {
		return nil, fmt.Errorf("%d of %d packages of the %s are in the lock file", len(all), len(places), part)
	}
	return all, nil
}

var bundled = regexp.MustCompile(`node_modules/((?:@[^/]+/)?[^/@.][^/]*)/`)

// undeclaredPackages are those in the bundle of the viewer, as its source map tells, that the viewer does not depend on.
func undeclaredPackages(sourceMap string, declared []component) ([]component, error) {
	licences := map[string]string{"unist-util-find-after": "MIT"} // read at its author's
	text, err := os.ReadFile(sourceMap)
	if err != nil {
		return nil, err
	}
	var made struct{ Sources []string }
	if err := json.Unmarshal(text, &made); err != nil {
		return nil, fmt.Errorf("%s: %w", sourceMap, err)
	}
	var all []component
	for _, source := range made.Sources {
		found := bundled.FindAllStringSubmatch(source, -1)
		if found == nil {
			continue // the viewer itself
		}
		name := found[len(found)-1][1]
		known := func(c component) bool { return c.name == name }
		if slices.ContainsFunc(declared, known) || slices.ContainsFunc(all, known) {
			continue
		}
		if licences[name] == "" {
			return nil, fmt.Errorf("the viewer of the API document contains %s and does not depend on it: which licence has it?", name)
		}
		all = append(all, component{name: name, licence: licences[name], purl: "pkg:npm/" + name, parts: []string{partPage}})
	}
	return all, nil
}
