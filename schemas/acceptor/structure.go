package acceptor

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// arrays are the checks of how many items there are, and of each.
func (c *compiler) arrays(s *jsonschema.Schema) (checks []check, err error) {
	checks = counted(checks, kindArray, s.MinItems, s.MaxItems)
	if s.Items2020 == nil {
		return checks, nil
	}
	item, err := c.check(s.Items2020)
	if err != nil {
		return nil, err
	}
	return append(checks, func(d *Document, at int) bool {
		if d.tokens[at].kind != kindArray {
			return true
		}
		for each, end := at+1, int(d.tokens[at].next); each < end; each = int(d.tokens[each].next) {
			if !item(d, each) {
				return false
			}
		}
		return true
	}), nil
}

func counted(checks []check, of kind, fewest, mostly int) []check {
	if fewest <= 0 && mostly < 0 {
		return checks
	}
	least, most := int64(fewest), int64(mostly)
	return append(checks, func(d *Document, at int) bool {
		t := &d.tokens[at]
		return t.kind != of || t.number >= least && (most < 0 || t.number <= most)
	})
}

// objects are the checks of members.
func (c *compiler) objects(s *jsonschema.Schema) (checks []check, err error) {
	checks = counted(checks, kindObject, s.MinProperties, s.MaxProperties)
	if required := s.Required; len(required) > 0 {
		checks = append(checks, func(d *Document, at int) bool {
			if d.tokens[at].kind != kindObject {
				return true
			}
			for _, name := range required {
				if d.member(at, name) < 0 {
					return false
				}
			}
			return true
		})
	}
	members, err := c.members(s)
	if err != nil || members == nil {
		return checks, err
	}
	return append(checks, members), nil
}

// members checks those that have a name, those whose name matches a pattern, and the others.
func (c *compiler) members(s *jsonschema.Schema) (check, error) {
	if len(s.Properties) == 0 && len(s.PatternProperties) == 0 && s.AdditionalProperties == nil {
		return nil, nil
	}
	named := map[string]check{}
	for name, below := range s.Properties {
		if below.Always != nil && *below.Always && s.AdditionalProperties == nil {
			continue // it is accepted as the others are
		}
		made, err := c.check(below)
		if err != nil {
			return nil, err
		}
		named[name] = made
	}
	type patterned struct {
		name  *regexp.Regexp
		check check
	}
	var matching []patterned
	for name, below := range s.PatternProperties {
		made, err := c.check(below)
		if err != nil {
			return nil, err
		}
		matching = append(matching, patterned{name, made})
	}
	var others check // nil: every other member is accepted
	switch further := s.AdditionalProperties.(type) {
	case bool:
		others = func(*Document, int) bool { return further }
	case *jsonschema.Schema:
		var err error
		if others, err = c.check(further); err != nil {
			return nil, err
		}
	}
	if len(named) == 0 && len(matching) == 0 && others == nil {
		return nil, nil
	}
	if len(named) == 1 && len(matching) == 0 && others == nil { // as in a condition: rows have a dozen of them
		for only, below := range named {
			return func(d *Document, at int) bool {
				if d.tokens[at].kind != kindObject {
					return true
				}
				for name, end := at+1, int(d.tokens[at].next); name < end; name = int(d.tokens[name+1].next) {
					if string(d.bytes(name)) == only && !below(d, name+1) {
						return false
					}
				}
				return true
			}, nil
		}
	}
	return func(d *Document, at int) bool {
		if d.tokens[at].kind != kindObject {
			return true
		}
		for name, end := at+1, int(d.tokens[at].next); name < end; name = int(d.tokens[name+1].next) {
			below, evaluated := named[string(d.bytes(name))]
			if evaluated && !below(d, name+1) {
				return false
			}
			for _, pattern := range matching {
				if pattern.name.Match(d.bytes(name)) {
					evaluated = true
					if !pattern.check(d, name+1) {
						return false
					}
				}
			}
			if !evaluated && others != nil && !others(d, name+1) {
				return false
			}
		}
		return true
	}, nil
}
