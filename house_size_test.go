package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// A package is one thing, a file one idea, a struct a dozen fields. The exceptions are named here with their reasons.
const (
	maxFiles  = 30
	maxLines  = 3_500
	maxFields = 12
)

// largePackages may have more files or lines, for the reason that is given.
var largePackages = map[string]string{
	"mockserver/internal/world": "profiles, messages, timelines and the world refer to each other in every function; see its doc.go",
}

// wideStructs may have more fields, for the reason that is given.
var wideStructs = map[string]string{
	// One field for every member of a document that a schema describes.
	"mockserver/internal/dataset/input.Event":   "data/event.json",
	"mockserver/internal/dataset/input.Profile": "data/profile.json",
	"mockserver/internal/exports.File":          "the JSON of a file in a store",
	"mockserver/internal/exports.Record":        "the JSON of a record in a store",
	"mockserver/internal/exports.Interface":     "common/interface.json",
	"mockserver/internal/journal.Entry":         "mock/journal.request.json",
	"mockserver/mocktest.Entry":                 "mock/journal.request.json",
	"actions/internal/generate.schema":          "the keywords of JSON Schema that the generator reads",
	"mockserver/bench/gofakeit.event":           "profiles/events.output.json",
	"schemas.Export":                            "x-export in vocabulary.json",
	"schemas/dialect.Interface":                 "common/interface.json",
	// One field for every flag.
	"mockserver/cmd/mockserver.generateFlags": "the flags of generate",
	"mockserver/cmd/mockserver.serveFlags":    "the flags of serve",
}

// wideByName may have more fields wherever they are: they are lists of what a user can set.
var wideByName = []string{"Options"}

func TestPackagesAreSmall(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	eachSource(t, func(name string, _ *ast.File, count int) {
		folder := path.Dir(name)
		files[folder]++
		lines[folder] += count
	})
	for folder := range files {
		over := files[folder] > maxFiles || lines[folder] > maxLines
		switch reason := largePackages[folder]; {
		case over && reason == "":
			t.Errorf("package %s has %d source files with %d lines, at most %d and %d are allowed: split it by what it does", folder, files[folder], lines[folder], maxFiles, maxLines)
		case !over && reason != "":
			t.Errorf("package %s is small enough: take it off largePackages", folder)
		}
	}
	for folder := range largePackages {
		if files[folder] == 0 {
			t.Errorf("package %s is on largePackages and not there", folder)
		}
	}
}

func TestStructsAreNarrow(t *testing.T) {
	seen := map[string]bool{}
	eachSource(t, func(name string, file *ast.File, _ int) {
		ast.Inspect(file, func(node ast.Node) bool {
			spec, is := node.(*ast.TypeSpec)
			if !is {
				return true
			}
			shape, is := spec.Type.(*ast.StructType)
			if !is {
				return true
			}
			count := 0
			for _, field := range shape.Fields.List {
				count += max(len(field.Names), 1)
			}
			wide := path.Dir(name) + "." + spec.Name.Name
			seen[wide] = true
			if slices.Contains(wideByName, spec.Name.Name) {
				return true
			}
			switch reason := wideStructs[wide]; {
			case count > maxFields && reason == "":
				t.Errorf("%s: struct %s has %d fields, at most %d are allowed: group those that belong together", name, spec.Name.Name, count, maxFields)
			case count <= maxFields && reason != "":
				t.Errorf("%s: struct %s is narrow enough: take it off wideStructs", name, spec.Name.Name)
			}
			return true
		})
	})
	for wide := range wideStructs {
		if !seen[wide] {
			t.Errorf("%s is on wideStructs and not there", wide)
		}
	}
}

// eachSource calls visit for every Go file that is no test, with its syntax and its number of lines.
func eachSource(t *testing.T, visit func(name string, file *ast.File, lines int)) {
	t.Helper()
	eachFile(t, func(name string, text []byte) {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", name, err))
		}
		visit(name, file, files.File(file.Pos()).LineCount())
	})
}
