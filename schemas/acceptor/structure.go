package acceptor

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// arrays are the checks of minItems, maxItems and items.
func (c *compiler) arrays(s *jsonschema.Schema) (checks []check, err error) {
	checks = counted(checks, kindArray, s.MinItems, s.MaxItems)
	if s.Items2020 == nil {
		return checks, nil
	}
	item, err := c.schema(s.Items2020)
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

func counted(checks []check, of kind, least, most int) []check {
	if least <= 0 && most < 0 {
		return checks
	}
	return append(checks, func(d *Document, at int) bool {
		t := &d.tokens[at]
		return t.kind != of || t.number >= int64(least) && (most < 0 || t.number <= int64(most))
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

// members checks properties, patternProperties and additionalProperties.
func (c *compiler) members(s *jsonschema.Schema) (check, error) {
	named, err := c.named(s.Properties)
	if err != nil {
		return nil, err
	}
	type patterned struct {
		name  *regexp.Regexp
		check check
	}
	var patterns []patterned
	for name, schema := range s.PatternProperties {
		made, err := c.schema(schema)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, patterned{name, made})
	}
	others := check(func(*Document, int) bool { return true })
	switch rest := s.AdditionalProperties.(type) {
	case nil:
		if len(named) == 0 && len(patterns) == 0 {
			return nil, nil
		}
	case bool:
		others = func(*Document, int) bool { return rest }
	case *jsonschema.Schema:
		if others, err = c.schema(rest); err != nil {
			return nil, err
		}
	}
	return func(d *Document, at int) bool {
		if d.tokens[at].kind != kindObject {
			return true
		}
		for name, end := at+1, int(d.tokens[at].next); name < end; name = int(d.tokens[name+1].next) {
			evaluated := false
			for i := range named {
				if string(d.bytes(name)) == named[i].name {
					evaluated = true
					if !named[i].check(d, name+1) {
						return false
					}
					break
				}
			}
			for _, pattern := range patterns {
				if pattern.name.Match(d.bytes(name)) {
					evaluated = true
					if !pattern.check(d, name+1) {
						return false
					}
				}
			}
			if !evaluated && !others(d, name+1) {
				return false
			}
		}
		return true
	}, nil
}

type namedCheck struct {
	name  string
	check check
}

func (c *compiler) named(properties map[string]*jsonschema.Schema) (list []namedCheck, err error) {
	for name, schema := range properties {
		made, err := c.schema(schema)
		if err != nil {
			return nil, err
		}
		list = append(list, namedCheck{name, made})
	}
	return list, nil
}
