package house_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

var updatePromises = flag.Bool("promises", false, "write .ci/promises anew")

// promised are the packages whose API is kept, see docs/explanation/promises.md.
var promised = []string{"actions", "actions/actionstest", "mobile/actions", "mockserver", "mockserver/mocktest", "mockserver/state", "schemas"}

// TestPromises: what others build on is as it was. A line that goes, or becomes another, breaks somebody's build; a line that comes is new.
func TestPromises(t *testing.T) {
	for name, lines := range map[string]func(*testing.T) []string{"go": goLines, "control": documentLines, "npm": npmLines, "python": pythonLines, "java": javaLines} {
		t.Run(name, func(t *testing.T) {
			path := ".ci/promises/" + name + ".txt"
			now := lines(t)
			slices.Sort(now)
			now = slices.Compact(now)
			if len(now) < 20 {
				t.Fatalf("only %d lines", len(now))
			}
			if *updatePromises {
				must(t, os.WriteFile(path, []byte(strings.Join(now, "\n")+"\n"), 0o644))
			}
			kept := need(os.ReadFile(path))(t)
			before := strings.Split(strings.TrimSpace(string(kept)), "\n")
			for _, gone := range without(before, now) {
				t.Errorf("gone, which breaks who uses it: %s", gone)
			}
			for _, added := range without(now, before) {
				t.Errorf("new: %s", added)
			}
			if t.Failed() {
				t.Log("if it is meant, say it in CHANGELOG.md and run: go test . -run TestPromises -promises")
			}
		})
	}
}

// without are the items of a sorted list that another does not have.
func without(items, others []string) []string {
	return slices.DeleteFunc(slices.Clone(items), func(item string) bool {
		_, found := slices.BinarySearch(others, item)
		return found
	})
}

// goLines are what the promised packages export, as the compiler sees it, so that an alias of something internal counts with all it has.
func goLines(t *testing.T) []string {
	patterns := make([]string, len(promised))
	for i, folder := range promised {
		patterns[i] = "./" + folder
	}
	listed, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, patterns...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	exported := map[string]string{}
	for line := range strings.Lines(string(listed)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exported[path] = file
	}
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exported[path]) })
	var api goAPI
	for _, folder := range promised {
		p := need(imports.Import(module + "/" + folder))(t)
		for _, name := range p.Scope().Names() {
			if object := p.Scope().Lookup(name); object.Exported() {
				api.add(object)
			}
		}
	}
	return api.lines
}

// goAPI collects what can be reached of an API.
type goAPI struct {
	lines []string
	seen  []types.Type
}

func relative(p *types.Package) string { return strings.TrimPrefix(p.Path(), module+"/") }

func (a *goAPI) add(object types.Object) {
	line := types.ObjectString(object, relative)
	if its, ok := object.(*types.TypeName); ok {
		if !its.IsAlias() {
			a.named(its.Type())
			return
		}
		a.named(types.Unalias(its.Type()))
	}
	if constant, ok := object.(*types.Const); ok {
		line += " = " + constant.Val().ExactString()
	}
	a.lines = append(a.lines, line)
}

// named adds a type with its fields and methods, also one that is internal and reached by an alias.
func (a *goAPI) named(given types.Type) {
	its, ok := given.(*types.Named)
	if !ok || its.Obj().Pkg() == nil || !strings.HasPrefix(its.Obj().Pkg().Path(), module) || slices.Contains(a.seen, given) {
		return
	}
	a.seen = append(a.seen, given)
	name := types.TypeString(its, relative)
	switch under := its.Underlying().(type) {
	case *types.Struct:
		a.lines = append(a.lines, "type "+name+" struct")
		for field := range under.Fields() {
			if field.Exported() {
				a.lines = append(a.lines, "field "+name+"."+field.Name()+" "+types.TypeString(field.Type(), relative))
				a.named(types.Unalias(field.Type()))
			}
		}
	default:
		a.lines = append(a.lines, "type "+name+" "+types.TypeString(under, relative))
	}
	methods := types.NewMethodSet(types.NewPointer(its))
	for selection := range methods.Methods() {
		if selection.Obj().Exported() {
			a.lines = append(a.lines, "method "+name+"."+selection.Obj().Name()+strings.TrimPrefix(types.TypeString(selection.Type(), relative), "func"))
		}
	}
}

// documentLines are the operations of the control API, each with the names of the schemas that it sends and answers, and those that these
// refer to. What is in a schema is read in its file, whose changes are seen there.
func documentLines(t *testing.T) []string {
	server := need(mockserver.New(mockserver.Options{StartAt: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC), Profiles: 10}))(t)
	defer server.Close()
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/openapi/full.json", nil))
	var document struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct{ Responses map[string]json.RawMessage }
	}
	must(t, json.Unmarshal(w.Body.Bytes(), &document))
	schema, response := regexp.MustCompile(`"#/components/schemas/(Mock\w+)"`), regexp.MustCompile(`"#/components/responses/(\w+)"`)
	var lines []string
	for path, operations := range document.Paths {
		for method, operation := range operations {
			if !strings.HasPrefix(path, "/_mock/") || method == "parameters" || method == "head" { // as get
				continue
			}
			text := string(operation)
			for _, found := range response.FindAllStringSubmatch(text, -1) {
				text += string(document.Components.Responses[found[1]])
			}
			route := strings.ToUpper(method) + " " + path
			lines = append(lines, route)
			for _, found := range schema.FindAllStringSubmatch(text, -1) {
				lines = append(lines, route+" "+found[1])
			}
		}
	}
	return lines
}

// scopedLines are the lines of files that a pattern finds, each with the last line before it that opens what it is in.
func scopedLines(t *testing.T, opens, finds string, paths ...string) (lines []string) {
	open, find := regexp.MustCompile(opens), regexp.MustCompile(finds)
	for _, path := range paths {
		content := need(os.ReadFile(path))(t)
		scope := ""
		for line := range bytes.Lines(content) {
			text := strings.TrimRight(string(line), "\r\n {:")
			if open.MatchString(text) {
				scope = open.FindStringSubmatch(text)[1]
			}
			if find.MatchString(text) {
				lines = append(lines, scope+": "+strings.TrimSpace(text))
			}
		}
	}
	return lines
}

func npmLines(t *testing.T) []string {
	return scopedLines(t, `^export \w+ (\w+)`, `^(export| +[\w\["].*;$)`, "mockserver/packages/npm/index.d.ts")
}

func pythonLines(t *testing.T) []string {
	const folder = "mockserver/packages/python/rehearsal/"
	return scopedLines(t, `^(?:class|def) (\w+)`, `^(class [A-Z_]|def [a-z]|    def ([a-z]|__init__)|    [a-z]\w*: |    [a-z]\w+ = "|    parser.addini|    def rehearsal|__all__)`,
		folder+"__init__.py", folder+"client.py", folder+"pytest_plugin.py")
}

func javaLines(t *testing.T) []string {
	const folder = "mockserver/packages/java/src/main/java/io/github/rehearsalsdk/testing/"
	entries := need(os.ReadDir(folder))(t)
	var paths []string
	for _, entry := range entries {
		paths = append(paths, folder+entry.Name())
	}
	return scopedLines(t, `^(?:public )?(?:final )?(?:@?interface|class|record|enum) (\w+)`, `^(public| +public |    \w.*\) default )`, paths...)
}

// TestClientTypes: the types that clients for tests have of the journal, of lints and of arrivals are those of the schemas.
func TestClientTypes(t *testing.T) {
	schema := func(name string, path ...string) []string {
		text := need(os.ReadFile("schemas/mock/" + name + ".json"))(t)
		var at map[string]any
		must(t, json.Unmarshal(text, &at))
		for _, step := range append(path, "properties") {
			if at, _ = at[step].(map[string]any); len(at) == 0 {
				t.Fatalf("%s: nothing is at %q of %q", name, step, path)
			}
		}
		return slices.Sorted(maps.Keys(at))
	}
	wanted := map[string][]string{
		"JournalEntry": schema("journal.request"),
		"Lint":         schema("lints", "$defs", "finding"),
		"Arrivals":     without(schema("file.arrivals"), []string{"next_from"}), // the clients follow it
		"ArrivingRows": schema("file.arrivals", "$defs", "some"),
		"ArrivingRow":  schema("file.arrivals", "$defs", "some", "properties", "examples", "items"),
	}
	member := regexp.MustCompile(`^_?(` + strings.Join(slices.Sorted(maps.Keys(wanted)), "|") + `): (\w+)\??: `)
	for language, lines := range map[string][]string{"npm": npmLines(t), "python": pythonLines(t)} {
		found := map[string][]string{}
		for _, line := range lines {
			if match := member.FindStringSubmatch(line); match != nil {
				found[match[1]] = append(found[match[1]], match[2])
			}
		}
		for name, want := range wanted {
			slices.Sort(found[name])
			if !slices.Equal(found[name], want) {
				t.Errorf("%s: %s has %q, the schema %q", language, name, found[name], want)
			}
		}
	}
}
