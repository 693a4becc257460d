package house_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"testing"
)

// largestKnotOf returns the lines of the largest set of files of a package that all need each other, and their names: from each of
// them one comes to every other by what they use.
func largestKnotOf(t *testing.T, folder string) (lines int, names []string) {
	t.Helper()
	count, uses := usesOf(t, folder)
	for _, knot := range knots(uses) {
		sum := 0
		for _, name := range knot {
			sum += count[name]
		}
		if sum > lines && len(knot) > 1 {
			lines, names = sum, knot
		}
	}
	slices.Sort(names)
	return lines, names
}

// usesOf returns the lines of each file of a package, and which other files each needs: that declare something which it names.
func usesOf(t *testing.T, folder string) (lines map[string]int, uses map[string][]string) {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles", "./"+folder)
	var complaint bytes.Buffer
	list.Stderr = &complaint
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &complaint)
	}
	exports := map[string]string{}
	var names []string
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Export string
			GoFiles            []string
		}
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == module+"/"+folder {
			names = p.GoFiles
		}
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	lines, uses = map[string]int{}, map[string][]string{}
	for _, name := range names {
		file := need(parser.ParseFile(files, path.Join(folder, name), nil, parser.SkipObjectResolution))(t)
		parsed = append(parsed, file)
		lines[name], uses[name] = files.File(file.Pos()).LineCount(), nil
	}
	found := types.Info{Uses: map[*ast.Ident]types.Object{}}
	checker := types.Config{Importer: importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	p := need(checker.Check(module+"/"+folder, files, parsed, &found))(t)
	for from, object := range found.Uses {
		variable, is := object.(*types.Var)
		_, method := object.(*types.Func)
		if object.Pkg() != p || object.Parent() != p.Scope() && !method && (!is || !variable.IsField()) {
			continue // of another package, or of one function
		}
		user, used := path.Base(files.Position(from.Pos()).Filename), path.Base(files.Position(object.Pos()).Filename)
		if user != used && !slices.Contains(uses[user], used) {
			uses[user] = append(uses[user], used)
		}
	}
	return lines, uses
}

// knots divides nodes into the sets of those that reach each other.
func knots(uses map[string][]string) (found [][]string) {
	index, low := map[string]int{}, map[string]int{}
	var stack []string
	var visit func(string)
	visit = func(node string) {
		index[node] = len(index) + 1
		low[node] = index[node]
		stack = append(stack, node)
		for _, next := range uses[node] {
			if index[next] == 0 {
				visit(next)
			}
			if slices.Contains(stack, next) {
				low[node] = min(low[node], low[next])
			}
		}
		if low[node] == index[node] {
			at := slices.Index(stack, node)
			found = append(found, slices.Clone(stack[at:]))
			stack = stack[:at]
		}
	}
	for node := range uses {
		if index[node] == 0 {
			visit(node)
		}
	}
	return found
}

// TestKnots: files that need each other are found, and others are not.
func TestKnots(t *testing.T) {
	found := knots(map[string][]string{"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a", "e"}})
	var sizes []int
	for _, knot := range found {
		sizes = append(sizes, len(knot))
	}
	slices.Sort(sizes)
	if !slices.Equal(sizes, []int{1, 2, 3}) {
		t.Errorf("found %v", found)
	}
}
