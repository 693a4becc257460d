package acceptor

import "github.com/santhosh-tekuri/jsonschema/v5"

// combined are the checks of $ref, allOf, anyOf, oneOf, not and if.
func (c *compiler) combined(s *jsonschema.Schema) (checks []check, err error) {
	each := func(schemas []*jsonschema.Schema) (list []check) {
		for _, schema := range schemas {
			made, failure := c.schema(schema)
			if failure != nil && err == nil {
				err = failure
			}
			list = append(list, made)
		}
		return list
	}
	if s.Ref != nil {
		checks = append(checks, each([]*jsonschema.Schema{s.Ref})...)
	}
	checks = append(checks, each(s.AllOf)...)
	for _, choice := range []struct {
		branches []*jsonschema.Schema
		holds    func(matches int) bool
	}{
		{s.AnyOf, func(matches int) bool { return matches > 0 }},
		{s.OneOf, func(matches int) bool { return matches == 1 }},
	} {
		if len(choice.branches) == 0 {
			continue
		}
		branches := each(choice.branches)
		checks = append(checks, func(d *Document, at int) bool {
			matches := 0
			for _, branch := range branches {
				if branch(d, at) {
					matches++
				}
			}
			return choice.holds(matches)
		})
	}
	if s.Not != nil {
		not := each([]*jsonschema.Schema{s.Not})[0]
		checks = append(checks, func(d *Document, at int) bool { return !not(d, at) })
	}
	if s.If != nil {
		branches := each([]*jsonschema.Schema{s.If, orTrue(s.Then), orTrue(s.Else)})
		checks = append(checks, func(d *Document, at int) bool {
			if branches[0](d, at) {
				return branches[1](d, at)
			}
			return branches[2](d, at)
		})
	}
	return checks, err
}

func orTrue(s *jsonschema.Schema) *jsonschema.Schema {
	if s != nil {
		return s
	}
	always := true
	return &jsonschema.Schema{Always: &always}
}
