// Package markup fills pages of HTML.
//
// It is in the place of html/template, which finds methods by name: in a program that has it, the linker keeps every
// method of every type, and the server was a tenth larger, on the disk and in memory.
// See docs/decisions/server.md#why-are-pages-not-filled-by-htmltemplate
package markup

import (
	"fmt"
	"html"
	"strings"
)

// Values are what a page is filled with: a string, which is escaped; a bool, or a list, which decides on sections.
type Values map[string]any

// Fill fills a page. {{name}} is the string of that name; {{#name}}...{{/name}} is there if the bool of that name is
// true, or once for each of a list, whose values come before those around it; {{^name}}...{{/name}} is there
// otherwise. In one section there is no other of its name. Values stand between tags, or between the quotes of an attribute that is
// no script, no style and no address that somebody else chooses.
func Fill(page string, values Values) (string, error) {
	f := filling{}
	if err := f.fill(page, []Values{values}); err != nil {
		return "", err
	}
	return f.out.String(), nil
}

type filling struct{ out strings.Builder }

func (f *filling) fill(page string, scopes []Values) error {
	for {
		text, rest, found := strings.Cut(page, "{{")
		f.out.WriteString(text)
		if !found {
			return nil
		}
		name, rest, closed := strings.Cut(rest, "}}")
		if !closed || name == "" {
			return fmt.Errorf("a page has {{ without a name and }} behind it, before %.40q", rest)
		}
		page = rest
		if name[0] != '#' && name[0] != '^' {
			text, is := find(name, scopes).(string)
			if !is {
				return fmt.Errorf("a page has {{%s}}, and there is no string of this name", name)
			}
			f.out.WriteString(html.EscapeString(text))
			continue
		}
		section, rest, closed := strings.Cut(page, "{{/"+name[1:]+"}}")
		if !closed {
			return fmt.Errorf("a page has {{%s}} without {{/%s}} behind it", name, name[1:])
		}
		page = rest
		if err := f.section(name, section, scopes); err != nil {
			return err
		}
	}
}

// section fills what is there for a bool or a list.
func (f *filling) section(name, section string, scopes []Values) error {
	wanted := name[0] == '#'
	switch value := find(name[1:], scopes).(type) {
	case bool:
		if value == wanted {
			return f.fill(section, scopes)
		}
	case []Values:
		if !wanted && len(value) == 0 {
			return f.fill(section, scopes)
		}
		for _, each := range value {
			if !wanted {
				break
			}
			if err := f.fill(section, append(scopes[:len(scopes):len(scopes)], each)); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("a page has {{%s}}, and there is neither a bool nor a list of this name", name)
	}
	return nil
}

// find is the innermost value of a name; nil for none.
func find(name string, scopes []Values) any {
	for i := len(scopes) - 1; i >= 0; i-- {
		if value, there := scopes[i][name]; there {
			return value
		}
	}
	return nil
}
