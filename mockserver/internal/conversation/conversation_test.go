package conversation_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

func library(t testing.TB) *schemas.Library {
	t.Helper()
	return must.Get(schemas.Embedded())(t)
}

// TestDefault: the conversations of the program can be read; what only reads comes first, what makes the most exports last; and no
// request is sent with a right and with a wrong key, which a recording could not tell apart.
func TestDefault(t *testing.T) {
	made := must.Get(conversation.Default(library(t)))(t)
	ordered := conversation.Together(made, nil)
	if first, last := ordered[0], ordered[len(ordered)-1]; !first.ReadsOnly() || last.Exports() < 10 {
		t.Errorf("%s comes first and %s last", first.Name, last.Name)
	}
	keys := map[string]string{}
	for _, each := range made {
		for i := range each.Steps {
			if each.Steps[i].Request == nil || each.Steps[i].Request.URL != "" {
				continue
			}
			request, key := sent(each, &each.Steps[i])
			if other, there := keys[request]; there && other != key {
				t.Errorf("%s, step %s: it is sent with %q and with %q:\n%s", each.Name, each.Steps[i].Name, key, other, request)
			}
			keys[request] = key
		}
	}
}

// sent is the request of a step without its credentials, and these.
func sent(c *conversation.Conversation, s *conversation.Step) (request, credentials string) {
	its, headers := *s.Request, map[string]*string{}
	maps.Copy(headers, c.Headers)
	maps.Copy(headers, its.Headers)
	its.Headers = nil
	text, _ := json.Marshal(its)
	request = strings.Replace(string(text), "unknown_application", "{api_key}", 1)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		switch value := headers[name]; {
		case value == nil || name == "X-Mock-Scenario":
		case strings.HasSuffix(name, "credential}"):
			request, credentials = request+name, credentials+*value
		default:
			request += name + *value
		}
	}
	return request, credentials
}

const right = `about: It asks.
steps:
  - name: ask
    request: {path: /1.0/x}
`

// TestRead: what is wrong with a conversation is said, with its place.
func TestRead(t *testing.T) {
	for about, c := range map[string]struct{ text, says string }{
		"right":                {right, ""},
		"JSON":                 {`{"about": "It asks.", "steps": [{"name": "ask", "request": {"path": "/"}}]}`, ""},
		"no YAML":              {"a: [", "yaml"},
		"no steps":             {"about: x\n", "steps"},
		"an unknown member":    {right + "    expects: {}\n", "expects"},
		"two of one name":      {right + "  - name: ask\n    wait: 2s\n", "/steps/1/name"},
		"a poll that posts":    {"about: x\nsteps:\n  - name: a\n    request: {method: POST, path: /}\n    poll: {member: /s, until: [x], every: 1s, most: 2}\n", "/steps/0/poll"},
		"a path and a link":    {"about: x\nsteps:\n  - name: a\n    request: {path: /, url: x}\n", "/steps/0/request"},
		"no path and no link":  {"about: x\nsteps:\n  - name: a\n    request: {}\n", "/steps/0/request"},
		"no duration":          {"about: x\nsteps:\n  - name: a\n    wait: soon\n", "wait"},
		"no expression":        {right + "    expect: {headers: {A: {like: '('}}}\n", "/steps/0/expect/headers/A/like"},
		"a step without sense": {"about: x\nsteps:\n  - name: a\n", "steps"},
	} {
		t.Run(about, func(t *testing.T) {
			_, err := conversation.Read(library(t), []byte(c.text))
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("the error is %v, and should say %q", err, c.says)
			}
		})
	}
}

// TestTogether: a file of the user comes in the place of one of the same name.
func TestTogether(t *testing.T) {
	own, err := conversation.Load(library(t), fstest.MapFS{"b.yml": {Data: []byte(right)},
		"a.json": {Data: []byte(`{"about": "Mine.", "steps": [{"name": "w", "wait": "1h"}]}`)}, "README.md": {}})
	if err != nil || len(own) != 2 {
		t.Fatalf("%d, %v", len(own), err)
	}
	theirs := []*conversation.Conversation{{Name: "a", About: "Theirs."}}
	made := conversation.Together(theirs, own)
	must.Hold(t, len(made) == 2 && made[0].About != "Theirs." && made[0].LongestWait()+made[1].LongestWait() == time.Hour, "%+v", made)
	if _, err := conversation.Load(library(t), fstest.MapFS{"a.yaml": {Data: []byte(right)}, "a.json": {Data: []byte(right)}}); err == nil {
		t.Error("two files of one name")
	}
}

// TestValues: names, days and what is no name.
func TestValues(t *testing.T) {
	values := conversation.Values{Named: map[string]string{"key": "k", "twice": "{key}"}, Now: time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)}
	for text, want := range map[string]string{
		"/1.0/{key}/x": "/1.0/k/x", "{day}": "2026-03-01", "{day-1}T00:00:00": "2026-02-28T00:00:00", "{day+31}": "2026-04-01",
		"{unknown}": "{unknown}", `{"ids": ["x"]}`: `{"ids": ["x"]}`, "{twice}": "{key}", "{key-1}": "{key-1}",
	} {
		must.Equal(t, values.Text(text), want, "text %s", text)
	}
	if got := values.Missing("{key}{other}/{day}"); !slices.Equal(got, []string{"other"}) {
		t.Errorf("missing are %q", got)
	}
	if got := fmt.Sprint(values.JSON(map[string]any{"a": []any{"{key}", true}})); got != "map[a:[k true]]" {
		t.Error(got)
	}
}

// FuzzRead: whatever stands in a file, it is read or refused, and what was read can be shown.
func FuzzRead(f *testing.F) {
	f.Add([]byte(right))
	entries := must.Get(os.ReadDir("default"))(f)
	for _, entry := range entries {
		text := must.Get(os.ReadFile("default/" + entry.Name()))(f)
		f.Add(text)
	}
	its := library(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		made, err := conversation.Read(its, text)
		if err != nil {
			return
		}
		for i := range made.Steps {
			must.Hold(t, made.Steps[i].Wait > 0 || made.Steps[i].Request != nil, "a step that does nothing")
		}
	})
}
