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

// realClocks are the tests that read the clock of the machine outside of testing/synctest, each with the reason. A wait that only ends a
// test takes a timer.
var realClocks = map[string]string{
	"actions/bench_test.go":                            "it measures",
	"mockserver/cmd/mockserver/edge_test.go":           "the command has deadlines of connections by its clock",
	"mockserver/cmd/mockserver/proxy_test.go":          "the command has deadlines of connections by its clock",
	"mockserver/cmd/mockserver/serve_parent_test.go":   "the command has deadlines of connections by its clock",
	"mockserver/cmd/mockserver/serve_test.go":          "the command has deadlines of connections by its clock",
	"mockserver/e2e/chaos_clients_test.go":             "the deadline of a connection",
	"mockserver/e2e/chaos_memory_test.go":              "it says how long a load took",
	"mockserver/e2e/chaos_test.go":                     "phases go on for as long as they are told to",
	"mockserver/e2e/load_test.go":                      "the deadline of a connection",
	"mockserver/e2e/wire_test.go":                      "the deadline of a connection",
	"mockserver/internal/clock/clock_test.go":          "a clock that nobody moved is that of the machine, without its monotonic reading",
	"mockserver/internal/drift/harness_test.go":        "a proxy notes which exchange ended before another",
	"mockserver/internal/proxy/order_test.go":          "a proxy notes which exchange ended before another",
	"mockserver/internal/proxy/proxy_test.go":          "a proxy notes which exchange ended before another",
	"mockserver/internal/server/tests/deliver_test.go": "the deadline of a connection",
}

// TestTestsHaveFixedDates: a test that reads the clock of the machine may pass on one day and fail on another.
func TestTestsHaveFixedDates(t *testing.T) {
	unread := map[string]bool{}
	for name := range realClocks {
		unread[name] = true
	}
	eachTest(t, func(name string, files *token.FileSet, tree *ast.File) {
		ast.Inspect(tree, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				return !names(node.Fun, "synctest", "Test")
			case *ast.SelectorExpr:
				if !names(node, "time", "Now", "Since", "Until") {
					return true
				}
				if realClocks[name] == "" {
					t.Errorf("%s: this reads the clock of the machine: take a fixed date, or testing/synctest", files.Position(node.Pos()))
				}
				delete(unread, name)
			}
			return true
		})
	})
	for name := range unread {
		t.Errorf("%s does not read the clock of the machine: take it out of the list", name)
	}
}

// anyDay are the tests that start servers without a date, each with the reason.
var anyDay = map[string]string{
	"mockserver/server_test.go":                               "options that say nothing are tested",
	"mockserver/mocktest/days_test.go":                        "what a mock without a date shows is tested",
	"mockserver/internal/recording/recorder/recorder_test.go": "a helper gives them the clock of the test",
}

// TestServersUnderTestHaveFixedDates: options of a server in a test say when its clock begins, or have a recording, which says it.
func TestServersUnderTestHaveFixedDates(t *testing.T) {
	unused := map[string]bool{}
	for name := range anyDay {
		unused[name] = true
	}
	found := 0
	eachTest(t, func(name string, files *token.FileSet, tree *ast.File) {
		ast.Inspect(tree, func(node ast.Node) bool {
			options, is := node.(*ast.CompositeLit)
			if !is || !names(options.Type, "mockserver", "Options") && !names(options.Type, "mocktest", "Options") && !names(options.Type, "server", "Options") {
				return true
			}
			found++
			if hasDate(options) {
				return !names(options.Type, "mocktest", "Options") // which gives its date to the server that it holds
			}
			if anyDay[name] == "" {
				t.Errorf("%s: a server under test begins on any day: give it Now or StartAt", files.Position(options.Pos()))
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

// eachTest visits what is Go and read by tests alone.
func eachTest(t *testing.T, visit func(name string, files *token.FileSet, tree *ast.File)) {
	t.Helper()
	eachFile(t, func(name string, text []byte) {
		if !strings.HasSuffix(name, "_test.go") && (path.Ext(name) != ".go" || !strings.Contains(name, "/testsupport/")) {
			return
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		visit(name, files, tree)
	})
}

// names reports whether an expression is one of some names of a package.
func names(expression ast.Expr, of string, some ...string) bool {
	selector, is := expression.(*ast.SelectorExpr)
	if !is {
		return false
	}
	left, is := selector.X.(*ast.Ident)
	return is && left.Name == of && slices.Contains(some, selector.Sel.Name)
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
