package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
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
	talks := must.Get(conversation.Default(library))(t)
	talks = conversation.Together(talks, nil)
	text := must.Get(os.ReadFile("testdata/specification.yaml"))(t)
	var parts []specified
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	must.Do(t, decoder.Decode(&parts))
	d := newDocument("Conversations", "`testdata/specification.yaml` of the program and its conversations")
	d.text("`mockserver proxy --play default` asks a service by these conversations: [The first day with a real account](../how-to/real-account.md#ask-the-service-without-a-client). Each is [a file](../../mockserver/internal/conversation/default) that [`mock/conversation.json`](../../schemas/mock/conversation.json) describes.")
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
	d.text("Every sentence of the specification, shortened, with the steps that show it, and how sure one can be that the real service does the same. " +
		"Nobody has asked the real service: that a sentence is stated is all that is known. One that is not stated is the first to look at when you have an account.")
	used := map[string]bool{}
	for _, part := range parts {
		d.heading(3, part.Part)
		rows = nil
		for _, says := range part.Says {
			if sureness[says.Sure] == "" || (len(says.By) == 0) == (says.Why == "") {
				t.Errorf("%q: sure is %q, by %v, why %q", says.Text, says.Sure, says.By, says.Why)
			}
			shownBy := codes(says.By)
			if says.Why != "" {
				shownBy = "none: " + says.Why
			}
			for _, by := range says.By {
				used[strings.Split(by, "/")[0]] = true
				if !isThere(by, talks) {
					t.Errorf("%q is shown by %s, which is not there", says.Text, by)
				}
			}
			rows = append(rows, []string{strings.NewReplacer("{", "&#123;", "}", "&#125;").Replace(says.Text), shownBy, sureness[says.Sure]})
		}
		d.table([]string{"the specification says", "shown by", "does the real service?"}, rows)
	}
	for _, each := range talks {
		if !used[each.Name] {
			t.Errorf("conversation %s shows no sentence of the specification", each.Name)
		}
	}
	return d.String()
}

// isThere reports whether there is a conversation, or a step of it that sends something.
func isThere(by string, talks []*conversation.Conversation) bool {
	name, step, one := strings.Cut(by, "/")
	return slices.ContainsFunc(talks, func(c *conversation.Conversation) bool {
		return c.Name == name && (!one || slices.ContainsFunc(c.Steps, func(s conversation.Step) bool { return s.Name == step && s.Request != nil }))
	})
}
