package report

import (
	_ "embed"
	"io"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/markup"
)

//go:embed page.html
var page string

// html writes the report as a page that needs nothing beside it: no script, no style sheet, no server.
func (r *Report) html(out io.Writer) error {
	var found []markup.Values
	count, broken := int64(0), ""
	for _, c := range r.cases {
		for _, each := range c.findings {
			found = append(found, article(each))
		}
		if more := c.dropped(); more != "" {
			found = append(found, article(Finding{Subject: c.name, Message: more, Rule: c.class}))
		}
		if count += c.count; c.broken != "" {
			broken = c.broken
		}
	}
	for _, each := range r.excused {
		found = append(found, article(each))
		count++
	}
	text, err := markup.Fill(page, markup.Values{
		"title": Count(count, "finding"), "command": strings.TrimSpace(r.command + " " + r.version), "found": found,
		"summary": r.summary.String(), "broken": Printable(broken), "whole": broken == "",
	})
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	return err
}

func article(f Finding) markup.Values {
	about := []string{f.Rule}
	for _, each := range []string{f.State, f.ID} {
		if each != "" {
			about = append(about, each)
		}
	}
	where := f.where()
	if f.Pointer != "" {
		where += " " + f.Pointer
	}
	if f.Other != nil {
		f.Notes = append([]string{"see " + f.Other.String()}, f.Notes...)
	}
	var notes []markup.Values
	for _, note := range f.Notes {
		notes = append(notes, markup.Values{"note": Printable(note)})
	}
	return markup.Values{
		"where": Printable(where), "severity": Printable(f.Severity), "about": Printable(strings.Join(about, ", ")),
		"message": Printable(f.Message), "notes": notes,
	}
}
