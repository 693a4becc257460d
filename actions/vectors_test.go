package actions_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionsjson"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// TestVectors replays the cases that are the same on every surface.
func TestVectors(t *testing.T) {
	actionstest.RunVectors(t, "testdata/vectors", actionstest.NewRegistrySubject)
}

// members are the members that the objects of a vector file may have, each with what its value may hold: a further kind of
// object, or the values that are allowed; nothing where any value will do.
var members = map[string]map[string][]string{
	"case": {"about": nil, "host": {"host"}, "steps": {"step"}, "effects": {"effect"}},
	"host": {
		"platform": {"=ios", "=android", "=web"}, "version": nil, "interceptor": {"=handled", "=ignored"},
		"notifications": {"=not_determined", "=denied", "=authorized", "=restricted"},
		"tracking":      {"=not_determined", "=denied", "=authorized", "=restricted"},
		"without":       capabilityNames("="), "refuse": {"refuse"},
	},
	"refuse": refusals(),
	"step": {
		"register": nil, "handler": nil, "as": nil, "unregister": nil, "dispose": nil, "perform": nil, "arguments": nil, "trigger": nil,
		"source": {"source"},
		"start":  nil, "validate": nil, "capability": nil, "list": nil, "expect": {"expect"},
	},
	"source": {"kind": nil, "payload": nil},
	"expect": {
		"ok": nil, "error": {"=invalid_identifier", "=reserved_identifier"}, "removed": nil, "at": nil, "identifiers": nil, "value": nil,
		"status": {"=performed", "=not_found", "=invalid_arguments", "=unsupported", "=blocked", "=failed", "=partial"},
		"state":  {"=available", "=needs_gesture", "=unsupported"}, "items": {"expect"},
	},
	"effect": {
		"handler": nil, "arguments": nil, "source": {"source", "=manual"}, "url": nil, "in_app": nil, "text": nil,
		"page":       {"=notifications", "=app"},
		"collection": nil, "tag": nil, "name": nil, "label": nil, "tags": nil, "data": nil,
		"host": effectNames("="),
	},
}

// capabilityNames are the names, each behind a prefix, of the capabilities that a vector can take away from its host. The interceptor has
// a member of its own.
func capabilityNames(prefix string) (names []string) {
	for name := range capabilityFields() {
		if name != actions.CapabilityInterceptor {
			names = append(names, prefix+string(name))
		}
	}
	return names
}

// effectNames are the names, each behind a prefix, of what can be done to a host.
func effectNames(prefix string) (names []string) {
	for name := range details {
		if name != "" {
			names = append(names, prefix+name)
		}
	}
	return names
}

func refusals() map[string][]string {
	kinds := map[string][]string{}
	for _, name := range capabilityNames("") {
		kinds[name] = []string{"=blocked", "=failed"}
	}
	return kinds
}

// details are the members of each effect beside the one that names it.
var details = map[string][]string{
	"dismiss": {}, "link.open": {"in_app", "url"}, "interceptor": {"url"}, "notifications.request": {}, "settings.open": {"page"},
	"clipboard.write": {"text"}, "review.request": {}, "tracking.request": {}, "tag.add": {"collection", "tag"},
	"tag.remove": {"collection", "tag"},
	"event":      {"data", "label", "name", "tags"}, "": {"arguments", "source"},
}

// TestVectorFiles keeps the files in their format, whole and without slips of the pen, and counts what they use.
func TestVectorFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/vectors/*.json")
	if err != nil {
		t.Fatal(err)
	}
	used, abouts := map[string]bool{}, map[string]bool{}
	var check func(kind string, value any, where string)
	check = func(kind string, value any, where string) {
		switch value := value.(type) {
		case []any:
			for _, item := range value {
				check(kind, item, where)
			}
		case map[string]any:
			for name, member := range value {
				kinds, known := members[kind][name]
				if !known {
					t.Errorf("%s: a %s has no member %q", where, kind, name)
				}
				if len(kinds) == 0 {
					continue
				}
				if texts := listOfTexts(member); texts != nil {
					for _, text := range texts {
						if used[name+"="+text] = true; !slices.Contains(kinds, "="+text) {
							t.Errorf("%s: %q is no value of %q, which has %q", where, text, name, kinds)
						}
					}
					continue
				}
				check(kinds[0], member, where)
			}
		default:
			t.Errorf("%s: a %s is no object", where, kind)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		value, err := actionsjson.Decode(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range value.([]any) {
			c := c.(map[string]any)
			about, _ := c["about"].(string)
			where := file + ": " + about
			if about == "" || abouts[about] {
				t.Errorf("%s: every case needs a sentence of its own", where)
			}
			abouts[about] = true
			check("case", c, where)
			effects, _ := c["effects"].([]any)
			if effects == nil {
				t.Errorf("%s: has no effects, not even an empty list", where)
			}
			for _, effect := range effects {
				effect := effect.(map[string]any)
				name, _ := effect["host"].(string)
				names := slices.DeleteFunc(slices.Sorted(maps.Keys(effect)), func(n string) bool { return n == "host" || n == "handler" })
				if !slices.Equal(names, details[name]) {
					t.Errorf("%s: the effect %s has the members %q, it needs %q", where, show(effect), names, details[name])
				}
			}
			for _, step := range c["steps"].([]any) {
				step := step.(map[string]any)
				for _, verb := range []string{"register", "unregister", "dispose", "perform", "trigger", "start", "validate", "capability", "list"} {
					if _, does := step[verb]; does {
						used[verb] = true
					}
				}
				if handler, ok := step["handler"].(string); ok {
					handler, _, _ = strings.Cut(handler, ":")
					used["handler "+handler] = true
				}
			}
		}
	}
	if len(abouts) < 200 {
		t.Errorf("there are %d cases only", len(abouts))
	}
	for kind, names := range members {
		for name, values := range names {
			for _, value := range values {
				if strings.HasPrefix(value, "=") && !used[name+value] && kind != "refuse" {
					t.Errorf("no case has %q in %q", value[1:], name)
				}
			}
		}
	}
	named := map[string][]string{
		"testdata/vectors/README.md": append(capabilityNames(""), effectNames("")...),
		"actionstest/effect.go":      effectNames(""),
	}
	for file, names := range named {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if !strings.Contains(string(text), name) {
				t.Errorf("%s does not name the effect or capability %s", file, name)
			}
		}
	}
	for _, what := range []string{
		"register", "unregister", "dispose", "perform", "trigger", "start", "validate", "capability", "list",
		"handler record", "handler fail", "handler panic", "handler wait", "handler wait-record", "handler perform",
	} {
		if !used[what] {
			t.Errorf("no case uses %s", what)
		}
	}
}

// listOfTexts gives the texts in a text or in an array that begins with one, and nil for anything else.
func listOfTexts(value any) []string {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		if len(value) == 0 {
			return []string{}
		}
		if _, ok := value[0].(string); ok {
			texts := make([]string, len(value))
			for i, item := range value {
				texts[i], _ = item.(string)
			}
			return texts
		}
	}
	return nil
}
