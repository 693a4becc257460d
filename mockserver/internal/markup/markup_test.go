package markup_test

import (
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/markup"
)

// TestFill: values are escaped, and sections are there as often as they should be.
func TestFill(t *testing.T) {
	values := markup.Values{
		"name": `<b class="x">'&`, "yes": true, "no": false, "none": []markup.Values{},
		"list": []markup.Values{{"each": "1"}, {"each": "2", "name": "inner"}},
	}
	for page, want := range map[string]string{
		"":                     "",
		"plain { } text":       "plain { } text",
		`<p title="{{name}}">`: `<p title="&lt;b class=&#34;x&#34;&gt;&#39;&amp;">`,
		"{{#yes}}a{{/yes}}b":   "ab",
		"{{#no}}a{{/no}}b":     "b",
		"{{^no}}a{{/no}}b":     "ab",
		"{{^yes}}a{{/yes}}b":   "b",
		"{{^none}}a{{/none}}b": "ab",
		"{{#none}}a{{/none}}b": "b",
		"{{^list}}a{{/list}}b": "b",
		"{{#list}}{{each}},{{/list}}{{#list}}{{#yes}}{{each}}{{/yes}}{{/list}}": "1,2,12",
		"{{#list}}[{{name}}]{{/list}}":                                          "[&lt;b class=&#34;x&#34;&gt;&#39;&amp;][inner]",
	} {
		if got, err := markup.Fill(page, values); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", page, got, err, want)
		}
	}
}

// TestFillRefuses: a page that does not fit its values is an error that names the place.
func TestFillRefuses(t *testing.T) {
	for page, want := range map[string]string{
		"{{unknown}}":             "{{unknown}}",
		"{{yes}}":                 "{{yes}}",
		"{{#text}}a{{/text}}":     "{{#text}}",
		"{{#yes}}a":               "{{#yes}}",
		"{{#yes}}{{x}}{{/yes}}":   "{{x}}",
		"{{#list}}{{x}}{{/list}}": "{{x}}",
		"a {{ b":                  "{{ without",
		"{{}}":                    "{{ without",
	} {
		got, err := markup.Fill(page, markup.Values{"yes": true, "text": "text", "list": []markup.Values{{}}})
		if err == nil || got != "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want an error with %s", page, got, err, want)
		}
	}
}
