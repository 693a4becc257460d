package exports

import (
	"encoding/json"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Template is what the schema of a creation payload says about its
// members, for callers that build a payload instead of checking one.
type Template struct {
	// DateLayout is the layout of time.Format for the dates that the schema takes.
	DateLayout string

	roles   schemas.Roles
	fixed   map[string]any   // members that can have one value only
	allowed map[string][]any // items that the schema names, of members that are lists
}

// Everything is a payload without dates that asks for everything the schema
// names.
func (t Template) Everything() map[string]any {
	payload := map[string]any{}
	for name, value := range t.fixed {
		payload[name] = value
	}
	for name, items := range t.allowed {
		if len(items) > 0 {
			payload[name] = items
		}
	}
	return payload
}

// Short is a payload as one would type it: the first two of what the schema names,
// of the last seven days.
func (t Template) Short(now time.Time) (string, error) {
	payload := t.Everything()
	for name, value := range payload {
		if items, is := value.([]any); is {
			payload[name] = items[:min(2, len(items))]
		}
	}
	if t.Has("from") && t.Has("to") {
		t.Put(payload, "from", now.AddDate(0, 0, -7).UTC().Format(t.DateLayout))
		t.Put(payload, "to", "now")
	}
	text, err := json.Marshal(payload)
	return string(text), err
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

// TemplateOf reads what the schema of the payload that makes an export says.
func TemplateOf(library *schemas.Library, export schemas.Export) Template {
	template := Template{
		DateLayout: LocalDateTime, roles: export.Roles, fixed: map[string]any{}, allowed: map[string][]any{},
	}
	request := library.Schema(export.Request)
	from := request
	for _, name := range export.Roles["from"] {
		members := from.Properties
		if members == nil {
			members = schemas.Followed(from).Properties
		}
		from = members[name]
	}
	// The layout is a date itself.
	if from != request && from.Validate(LocalDateTime) != nil {
		template.DateLayout = time.RFC3339
	}
	for name, property := range request.Properties {
		property = schemas.Followed(property)
		if len(property.Constant) > 0 {
			template.fixed[name] = property.Constant[0]
		}
		if property.Items2020 != nil {
			template.allowed[name] = schemas.NamedValues(property.Items2020)
		}
	}
	return template
}
