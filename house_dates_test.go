package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// anyDay are the tests that start servers without a date, each with the reason.
var anyDay = map[string]string{
	"mockserver/state/upgrade_test.go":                        "a state that was kept has its own clock",
	"mockserver/server_test.go":                               "options that say nothing are tested",
	"mockserver/internal/recording/recorder/recorder_test.go": "a helper gives them the clock of the test",
}

// TestServersUnderTestHaveFixedDates: options of a server in a test say when its clock begins, or have a recording, which says it.
func TestServersUnderTestHaveFixedDates(t *testing.T) {
	unused := map[string]bool{}
	for name := range anyDay {
		unused[name] = true
	}
	found := 0
	eachFile(t, func(name string, text []byte) {
		if !isTest(name) {
			return
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		ast.Inspect(tree, func(node ast.Node) bool {
			literal, is := node.(*ast.CompositeLit)
			if !is || !isServerOptions(literal.Type) {
				return true
			}
			found++
			if hasDate(literal) {
				return true
			}
			if anyDay[name] == "" {
				t.Errorf("%s: a server under test begins on any day: give it Now or StartAt", files.Position(literal.Pos()))
			}
			delete(unused, name)
			return true
		})
	})
	for name := range unused {
		t.Errorf("every server of %s begins at a date: take it out of the list", name)
	}
	if found < 50 {
		t.Errorf("%d servers were found: the test does not read them", found)
	}
}

// isTest reports whether a file is read by tests alone.
func isTest(name string) bool {
	return path.Ext(name) == ".go" && (strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testsupport/"))
}

// isServerOptions reports whether a type is that of the options of a server.
func isServerOptions(kind ast.Expr) bool {
	selector, is := kind.(*ast.SelectorExpr)
	if !is || selector.Sel.Name != "Options" {
		return false
	}
	of, is := selector.X.(*ast.Ident)
	return is && slices.Contains([]string{"mockserver", "mocktest", "server"}, of.Name)
}

// hasDate reports whether options say when the clock of a server begins.
func hasDate(options *ast.CompositeLit) bool {
	return slices.ContainsFunc(options.Elts, func(element ast.Expr) bool {
		pair, is := element.(*ast.KeyValueExpr)
		if !is {
			return false
		}
		name, is := pair.Key.(*ast.Ident)
		return is && slices.Contains([]string{"Now", "StartAt", "Replay"}, name.Name)
	})
}
