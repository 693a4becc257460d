package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// list is a JSON array of texts.
func list(count int, text func(i int) string) string {
	items := make([]string, count)
	for i := range items {
		items[i] = text(i)
	}
	data, _ := json.Marshal(items)
	return string(data)
}

// TestLargePayloads sends bodies of nearly a megabyte. What is wrong with them is said briefly, and takes no longer than anything else.
func TestLargePayloads(t *testing.T) {
	s := newServer(t)
	same := func(text string) func(int) string { return func(int) string { return text } }
	for _, c := range []struct {
		about, path, body, name, says string
	}{
		{"slips", userbasePath, `{"ids":` + list(240_000, same("x")) + `}`, "MALFORMED_PARAMETER",
			"and more, see errors (the first 100 of at least 2000)"},
		{"a long text", userbasePath, `{"ids":` + list(1, same(strings.Repeat("x", 900_000))) + `}`, "MALFORMED_PARAMETER", "more bytes"},
		{"a long name", userbasePath, `{"ids":["custom_id"],"` + strings.Repeat("x", 900_000) + `":1}`, "MALFORMED_PARAMETER",
			"is not known here"},
		{"many names", userbasePath, `{"ids":["custom_id"],` + strings.Trim(strings.ReplaceAll(list(80_000,
			func(i int) string { return fmt.Sprint(i) }), `",`, `":1,`), "[]") + `:1}`, "MALFORMED_PARAMETER", "of at least 80000"},
		{"attributes", profilesPath, `{"export_type":"ATTRIBUTES","attributes":` + list(90_000,
			func(i int) string { return fmt.Sprint("a", i) }) + `}`,
			"MALFORMED_PARAMETER", "at most 1000 items; found 90000 items"},
		{"a repeated name", userbasePath, `{"` + strings.Repeat("x", 400_000) + `":1,"` + strings.Repeat("x", 400_000) + `":1}`,
			"MALFORMED_JSON_BODY", "comes twice"},
	} {
		a := s.do(call{path: c.path, body: c.body})
		s.refused(a, 400, c.name, c.says)
		if len(a.text) > 64<<10 {
			t.Errorf("%s: answered with %d bytes", c.about, len(a.text))
		}
	}
	if a := s.do(call{path: userbasePath, body: `{"ids":` + list(70_000, same("custom_id")) + `}`}); a.StatusCode != 202 {
		t.Errorf("repeats count once, and many of them too: %d %.200s", a.StatusCode, a.text)
	}
}

// TestWideHeaders: what a header costs grows with its length, no faster.
func TestWideHeaders(t *testing.T) {
	s := newServer(t)
	wide := "custom_id," + strings.TrimSuffix(strings.Repeat("a,", 400_000), ",") + "\nada\n"
	for path, says := range map[string]string{
		"/_mock/data/profiles":                "at most 5000",
		"/_mock/validate?schema=campaign.ids": "separated by",
	} {
		a := s.do(call{method: "POST", path: path, body: wide, header: http.Header{"Content-Type": {"text/csv"}}})
		if !strings.Contains(a.text, says) {
			t.Errorf("%s answered %d, want what says %q: %.300s", path, a.StatusCode, says, a.text)
		}
	}
	a := s.do(call{method: "POST", path: "/_mock/validate?schema=campaign.ids", body: strings.ReplaceAll(wide, ",", ";"),
		header: http.Header{}})
	if faults, _ := a.body["faults"].(float64); a.StatusCode != 200 || faults != 100 {
		t.Errorf("many unknown columns: %d %.300s", a.StatusCode, a.text)
	}
}
