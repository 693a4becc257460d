package actions_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// places are the files that list the built-ins, and how each of their identifiers stands there.
var places = []struct{ file, first, second, remedy string }{
	{"../schemas/actions/call.json", `"IDENTIFIER"`, `"IDENTIFIER"`, "run make generate"},
	{"../web/actions/src/builtins.ts", "\n  \"IDENTIFIER\": ", "\n  \"IDENTIFIER\": ", "run make generate"},
	{"../web/playground/src/core/builtins.ts", `{ identifier: "IDENTIFIER"`, `, neutral: "IDENTIFIER", `, "run make generate"},
	{"../web/actions/README.md", "\n| [`IDENTIFIER`](", "<br>`IDENTIFIER` |", "run make generate"},
	{"../mobile/README.md", "\n| [`IDENTIFIER`](", "<br>`IDENTIFIER` |", "run make generate"},
	{"doc.go", "\n//\tIDENTIFIER", " (IDENTIFIER)\n", "run make generate"},
}

// TestEveryBuiltin asks of each row of the table of built-ins for everything that belongs to it elsewhere.
func TestEveryBuiltin(t *testing.T) {
	texts := map[string]string{}
	for _, place := range places {
		text, err := os.ReadFile(place.file)
		if err != nil {
			t.Fatal(err)
		}
		texts[place.file] = string(text)
	}
	steps := vectorSteps(t)
	for _, b := range actions.Builtins() {
		t.Run(b.Identifier, func(t *testing.T) {
			schema := path.Join("../schemas/actions", b.Identifier+".arguments.json")
			if _, err := os.Stat(schema); err != nil {
				t.Errorf("there is no schema of its arguments, %s: write one", schema)
			}
			for _, place := range places {
				if !strings.Contains(texts[place.file], strings.ReplaceAll(place.first, "IDENTIFIER", b.Identifier)) {
					t.Errorf("%s does not list it: %s", place.file, place.remedy)
				}
				if b.Neutral != "" && !strings.Contains(texts[place.file], strings.ReplaceAll(place.second, "IDENTIFIER", b.Neutral)) {
					t.Errorf("%s does not list its neutral name %s: %s", place.file, b.Neutral, place.remedy)
				}
			}
			for _, identifier := range []string{b.Identifier, b.Neutral} {
				for _, verb := range []string{"perform", "capability"} {
					if identifier != "" && !slices.ContainsFunc(steps, func(s vectorStep) bool { return s.succeeds(verb, identifier) }) {
						t.Errorf(`no case in testdata/vectors has the step {"%s": "%s"} and succeeds: write one`, verb, identifier)
					}
				}
			}
			for _, name := range b.Capabilities {
				if _, known := capabilityFields()[name]; !known {
					t.Errorf("it uses the capability %q, for which actions.Host has no field", name)
				}
			}
			usesWhatItNames(t, b, steps)
		})
	}
}

// vectorStep is a step of a vector, with the host that it is done on.
type vectorStep struct {
	actionstest.Step
	host actionstest.HostSpec
}

// vectorSteps gives all steps of the vectors.
func vectorSteps(t *testing.T) (steps []vectorStep) {
	t.Helper()
	files, err := actionstest.ReadVectors("testdata/vectors")
	if err != nil {
		t.Fatal(err)
	}
	for _, vectors := range files {
		for _, vector := range vectors {
			for _, step := range vector.Steps {
				steps = append(steps, vectorStep{step, vector.Host})
			}
		}
	}
	return steps
}

func (s *vectorStep) succeeds(verb, identifier string) bool {
	return s.Do == verb && strings.EqualFold(s.Subject, identifier) &&
		(verb != "perform" || s.Expect["status"] == string(actions.StatusPerformed))
}

// usesWhatItNames performs a built-in as the vectors do: its outcome must depend on each of the capabilities that its row names, and on
// no other.
func usesWhatItNames(t *testing.T, b actions.Builtin, steps []vectorStep) {
	t.Helper()
	for name := range capabilityFields() {
		named := slices.Contains(b.Capabilities, name)
		depends := slices.ContainsFunc(steps, func(s vectorStep) bool {
			return s.Do == "perform" && strings.EqualFold(s.Subject, b.Identifier) && s.outcome() != s.outcome(name)
		})
		switch {
		case named && !depends:
			t.Errorf("actions/builtin.go names the capability %q, and no vector shows what it is for", name)
		case depends && !named && b.Identifier != "service.group": // a group needs what its items need
			t.Errorf("it uses the capability %q, which actions/builtin.go does not name", name)
		}
	}
}

// outcome performs a step on a host that lacks some capabilities.
func (s *vectorStep) outcome(without ...actions.CapabilityName) string {
	host := actionstest.NewHost(actions.Platform(s.host.Platform), s.host.Version)
	host.SetNotifications(actions.Permission(s.host.Notifications))
	host.SetTracking(actions.Permission(s.host.Tracking))
	host.SetHandles(s.host.Interceptor == "handled")
	capabilities := host.Capabilities(without...)
	if s.host.Interceptor != "" && !slices.Contains(without, actions.CapabilityInterceptor) {
		capabilities.Interceptor = host
	}
	result := actions.New(actions.Options{Host: capabilities}).Perform(s.Subject, s.Arguments)
	return fmt.Sprint(result.Status, host.Effects())
}

// capabilityFields are the fields of a host that are capabilities, by the names of these.
func capabilityFields() map[actions.CapabilityName]reflect.StructField {
	fields := map[actions.CapabilityName]reflect.StructField{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[actions.Host]()) {
		if field.Type.Kind() == reflect.Interface {
			fields[nameOf(field.Name)] = field
		}
	}
	return fields
}

// nameOf makes user_data of UserData.
func nameOf(field string) actions.CapabilityName {
	var name strings.Builder
	for i, letter := range field {
		if i > 0 && 'A' <= letter && letter <= 'Z' {
			name.WriteByte('_')
		}
		name.WriteRune(letter)
	}
	return actions.CapabilityName(strings.ToLower(name.String()))
}

// TestEveryCapability asks of each capability of a host that some built-in uses it, that the core and the recording host know its
// name, and that the pages which list the capabilities do.
func TestEveryCapability(t *testing.T) {
	used := map[actions.CapabilityName]string{}
	for _, b := range actions.Builtins() {
		for _, name := range b.Capabilities {
			used[name] = b.Identifier
		}
	}
	recording := reflect.ValueOf(actionstest.NewHost(actions.PlatformIOS, "17.0"))
	for name, field := range capabilityFields() {
		t.Run(string(name), func(t *testing.T) {
			hold(t, used[name] != "", "no built-in in actions/builtin.go uses it")
			if !recording.Type().Implements(field.Type) {
				t.Fatalf("the host of actionstest does not implement actions.%s", field.Type.Name())
			}
			recordingHas(t, name, field)
		})
	}
	for _, page := range []string{"../web/actions/README.md", "../mobile/README.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(text), "<!-- The end of the table. -->")
		for name, field := range capabilityFields() {
			place := strings.ToLower(field.Name[:1]) + field.Name[1:]
			if !slices.ContainsFunc(strings.Split(after, "\n"), func(line string) bool {
				cells := strings.Split(line, "|")
				return len(cells) > 2 && strings.Contains(cells[1], "`"+place+"`")
			}) {
				t.Errorf("%s: the table of capabilities has no row for `%s` (%s)", page, place, name)
			}
		}
	}
}

// recordingHas asks of the recording host that a capability of it can be taken away.
func recordingHas(t *testing.T, name actions.CapabilityName, field reflect.StructField) {
	t.Helper()
	has := func(without ...actions.CapabilityName) bool {
		host := actionstest.NewHost(actions.PlatformIOS, "17.0").Capabilities(without...)
		return !reflect.ValueOf(host).FieldByIndex(field.Index).IsNil()
	}
	hold(t, name == actions.CapabilityInterceptor || has(), "actionstest.Host.Capabilities does not give it")
	hold(t, !has(name), "actionstest.Host.Capabilities gives it although it is to be left out")
}

// surfaces are the folders whose code treats all built-ins alike, and the files in them that show some as examples.
var surfaces = []struct {
	folder   string
	examples []string
}{
	{"../wasm", nil},
	{"../mobile/actions", nil},
	{"../web/actions/src", []string{"builtins.ts"}},
	{"../web/playground/src", []string{"core/builtins.ts", "roundtrip/scene.ts", "sessions/state.ts"}},
}

// TestNobodyDecidesByName: code that knows a built-in by its name is a rule outside of this package.
func TestNobodyDecidesByName(t *testing.T) {
	comment := regexp.MustCompile(`(?m)^\s*(//|\*|/\*).*$`)
	for _, surface := range surfaces {
		err := fs.WalkDir(os.DirFS(surface.folder), ".", func(name string, entry fs.DirEntry, err error) error {
			isCode := slices.Contains([]string{".go", ".ts", ".tsx"}, path.Ext(name)) && !strings.HasSuffix(name, "_test.go")
			if err != nil || entry.IsDir() || !isCode || slices.Contains(surface.examples, name) {
				return err
			}
			text, err := os.ReadFile(path.Join(surface.folder, name))
			if err != nil {
				return err
			}
			code := comment.ReplaceAllString(string(text), "")
			for _, b := range actions.Builtins() {
				for _, identifier := range []string{b.Identifier, b.Neutral} {
					if identifier != "" && strings.Contains(code, identifier) {
						t.Errorf("%s names %s: decide by the schema or the capabilities", path.Join(surface.folder, name), identifier)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
