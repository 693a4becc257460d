package answers

import (
	"errors"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// member is one member of an object.
type member struct {
	name, key []byte
	value     value
	instead   []byte // in the place of an absent value; nil: the member is left out
	// conditional: conditions of the schema decide on the member, not a source.
	conditional bool
}

// object compiles an object with members.
func (c *compiler) object(of, was merged.Schema, examples []Values, place string) (value, error) {
	all := merged.Of(of, nil)
	var members []member
	conditional := false
	for _, name := range all.Names(c.library) {
		allowed := merged.Schema(all.Property(name))
		property, before := merged.Of(allowed, nil), merged.Of(was.Property(name), nil)
		if property.Refused() {
			continue
		}
		made, err := c.value(allowed, before, examples, place+"/"+name)
		if err != nil {
			return nil, inPlace(allowed, err)
		}
		m := member{name: []byte(name), key: append(encode.JSON(name), ':'), value: made}
		switch {
		case allowed.Accepts(nil):
			m.instead = []byte("null")
		case all.Required(name) && allowed.Accepts(""):
			m.instead = []byte(`""`)
		}
		if share := property.Keywords().Values.NullShare; share != nil && *share > 0 && m.instead == nil && all.Required(name) {
			return nil, inPlace(allowed, errors.New("x-null-share: the member is required, and its schema does not allow null"))
		}
		m.conditional = (m.instead != nil || printed(property, before).Source == "") && decidedElsewhere(all, name)
		conditional = conditional || m.conditional
		members = append(members, m)
	}
	if !conditional {
		return func(dst []byte, known Values) ([]byte, bool) {
			return written(dst, known, members, func(member) bool { return true }), true
		}, nil
	}
	return func(dst []byte, known Values) ([]byte, bool) {
		settled, err := schemas.Decode(written(nil, known, members, func(m member) bool { return !m.conditional }))
		if err != nil {
			return dst, false // the text was written here
		}
		decided := merged.Of(of, settled.(map[string]any))
		return written(dst, known, members, func(m member) bool {
			return !m.conditional || !merged.Of(decided.Property(string(m.name)), nil).Refused()
		}), true
	}, nil
}

// written writes the members that are wanted.
func written(dst []byte, known Values, members []member, wanted func(member) bool) []byte {
	dst = append(dst, '{')
	for _, m := range members {
		if !wanted(m) {
			continue
		}
		begin := len(dst)
		text, there := m.value(append(dst, m.key...), known)
		switch {
		case there:
			dst = append(text, ',')
		case m.instead != nil:
			dst = append(append(text[:begin+len(m.key)], m.instead...), ',')
		default:
			dst = text[:begin]
		}
	}
	return closed(dst, '}')
}

// decidedElsewhere tells whether a condition of the schema says something of a member.
func decidedElsewhere(all merged.Schema, name string) bool {
	return slices.ContainsFunc(all, func(s *jsonschema.Schema) bool {
		for _, branch := range []*jsonschema.Schema{s.Then, s.Else} {
			if branch != nil && len(merged.Of([]*jsonschema.Schema{branch}, nil).Property(name)) > 0 {
				return true
			}
		}
		return false
	})
}
