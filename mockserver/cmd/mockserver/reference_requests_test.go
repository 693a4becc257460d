package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// request lists the members of the body that asks for an export, those within members as well.
func (d *document) request(library *schemas.Library, kind, name string) {
	s := library.Schema(name)
	d.heading(3, "Request of "+kind)
	d.table([]string{"member", "required", "values", "meaning"}, requestRows(library, s, ""))
	var choices []string
	for _, branch := range s.AnyOf {
		choices = append(choices, codes(branch.Required))
	}
	if len(choices) > 0 {
		d.text("At least one of these has to be there: %s.", strings.Join(choices, ", "))
	}
}

func requestRows(library *schemas.Library, s *jsonschema.Schema, prefix string) (rows [][]string) {
	for _, name := range library.PropertyOrder(s) {
		required := ""
		if slices.Contains(s.Required, name) {
			required = "yes"
		}
		property := s.Properties[name]
		rows = append(rows, []string{code(prefix + name), required, boundedValues(property), about(property)})
		rows = append(rows, requestRows(library, property, prefix+name+".")...)
	}
	return rows
}

// boundedValues says what a value may be, with its bounds, an example where a text has a form, and what the items of an array may be.
func boundedValues(s *jsonschema.Schema) string {
	text, items := valuesOf(s), (*jsonschema.Schema)(nil)
	var bounds []string
	bound := func(what string, value any) { bounds = append(bounds, fmt.Sprintf(what, value)) }
	for at := s; at != nil; at = at.Ref {
		if at.Items2020 != nil && items == nil {
			items = at.Items2020
		}
		for _, whole := range []struct {
			what  string
			value int
		}{{"at least %d", at.MinItems}, {"at most %d", at.MaxItems}, {"at least %d characters", at.MinLength}, {"at most %d characters", at.MaxLength}} {
			if whole.value >= 0 {
				bound(whole.what, whole.value)
			}
		}
		if at.Minimum != nil {
			bound("at least %s", at.Minimum.RatString())
		}
		if at.Maximum != nil {
			bound("at most %s", at.Maximum.RatString())
		}
		if at.Default != nil {
			bound("default %s", code(fmt.Sprint(at.Default)))
		}
		if at.UniqueItems {
			bound("%s", "none twice")
		}
		if at.Examples != nil && len(at.Enum) == 0 && slices.Contains([]string{"string", "integer", "number"}, text) {
			bound("such as %s", code(fmt.Sprint(at.Examples[0])))
		}
	}
	if items != nil {
		text += " of " + boundedValues(items)
	}
	if len(bounds) > 0 {
		text += "; " + strings.Join(bounds, ", ")
	}
	return strings.Replace(text, "at least 1 characters", "not empty", 1)
}
