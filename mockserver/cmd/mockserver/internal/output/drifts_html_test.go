package output_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/output"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// TestDriftsPage: the page shows every drift and lint, and nothing that a service says becomes markup of it.
func TestDriftsPage(t *testing.T) {
	const hostile = `<script>alert(1)</script>"'&`
	found := []drift.Finding{
		{
			ID: "aaaa", Where: drift.Place{Route: "userbase", Status: 200, Side: drift.File, Pointer: hostile}, Kind: "column", Severity: drift.High,
			Allowed: "none", Came: hostile, Sample: hostile, Count: 2,
		},
		{
			ID: "bbbb", Where: drift.Place{Route: "userbase", Side: drift.Answer}, Kind: "header", Severity: drift.Low,
			Allowed: hostile, Came: "\x1b[31m", Count: 1,
		},
	}
	about := journal.Lint{Code: "polled_too_fast", Severity: journal.Warning, Advice: hostile}
	lint := journal.Finding{Lint: about, Message: hostile, Count: 3}
	known := output.Judge(found[:1], func(f drift.Finding) string { return f.ID }, []string{"aaaa", "gone"}, "low")
	for name, c := range map[string]struct {
		drifts   output.Drifts
		articles int
		says     []string
		err      error
	}{
		"none":  {output.Drifts{}, 0, []string{"0 drifts", "The service speaks as the schema files say."}, nil},
		"known": {output.Drifts{Findings: found[:1], Judged: known}, 1, []string{"known, seen 2 times", "gone"}, nil},
		"some": {
			output.Drifts{Findings: found, Lints: []journal.Finding{lint}, Unseen: []string{"profiles"}, Judged: output.Judged{FailOn: drift.Low}}, 3,
			[]string{
				"2 drifts", "userbase 200 file " + hostile, "userbase answer /", `\x1b[31m`, "None says this.", "1 lint", "polled_too_fast", "profiles",
			}, output.ErrFaults,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var page bytes.Buffer
			if err := output.PrintDrifts(output.NewFindings("mockserver proxy", "1.2.3", output.HTML, &page), c.drifts); !errors.Is(err, c.err) {
				t.Errorf("got %v, want %v", err, c.err)
			}
			text, elements := readPage(t, page.String())
			if elements["article"] != c.articles || elements["script"] != 0 || elements["h1"] != 1 {
				t.Errorf("the page has %v", elements)
			}
			for _, part := range c.says {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in %s", part, text)
				}
			}
		})
	}
}

// readPage returns the text of a page and counts its elements. Attributes that run or fetch something are faults.
func readPage(t *testing.T, page string) (string, map[string]int) {
	t.Helper()
	var text strings.Builder
	elements := map[string]int{}
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return text.String(), elements
		}
		if err != nil {
			t.Fatalf("%v: %s", err, page)
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			elements[token.Name.Local]++
			for _, attribute := range token.Attr {
				if name := attribute.Name.Local; strings.HasPrefix(name, "on") || slices.Contains([]string{"src", "href"}, name) {
					t.Errorf("%s has %s", token.Name.Local, name)
				}
			}
		}
	}
}
