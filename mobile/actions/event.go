package actions

import core "github.com/rehearsal-sdk/rehearsal/actions"

// Event is what service.user.event sends. It does not change.
type Event struct {
	event core.Event
}

// Name gives the name, which is never empty.
func (e *Event) Name() string {
	defer contain()
	return e.event.Name
}

// HasLabel reports whether there is a label.
func (e *Event) HasLabel() bool {
	defer contain()
	return e.event.Label != nil
}

// Label gives the label, or "" when there is none.
func (e *Event) Label() string {
	defer contain()
	if e.event.Label == nil {
		return ""
	}
	return *e.event.Label
}

// Tags gives the tags.
func (e *Event) Tags() *StringList {
	defer contain()
	return &StringList{e.event.Tags}
}

// Data gives a copy of the data.
func (e *Event) Data() *Arguments {
	defer contain()
	return argumentsOf(e.event.Data)
}

// JSON gives {"name", "label", "tags", "data"}; the label is null when there is none. The error is for a number that is infinite or none.
func (e *Event) JSON() (json string, err error) {
	defer containAs(&err)
	var label any
	if e.event.Label != nil {
		label = *e.event.Label
	}
	return toJSON(map[string]any{"name": e.event.Name, "label": label, "tags": e.event.Tags, "data": e.event.Data})
}
