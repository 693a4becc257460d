package house_test

import (
	"slices"
	"strings"
	"testing"
)

// arrows are the packages of the mock server and which other packages of the house each may import: handlers import the transport and the
// state, these import the domain, and the domain imports the population. Names are relative to mockserver/internal but for those with a
// slash or the package mockserver; program/ stands for mockserver/cmd/mockserver/internal/.
var arrows = map[string]string{
	// The population, and leaves.
	"mixer": "", "texture": "mixer", "arrival": "mixer world", "tempfile": "", "testlevel": "", "testlevel/must": "", "extsort": "tempfile",
	"check/regions": "", "budget": "", "pattern": "", "clock": "", "hub": "", "links": "", "metrics": "", "markup": "", "secret": "",
	"vocabulary": "", "demo": "", "demo/generate": "demo", "exports/generate": "exports",
	"journal": "", "report": "markup",
	"world": "extsort tempfile texture vocabulary",
	// The domain.
	"exports":        "arrival texture world schemas schemas/dialect",
	"dataset":        "dataset/blocks dataset/input extsort world vocabulary",
	"dataset/blocks": "tempfile", "dataset/input": "dataset/blocks world schemas schemas/acceptor schemas/filetype",
	"rows":               "arrival rows/asked rows/encode rows/merged exports dataset world tempfile texture vocabulary schemas",
	"answers":            "rows rows/asked rows/encode rows/merged vocabulary schemas",
	"pseudonym":          "check/regions pattern world",
	"recording":          "journal schemas",
	"recording/audit":    "pattern",
	"recording/recorder": "drift journal pattern recording recording/audit schemas",
	"worldcount":         "rows/asked schemas world",
	"importer":           "check extsort pseudonym vocabulary schemas schemas/filetype",
	"check":              "extsort check/regions check/rules report vocabulary schemas schemas/filetype",
	"scenarios":          "exports",
	"rows/asked":         "rows/merged vocabulary schemas world", "rows/encode": "", "rows/merged": "schemas", "check/rules": "schemas",
	"store": "budget exports dataset",
	// What a program passes in, and what tests it.
	"store/memory": "budget store dataset/blocks", "store/bolt": "store", "store/postgres": "store",
	"store/storetest": "testlevel/must store store/memory exports dataset dataset/blocks", "store/postgres/postgrestest": "testlevel",
	// What a running server remembers, and the files that it gives out.
	"live":  "budget store tempfile exports dataset dataset/blocks dataset/input world clock scenarios links schemas",
	"files": "budget rows rows/asked exports dataset tempfile world schemas",
	// The transport, and who may do what.
	"httpd": "answers budget exports journal metrics vocabulary schemas",
	"auth":  "httpd exports",
	// The three groups of handlers.
	"exportapi": "answers httpd auth live files exports store journal recording scenarios links vocabulary schemas schemas/acceptor",
	"control": "arrival budget tempfile httpd hub auth live files exports store journal metrics clock dataset dataset/input scenarios check " +
		"check/rules schemas schemas/filetype",
	"pages": "httpd exports markup schemas schemas/catalog",
	// What stands beside the real service.
	"drift":       "check check/rules drift/amend exports journal pattern report schemas schemas/dialect schemas/filetype",
	"drift/amend": "pattern schemas", "drift/drifttest": "schemas", "proxy": "drift httpd tempfile",
	"conversation": "pattern schemas",
	// The assembly, and what stands on it.
	"openapi": "httpd pages exports demo schemas",
	"mockserver": "arrival budget httpd hub live files openapi auth exportapi control pages exports demo dataset dataset/blocks " +
		"recording rows store store/memory journal metrics secret world schemas",
	"mockserver/state":    "mockserver store store/bolt store/postgres dataset/blocks",
	"mockserver/mocktest": "mockserver exports demo schemas schemas/filetype",
	"mockserver/cmd/mockserver": "arrival conversation mockserver mockserver/state program/files program/listen program/machine " +
		"program/settings program/usage auth budget httpd exports demo dataset dataset/input rows rows/asked check check/rules clock drift " +
		"importer journal proxy pseudonym recording/audit recording/recorder report secret vocabulary world worldcount schemas schemas/catalog",
	// The program: its commands are above, and below them what they share.
	"program/listen":   "program/files program/settings program/usage mockserver",
	"program/settings": "program/files program/usage mockserver/state secret schemas",
	"program/machine":  "budget",

	"program/files":         "program/usage drift schemas schemas/filetype",
	"program/usage":         "schemas",
	"mockserver/bench/bare": "",
	"mockserver/bench":      "demo schemas",
}

// TestArrows: an import between packages of the server that is not in the table is a step back up, or a decision that belongs in the table;
// one that is there and not in the code is an invitation.
func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t, platforms[0]) {
		if folderOf(p.ImportPath) != "mockserver" || len(p.GoFiles) == 0 {
			continue
		}
		name := room(p.ImportPath)
		seen[name] = true
		allowed, known := arrows[name]
		if !known {
			t.Errorf("package %s is not in the table of arrows: add it, with what it may import", name)
			continue
		}
		unused := strings.Fields(allowed)
		for _, imported := range p.Imports {
			if folderOf(imported) == "" {
				continue
			}
			other := room(imported)
			if !slices.Contains(strings.Fields(allowed), other) {
				t.Errorf("%s imports %s: it may import only %q", name, other, allowed)
			}
			unused = slices.DeleteFunc(unused, func(each string) bool { return each == other })
		}
		for _, each := range unused {
			t.Errorf("%s may import %s and does not: take it out of the table", name, each)
		}
	}
	for name := range arrows {
		if !seen[name] {
			t.Errorf("the table of arrows has %s, which is no package", name)
		}
	}
}

// room is the name of a package in the table of arrows.
func room(importPath string) string {
	name := strings.TrimPrefix(importPath, module+"/")
	name = strings.Replace(name, "mockserver/cmd/mockserver/internal/", "program/", 1)
	return strings.TrimPrefix(name, "mockserver/internal/")
}
