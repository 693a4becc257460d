package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// specified is a part of the specification, and what shows each of its sentences.
type specified struct {
	Part string `yaml:"part"`
	Says []struct {
		Text string   `yaml:"text"`
		Sure string   `yaml:"sure"`
		By   []string `yaml:"by"`
		Why  string   `yaml:"why"`
	} `yaml:"says"`
}

// sureness says how sure one can be that the real service does the same.
var sureness = map[string]string{
	"stated": "sure: it is stated",
	"shown":  "fairly: it is shown by an example",
	"read":   "perhaps: it is how we read it",
	"unsaid": "no: it is not shown, and decided here",
	"ours":   "no: an extension",
}

// conversationsPage is the table of what the specification says and what shows it, with what our server does.
func conversationsPage(t *testing.T, library *schemas.Library) string {
	t.Helper()
	talks, err := conversation.Default(library)
	if err != nil {
		t.Fatal(err)
	}
	talks = conversation.Together(talks, nil)
	unmet := unmetByUs(t, library, talks)
	text, err := os.ReadFile("testdata/specification.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var parts []specified
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&parts); err != nil {
		t.Fatal(err)
	}
	d := newDocument("Conversations", "`testdata/specification.yaml` of the program and its conversations")
	d.text("`mockserver compare` has these conversations with two services: [Compare two services](../how-to/compare-two-services.md). Each is [a file](../../mockserver/internal/compare/conversation/default) that [`mock/conversation.json`](../../schemas/mock/conversation.json) describes.")
	var rows [][]string
	for _, each := range talks {
		takes := []string{fmt.Sprintf("%d exports", each.Exports())}
		if each.ReadsOnly() {
			takes[0] = "reading"
		}
		if longest := each.LongestWait(); longest > 0 {
			takes = append(takes, "a wait of "+longest.String())
		}
		if len(each.Needs) > 0 {
			takes = append(takes, "a mock server")
		}
		rows = append(rows, []string{code(each.Name), each.About, fmt.Sprint(len(each.Steps)), strings.Join(takes, ", ")})
	}
	d.table([]string{"conversation", "about", "steps", "takes"}, rows)
	d.heading(2, "What the specification says, and what shows it")
	d.text("Every sentence of the specification, shortened, with the steps that show it, whether our server does it, and how sure one can be that the real service does the same. " +
		"Our server was asked when this page was made. Nobody has asked the real service: that a sentence is stated is all that is known. A sentence with \"no\" is the first to compare when you have an account.")
	used := map[string]bool{}
	for _, part := range parts {
		d.heading(3, part.Part)
		rows = nil
		for _, says := range part.Says {
			if sureness[says.Sure] == "" || (len(says.By) == 0) == (says.Why == "") {
				t.Errorf("%q: sure is %q, by %v, why %q", says.Text, says.Sure, says.By, says.Why)
			}
			result, shownBy := "yes", codes(says.By)
			if says.Why != "" {
				result, shownBy = "not asked", "none: "+says.Why
			}
			for _, by := range says.By {
				used[strings.Split(by, "/")[0]] = true
				if its := unmetBy(t, by, talks, unmet); len(its) > 0 {
					result = "no: " + strings.Join(its, "; ")
				}
			}
			rows = append(rows, []string{strings.NewReplacer("{", "&#123;", "}", "&#125;").Replace(says.Text), shownBy, result, sureness[says.Sure]})
		}
		d.table([]string{"the specification says", "shown by", "our server does it", "does the real service?"}, rows)
	}
	for _, each := range talks {
		if !used[each.Name] {
			t.Errorf("conversation %s shows no sentence of the specification", each.Name)
		}
	}
	return d.String()
}

// unmetBy is what a conversation or a step of it expects and our server does not do.
func unmetBy(t *testing.T, by string, talks []*conversation.Conversation, unmet map[string][]string) (found []string) {
	t.Helper()
	name, step, one := strings.Cut(by, "/")
	at := slices.IndexFunc(talks, func(c *conversation.Conversation) bool { return c.Name == name })
	if at < 0 {
		t.Errorf("there is no conversation %s", by)
		return nil
	}
	there := false
	for _, each := range talks[at].Steps {
		if one && each.Name != step || each.Request == nil {
			continue
		}
		there = true
		its, reached := unmet[name+"/"+each.Name]
		if !reached {
			its = append([]string{"not reached"}, unmet[name]...)
		}
		found = append(found, its...)
	}
	if !there {
		t.Errorf("there is no step %s", by)
	}
	return found
}

// unmetByUs has the conversations with our server.
func unmetByUs(t *testing.T, library *schemas.Library, talks []*conversation.Conversation) map[string][]string {
	t.Helper()
	server, err := mockserver.New(mockserver.Options{StartAt: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC), Profiles: 1000, Credentials: mockserver.DemoCredentials()})
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(server)
	defer func() { front.Close(); server.Close() }()
	base, err := url.Parse(front.URL)
	if err != nil {
		t.Fatal(err)
	}
	unmet, err := compare.Unmet(context.Background(), library, &compare.Service{
		Name: "a", Base: base, Transport: http.DefaultTransport, Mock: true, Now: time.Now, Values: compare.DemoValues(),
	}, talks)
	if err != nil {
		t.Fatal(err)
	}
	return unmet
}
