package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
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
	"mockserver/internal/dataset/input.Event":    "data/event.json",
	"mockserver/internal/dataset/input.Profile":  "data/profile.json",
	"mockserver/internal/exports.File":           "the JSON of a file in a store",
	"mockserver/internal/exports.Record":         "the JSON of a record in a store",
	"mockserver/internal/exports.Interface":      "common/interface.json",
	"mockserver/internal/journal.Entry":          "mock/journal.request.json",
	"mockserver/mocktest.Entry":                  "mock/journal.request.json",
	"actions/internal/generate.schema":           "the keywords of JSON Schema that the generator reads",
	"mockserver/bench/gofakeit.event":            "profiles/events.output.json",
	"schemas.Export":                             "x-export in vocabulary.json",
	"schemas/dialect.Interface":                  "common/interface.json",
	"schemas.wireExport":                         "x-export in vocabulary.json",
	"schemas.wireKeywords":                       "the keywords of vocabulary.json",
	"schemas/dialect.wireInterface":              "common/interface.json",
	"schemas.indexedExport":                      "x-export in vocabulary.json",
	"schemas.indexedInterface":                   "common/interface.json",
	"mockserver/internal/control.exportRecord":   "mock/export.record.json",
	"mockserver/internal/dataset/record.Event":   "data/event.json",
	"mockserver/internal/dataset/record.Profile": "data/profile.json",
	// One field for every flag.
	"mockserver/cmd/mockserver.generateFlags": "the flags of generate",
	"mockserver/cmd/mockserver.serveFlags":    "the flags of serve",
	"mockserver/cmd/mockserver.checkFlags":    "the flags of check",
	"mockserver/internal/world.Settings":      "the flags that shape a world",
}

// wideByEmbedding are wide only when the fields of the structs that they embed are counted, and the most that each may
// have. The list may get shorter and its numbers smaller, not the other way round.
var wideByEmbedding = map[string]int{
	"actions.execution":                                   13,
	"actions/internal/generate.property":                  18,
	"mockserver/bench.subject":                            17,
	"mockserver/internal/budget.Budget":                   17,
	"mockserver/internal/budget.Limits":                   13,
	"mockserver/internal/check.customerSweep":             22,
	"mockserver/internal/check.engine":                    19,
	"mockserver/internal/check.file":                      15,
	"mockserver/internal/check.installationSweep":         29,
	"mockserver/internal/check.profileSnapshot":           17,
	"mockserver/internal/check.profileSweep":              31,
	"mockserver/internal/check.recipients":                20,
	"mockserver/internal/check.snapshot":                  14,
	"mockserver/internal/control.API":                     18,
	"mockserver/internal/dataset.Log":                     14,
	"mockserver/internal/dataset.builder":                 21,
	"mockserver/internal/dataset.logSegment":              15,
	"mockserver/internal/dataset.snapshotBuilder":         16,
	"mockserver/internal/dataset/input.worker":            18,
	"mockserver/internal/dataset/overlay.Overlay":         20,
	"mockserver/internal/dataset/overlay.appendedView":    22,
	"mockserver/internal/dataset/overlay.interleavedView": 21,
	"mockserver/internal/dataset/overlay.loadedView":      21,
	"mockserver/internal/exportapi.API":                   20,
	"mockserver/internal/exportapi.request":               16,
	"mockserver/internal/exports.Scenario":                16,
	"mockserver/internal/httpd.Route":                     33,
	"mockserver/internal/httpd.Server":                    25,
	"mockserver/internal/httpd.observer":                  15,
	"mockserver/internal/journal.history":                 15,
	"mockserver/internal/live.State":                      13,
	"mockserver/internal/rows.compiler":                   14,
	"mockserver/internal/store/memory.Store":              13,
	"mockserver/internal/store/storetest.Shared":          16,
	"mockserver/internal/world.Row":                       14,
	"mockserver/internal/world.keys":                      17,
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
	structs := map[string]structType{} // by package and name
	eachSource(t, func(name string, file *ast.File, _ int) {
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, is := node.(*ast.TypeSpec); is {
				if shape, is := spec.Type.(*ast.StructType); is {
					structs[path.Dir(name)+"."+spec.Name.Name] = structType{name, shape, importsOf(file)}
				}
			}
			return true
		})
	})
	for wide, its := range structs {
		if slices.Contains(wideByName, wide[strings.LastIndex(wide, ".")+1:]) {
			continue
		}
		count, most := countFields(structs, its, nil), wideByEmbedding[wide]
		switch reason := wideStructs[wide]; {
		case most > 0 && count <= maxFields:
			t.Errorf("%s: struct %s is narrow enough: take it off wideByEmbedding", its.file, wide)
		case most > 0 && count <= most && countFields(nil, its, nil) <= maxFields:
			// known, and not wider than it was
		case count > maxFields && reason == "":
			t.Errorf("%s: struct %s has %d fields with those of the structs that it embeds, at most %d are allowed: group those that belong together", its.file, wide, count, maxFields)
		case count <= maxFields && reason != "":
			t.Errorf("%s: struct %s is narrow enough: take it off wideStructs", its.file, wide)
		}
	}
	for _, wide := range slices.Concat(slices.Collect(maps.Keys(wideStructs)), slices.Collect(maps.Keys(wideByEmbedding))) {
		if _, known := structs[wide]; !known {
			t.Errorf("%s is on a list of wide structs and not there", wide)
		}
	}
}

// structType is a struct and the file that declares it.
type structType struct {
	file    string
	shape   *ast.StructType
	imports map[string]string // folders of this module, by the name of the package in the file
}

// countFields counts the fields of a struct. An embedded struct of this module counts as its own fields: one reads and
// writes them as if they were declared in the outer one.
func countFields(structs map[string]structType, of structType, above []*ast.StructType) (count int) {
	if slices.Contains(above, of.shape) {
		return 1 // it embeds a pointer to itself
	}
	for _, field := range of.shape.Fields.List {
		count += max(len(field.Names), 1)
		if len(field.Names) > 0 {
			continue
		}
		embedded := field.Type
		if pointer, is := embedded.(*ast.StarExpr); is {
			embedded = pointer.X
		}
		if generic, is := embedded.(*ast.IndexExpr); is {
			embedded = generic.X
		}
		name := ""
		switch embedded := embedded.(type) {
		case *ast.Ident:
			name = path.Dir(of.file) + "." + embedded.Name
		case *ast.SelectorExpr:
			name = of.imports[fmt.Sprint(embedded.X)] + "." + embedded.Sel.Name
		}
		if inner, known := structs[name]; known {
			count += countFields(structs, inner, append(above, of.shape)) - 1
		}
	}
	return count
}

// importsOf are the folders of this module that a file imports, by the names that their packages have in it.
func importsOf(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, each := range file.Imports {
		folder, is := strings.CutPrefix(strings.Trim(each.Path.Value, `"`), module+"/")
		if !is {
			continue
		}
		name := path.Base(folder)
		if each.Name != nil {
			name = each.Name.Name
		}
		imports[name] = folder
	}
	return imports
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
