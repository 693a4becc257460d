package exports

import (
	"encoding/json"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Template is what the schema of a creation payload says about its members, for callers that build a payload instead of checking one.
type Template struct {
	// DateLayout is the layout of time.Format for the dates that the schema takes.
	DateLayout string

	takesNow bool // as the end of a window
	roles    schemas.Roles
	given    map[string]any // by roles, the only value, or the items that the schema names
}

// Everything is a payload without dates that asks for everything the schema names.
func (t Template) Everything() map[string]any {
	payload := map[string]any{}
	for role, value := range t.given {
		t.Put(payload, role, value)
	}
	return payload
}

// Short is a payload as one would type it: the first two of what the schema names, of the last seven days.
func (t Template) Short(now time.Time) (string, error) {
	payload := t.Everything()
	for role, value := range t.given {
		if items, is := value.([]any); is {
			t.Put(payload, role, items[:min(2, len(items))])
		}
	}
	t.PutWindow(payload, now.AddDate(0, 0, -7), now, now)
	text, err := json.Marshal(payload)
	return string(text), err
}

// PutWindow gives a payload the dates that it knows, of a window. One that ends now says the word where the schema takes it.
func (t Template) PutWindow(payload map[string]any, from, to, now time.Time) {
	end := to.UTC().Format(t.DateLayout)
	if t.takesNow && to.Equal(now) {
		end = "now"
	}
	for role, date := range map[string]string{"from": from.UTC().Format(t.DateLayout), "span": from.UTC().Format(t.DateLayout), "to": end,
		"through": to.Add(-1).UTC().Format(t.DateLayout)} {
		if t.Has(role) {
			t.Put(payload, role, date)
		}
	}
}

// Has tells whether the payload knows a member of a role.
func (t Template) Has(role string) bool { return t.roles[role] != nil }

// Put gives a payload the member of a role; without one, a member of that name.
func (t Template) Put(payload map[string]any, role string, value any) {
	path := t.roles[role]
	if path == nil {
		path = []string{role}
	}
	for _, name := range path[:len(path)-1] {
		inner, is := payload[name].(map[string]any)
		if !is {
			inner = map[string]any{}
			payload[name] = inner
		}
		payload = inner
	}
	payload[path[len(path)-1]] = value
}

// layoutOf is the first layout of dates that a schema takes.
func layoutOf(s *jsonschema.Schema) string {
	at := time.Date(2006, 1, 2, 15, 4, 5, 0, time.UTC)
	for _, form := range layouts {
		if s.Validate(at.Format(form.layout)) == nil {
			return form.layout
		}
	}
	return time.RFC3339
}

// TemplateOf reads what the schema of the payload that makes an export says.
func TemplateOf(library *schemas.Library, export schemas.Export) Template {
	template := Template{DateLayout: LocalDateTime, roles: export.Roles, given: map[string]any{}}
	for role := range export.Roles {
		for _, s := range export.Roles.In(library.Schema(export.Request), role) {
			switch {
			case !s.Sure:
			case role == "from" || role == "span":
				template.DateLayout = layoutOf(s.Schema)
			case role == "to":
				template.takesNow = template.takesNow || s.Validate("now") == nil
			case s.Constant != nil:
				template.given[role] = s.Constant[0]
			case s.Items2020 != nil:
				if named := schemas.NamedValues(s.Items2020); named != nil {
					template.given[role] = named
				}
			}
		}
	}
	return template
}
